import type { Roles } from '../../../catalog/cql/roles.ts';
import { RingfoldError } from '../../../errors/ringfold-error.ts';
import type { ColumnSpec } from '../../../execution/cql/column-spec.ts';
import type { StatementAnswer, StatementSession } from '../../../execution/cql/statement-request.ts';
import { fromHundredths } from '../../../throughput/request-units.ts';
import type { PreparedStatement } from '../prepared-statement.ts';

/** A statement about roles. They are looked up each time: what it names must be there when it is prepared, and when it runs. */
export function roleStatement(
  check: (session: StatementSession) => void,
  run: (session: StatementSession) => StatementAnswer | Promise<StatementAnswer>,
): PreparedStatement {
  return {
    variables: [],
    partitionKeyIndexes: [],
    resultColumns: undefined,
    warnings: [],
    isCurrent: () => true,
    check,
    run({ session }) {
      check(session);
      return run(session);
    },
  };
}

export const doneAnswer: StatementAnswer = { kind: 'void', chargeRu: fromHundredths(0), warnings: [] };

export function rowsAnswer(
  columns: readonly ColumnSpec[],
  rows: readonly (readonly (Buffer | null)[])[],
): StatementAnswer {
  return { kind: 'rows', columns, rows, pagingState: undefined, chargeRu: fromHundredths(0), warnings: [] };
}

export function unauthorized(reason: string): RingfoldError {
  return new RingfoldError('unauthorized', { reason });
}

/** Where no login is asked, everybody may do everything. */
export function isSuperuser(roles: Roles, { role }: StatementSession): boolean {
  return role === undefined || roles.isSuperuser(role);
}
