import type { TableSchema } from '../../../catalog/cql/table-schema.ts';
import { RingfoldError } from '../../../errors/ringfold-error.ts';
import { ByteReader } from '../../../foundation/byte-reader.ts';
import { type Deletion, readDeletion } from '../../../values/deletion.ts';
import { type RangeTombstone, rangeTombstoneOf } from '../../../values/range-tombstones.ts';
import { RememberedDecodings } from '../../../values/remembered-decodings.ts';
import type { RowPlace } from './row-place.ts';
import type { StoredRow } from './stored-row.ts';

/** What a partition's header means for its rows. Most have no deletion at all, and then nothing is made of their bytes. */
export interface HeaderView {
  readonly deletion: Deletion | undefined;
  readonly rangeTombstones: readonly RangeTombstone[];
  readonly bytes: Buffer;
  /** Where the static row begins; it goes to the end. 0 if there is none. */
  readonly staticRowAt: number;
}

const noRanges: readonly RangeTombstone[] = [];
const envelopeOfHeader = 0x13;
const flags = { deletion: 0x01, staticRow: 0x02, lastRangeIsOpen: 0x04 } as const;

/** What is deleted of a table without clustering columns is the partition's one row, and it has no static columns. */
export function hasHeaders({ clustering }: TableSchema): boolean {
  return clustering.length > 0;
}

/** What is stored under a header's key (values/partition-header.ts); undefined where it changes nothing for a reader. */
export function viewHeader(stored: Buffer | null): HeaderView | undefined {
  return stored === null ? undefined : remembered.of(stored);
}

const remembered = new RememberedDecodings(view);

function view(stored: Buffer): HeaderView | undefined {
  if (stored[0] !== envelopeOfHeader || stored[1] !== 0) {
    throw new RingfoldError('corrupt-data', { reason: 'under the key of a header there is none' });
  }
  const reader = new ByteReader(stored, 2);
  const present = reader.u8();
  reader.varint();
  const deletion = present & flags.deletion ? readDeletion(reader) : undefined;
  const count = reader.varint();
  if (present === 0 && count === 0) return undefined;
  const rangeTombstones = count === 0 ? noRanges : readRanges(reader, count, present);
  const staticRowAt = present & flags.staticRow ? reader.position : 0;
  return { deletion, rangeTombstones, bytes: stored, staticRowAt };
}

/** The strongest deletion over a row; a range is kept only where it says more than the partition's deletion. */
export function deletionOver(header: HeaderView | undefined, row: RowPlace): Deletion | undefined {
  if (header === undefined) return undefined;
  if (header.rangeTombstones.length === 0) return header.deletion;
  return rangeTombstoneOf(header.rangeTombstones, row.clusteringKey())?.deletion ?? header.deletion;
}

/** Of a header that has a static row. False if there is nothing of it to see. */
export function loadStatics(
  row: StoredRow,
  { bytes, staticRowAt, deletion }: HeaderView,
  nowSeconds: number,
): boolean {
  return row.load(bytes, staticRowAt, bytes.length, deletion, nowSeconds);
}

function readRanges(reader: ByteReader, count: number, present: number): RangeTombstone[] {
  const ranges: RangeTombstone[] = [];
  for (let left = count; left > 0; left--) {
    const from = reader.byteString(reader.varint());
    const isOpen = left === 1 && (present & flags.lastRangeIsOpen) !== 0;
    const to = isOpen ? undefined : reader.byteString(reader.varint());
    ranges.push({ from, to, deletion: readDeletion(reader) });
  }
  return ranges;
}
