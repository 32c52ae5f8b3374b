import assert from 'node:assert/strict';
import type { StatementAnswer } from '../../src/execution/cql/statement-request.ts';

/** The rows of an answer, in whichever form it has them. */
export function rowsOfAnswer(answer: StatementAnswer): readonly (readonly (Buffer | null)[])[] {
  if (answer.kind === 'rows') return answer.rows;
  assert.ok(answer.kind === 'encoded-rows', `an answer is ${answer.kind}`);
  const { columns, rowCount, values } = answer;
  let at = 0;
  const rows = Array.from({ length: rowCount }, () =>
    columns.map(() => {
      const length = values.readInt32BE(at);
      const start = at + 4;
      at = start + Math.max(0, length);
      return length < 0 ? null : values.subarray(start, at);
    }),
  );
  assert.equal(at, values.length, 'there is nothing behind the last row');
  return rows;
}
