import type { CqlSchema } from '../../../catalog/cql/cql-schema.ts';
import type { CqlParts } from '../../../execution/cql/cql-parts.ts';
import { systemClock } from '../../../foundation/clock.ts';
import { SeededRandom } from '../../../foundation/random.ts';
import { ServerTimestamps } from '../../../values/server-timestamps.ts';
import { parseCql } from '../cql-parser.ts';
import { defineAlterTable } from '../definitions/define-alter-table.ts';
import { defineCreateTable } from '../definitions/define-create-table.ts';
import { defineCreateIndex } from '../definitions/define-index.ts';
import { defineCreateKeyspace } from '../definitions/define-keyspace.ts';
import { defineCreateType } from '../definitions/define-type.ts';
import type { Definition } from '../definitions/definition.ts';
import type { StatementContext } from '../prepared-statement.ts';

/** The schema after the statements, with nothing stored. */
export function defineAll(before: CqlSchema, statements: readonly string[]): CqlSchema {
  let schema = before;
  for (const statement of statements) {
    const plan = definitionOf(statement, schema).plan(schema);
    if (plan !== undefined) schema = { ...schema, keyspaces: plan.keyspaces };
  }
  return schema;
}

function definitionOf(text: string, schema: CqlSchema): Definition {
  const parts = {
    throughput: { clock: systemClock },
    random: new SeededRandom(1),
    timestamps: new ServerTimestamps(0),
  } as unknown as CqlParts;
  const context: StatementContext = { schema, keyspace: undefined, parts };
  const { statement } = parseCql(text);
  switch (statement.kind) {
    case 'createKeyspace':
      return defineCreateKeyspace(statement);
    case 'createTable':
      return defineCreateTable(statement, context);
    case 'alterTable':
      return defineAlterTable(statement, context);
    case 'createType':
      return defineCreateType(statement, context);
    case 'createIndex':
      return defineCreateIndex(statement, context);
    default:
      throw new Error(`no definition: ${text}`);
  }
}
