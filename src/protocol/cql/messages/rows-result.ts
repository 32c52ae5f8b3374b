import type { EncodedRowsAnswer } from '../../../execution/cql/statement-request.ts';
import { opcodes } from '../opcode.ts';
import type { ResponsePrefix, ResponseWriter } from '../response-writer.ts';
import { resultKinds } from './result-kind.ts';
import { type MetadataOptions, type ResultMetadata, writeResultMetadata } from './result-metadata.ts';

/**
 * Begins RESULT rows. Then come the values, row by row, each by `out.value`, and `endRowsResult` with what this returned
 * and how many rows there were: nobody needs to gather them first.
 */
export function beginRowsResult(
  out: ResponseWriter,
  stream: number,
  metadata: ResultMetadata,
  options: MetadataOptions,
  prefix?: ResponsePrefix,
): number {
  out.begin(opcodes.result, stream, prefix);
  out.int(resultKinds.rows);
  writeResultMetadata(out, metadata, options);
  return out.laterInt();
}

export function endRowsResult(out: ResponseWriter, countPlace: number, rowCount: number): void {
  out.fillInt(countPlace, rowCount);
  out.end();
}

/** RESULT rows that are there already. */
export function writeRowsResult(
  out: ResponseWriter,
  stream: number,
  metadata: ResultMetadata,
  options: MetadataOptions,
  rows: readonly (readonly (Uint8Array | null)[])[],
  prefix?: ResponsePrefix,
): void {
  const countPlace = beginRowsResult(out, stream, metadata, options, prefix);
  for (const row of rows) for (const value of row) out.value(value);
  endRowsResult(out, countPlace, rows.length);
}

/** RESULT rows that are in the form of the wire already. */
export function writeEncodedRowsResult(
  out: ResponseWriter,
  stream: number,
  metadata: ResultMetadata,
  options: MetadataOptions,
  { rowCount, values, whenCopied }: Pick<EncodedRowsAnswer, 'rowCount' | 'values' | 'whenCopied'>,
  prefix?: ResponsePrefix,
): void {
  const countPlace = beginRowsResult(out, stream, metadata, options, prefix);
  out.raw(values);
  whenCopied();
  endRowsResult(out, countPlace, rowCount);
}
