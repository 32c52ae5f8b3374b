import { invalidRequest } from '../../../errors/invalid-request.ts';
import type { CqlParts } from '../../../execution/cql/cql-parts.ts';
import type {
  BoundValue,
  StatementAnswer,
  StatementRequest,
} from '../../../execution/cql/statement-request.ts';
import type { PreparedStatement } from '../prepared-statement.ts';
import type { BatchStatement } from '../statements/batch.ts';
import { checkBatch } from './check-batch.ts';
import { PreparedModification } from './prepared-modification.ts';
import { runModifications } from './run-modifications.ts';

/** The protocol's BATCH message: statements that were prepared each for itself. */
export interface BatchMessage {
  readonly type: BatchStatement['type'];
  readonly entries: readonly {
    readonly prepared: PreparedStatement;
    readonly values: readonly BoundValue[];
  }[];
}

const noAttributes = { timestamp: undefined, ttl: undefined };

export function runBatch(
  { type, entries }: BatchMessage,
  request: StatementRequest,
  parts: CqlParts,
): StatementAnswer | Promise<StatementAnswer> {
  const modifications = entries.map(({ prepared, values }) => {
    if (prepared instanceof PreparedModification) return { modification: prepared.modification, values };
    throw invalidRequest(
      'Invalid statement in batch: only UPDATE, INSERT and DELETE statements are allowed.',
    );
  });
  checkBatch(
    type,
    modifications.map(({ modification }) => modification),
    noAttributes,
  );
  return runModifications(parts, { type, attributes: noAttributes, entries: modifications }, request);
}
