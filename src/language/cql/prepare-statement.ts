import type { CqlStatement, ParsedStatement } from './cql-parser.ts';
import { prepareDefinition } from './definitions/prepare-definition.ts';
import { prepareDescribe } from './describe/prepare-describe.ts';
import type { PreparedStatement, StatementContext } from './prepared-statement.ts';
import { prepareSelect } from './reads/prepare-select.ts';
import { prepareRole } from './roles/prepare-role.ts';
import type { BindMarker } from './token-cursor.ts';
import { prepareWrite } from './writes/prepare-write.ts';

type StatementKind = CqlStatement['kind'];

type Prepare<Kind extends StatementKind> = (
  statement: Extract<CqlStatement, { kind: Kind }>,
  markers: readonly BindMarker[],
  context: StatementContext,
) => PreparedStatement;

// The list of what the language has.
const prepareByKind: { readonly [Kind in StatementKind]: Prepare<Kind> } = {
  select: prepareSelect,
  insert: prepareWrite,
  insertJson: prepareWrite,
  update: prepareWrite,
  delete: prepareWrite,
  batch: prepareWrite,
  use: prepareDefinition,
  truncate: prepareDefinition,
  createKeyspace: prepareDefinition,
  alterKeyspace: prepareDefinition,
  dropKeyspace: prepareDefinition,
  createTable: prepareDefinition,
  alterTable: prepareDefinition,
  dropTable: prepareDefinition,
  createType: prepareDefinition,
  alterType: prepareDefinition,
  dropType: prepareDefinition,
  createIndex: prepareDefinition,
  dropIndex: prepareDefinition,
  createMaterializedView: prepareDefinition,
  alterMaterializedView: prepareDefinition,
  dropMaterializedView: prepareDefinition,
  createFunction: prepareDefinition,
  dropFunction: prepareDefinition,
  createAggregate: prepareDefinition,
  dropAggregate: prepareDefinition,
  createTrigger: prepareDefinition,
  dropTrigger: prepareDefinition,
  createRole: prepareRole,
  alterRole: prepareRole,
  dropRole: prepareRole,
  listRoles: prepareRole,
  listUsers: prepareRole,
  listPermissions: prepareRole,
  grantPermissions: prepareRole,
  grantRole: prepareRole,
  revokePermissions: prepareRole,
  revokeRole: prepareRole,
  addIdentity: prepareRole,
  dropIdentity: prepareRole,
  describe: prepareDescribe,
};

/** Checks a statement against the schema and makes it ready to run. Throws RingfoldError. */
export function prepareStatement(
  { statement, markers }: ParsedStatement,
  context: StatementContext,
): PreparedStatement {
  // The compiler cannot see that a statement and the function of its kind belong together.
  const prepare = prepareByKind[statement.kind] as Prepare<StatementKind>;
  return prepare(statement, markers, context);
}
