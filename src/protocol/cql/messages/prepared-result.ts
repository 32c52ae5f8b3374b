import type { ColumnSpec } from '../../../execution/cql/column-spec.ts';
import type { ByteString } from '../../../foundation/byte-string.ts';
import { opcodes } from '../opcode.ts';
import type { ResponsePrefix, ResponseWriter } from '../response-writer.ts';
import { areOfOneTable, writeColumnSpecs } from './column-specs.ts';
import { resultKinds } from './result-kind.ts';
import { metadataFlags, type ResultMetadata, wholeMetadata, writeResultMetadata } from './result-metadata.ts';

export interface PreparedResult {
  readonly id: ByteString;
  /** Sent from version 5 on. */
  readonly resultMetadataId: ByteString;
  /** What is to be bound, marker by marker. */
  readonly variables: readonly ColumnSpec[];
  /**
   * Which markers are the partition key, in its order; empty where one of its columns has no marker of its own. Not sent
   * when the markers are of several tables, nor in version 3.
   */
  readonly partitionKeyIndexes: readonly number[];
  /** Undefined where the rows are known only when it runs, or there are none. */
  readonly resultMetadata: ResultMetadata | undefined;
}

export function writePreparedResult(
  out: ResponseWriter,
  stream: number,
  prepared: PreparedResult,
  prefix?: ResponsePrefix,
): void {
  const { variables, partitionKeyIndexes, resultMetadata } = prepared;
  out.begin(opcodes.result, stream, prefix);
  out.int(resultKinds.prepared);
  out.shortBytes(prepared.id);
  if (out.version >= 5) out.shortBytes(prepared.resultMetadataId);
  const ofOneTable = areOfOneTable(variables);
  out.int(ofOneTable ? metadataFlags.globalTable : 0);
  out.int(variables.length);
  if (out.version >= 4) {
    const indexes = ofOneTable ? partitionKeyIndexes : [];
    out.int(indexes.length);
    for (const index of indexes) out.short(index);
  }
  writeColumnSpecs(out, variables, ofOneTable);
  if (resultMetadata === undefined) {
    out.int(metadataFlags.noMetadata);
    out.int(0);
  } else {
    writeResultMetadata(out, resultMetadata, wholeMetadata);
  }
  out.end();
}
