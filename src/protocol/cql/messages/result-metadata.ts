import type { ColumnSpec } from '../../../execution/cql/column-spec.ts';
import type { ByteString } from '../../../foundation/byte-string.ts';
import type { ProtocolVersion } from '../protocol-version.ts';
import { ResponseWriter } from '../response-writer.ts';
import { areOfOneTable, writeColumnSpecs } from './column-specs.ts';

export const metadataFlags = { globalTable: 0x01, morePages: 0x02, noMetadata: 0x04, changed: 0x08 } as const;

/**
 * The columns of a result. Their form on the wire is made once for each protocol version and then copied: a prepared
 * statement keeps its metadata, and the same bytes go out with every page.
 */
export class ResultMetadata {
  readonly columns: readonly ColumnSpec[];
  readonly #ofOneTable: boolean;
  readonly #specs = new Map<ProtocolVersion, Buffer>();

  constructor(columns: readonly ColumnSpec[]) {
    this.columns = columns;
    this.#ofOneTable = areOfOneTable(columns);
  }

  /** Flags that do not depend on the request. */
  get flags(): number {
    return this.#ofOneTable ? metadataFlags.globalTable : 0;
  }

  specsFor(version: ProtocolVersion): Buffer {
    const made = this.#specs.get(version);
    if (made !== undefined) return made;
    const out = new ResponseWriter(version, 512);
    out.begin(0, 0);
    writeColumnSpecs(out, this.columns, this.#ofOneTable);
    out.end();
    const specs = Buffer.from(out.takeBody());
    this.#specs.set(version, specs);
    return specs;
  }
}

/** What of the metadata this answer carries. */
export interface MetadataOptions {
  /** The client has the columns already. The flag for one table stays, with nothing behind it, as in Cassandra. */
  readonly skip: boolean;
  readonly pagingState: Uint8Array | undefined;
  /** Version 5: the client's id was another one. Never together with `skip`. */
  readonly changedTo: ByteString | undefined;
}

export const wholeMetadata: MetadataOptions = { skip: false, pagingState: undefined, changedTo: undefined };

export function writeResultMetadata(
  out: ResponseWriter,
  metadata: ResultMetadata,
  { skip, pagingState, changedTo }: MetadataOptions,
): void {
  const changed = out.version >= 5 ? changedTo : undefined;
  out.int(
    metadata.flags |
      (pagingState === undefined ? 0 : metadataFlags.morePages) |
      (skip ? metadataFlags.noMetadata : 0) |
      (changed === undefined ? 0 : metadataFlags.changed),
  );
  out.int(metadata.columns.length);
  if (pagingState !== undefined) out.value(pagingState);
  if (changed !== undefined) out.shortBytes(changed);
  if (!skip) out.raw(metadata.specsFor(out.version));
}
