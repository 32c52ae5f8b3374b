import { invalidRequest } from '../../../errors/invalid-request.ts';
import { runBatch } from '../../../language/cql/writes/run-batch.ts';
import type { Exchange } from '../exchange.ts';
import type { KnownStatement } from '../known-statement.ts';
import { requestKeyspace } from '../request-keyspace.ts';
import type { BatchEntry, BatchRequest } from '../requests/batch.ts';
import { admit, noWarnings, requestOf, writeAnswer } from '../run-statement.ts';
import { parametersForTrace } from '../trace-parameters.ts';

export function handleBatch(request: BatchRequest, exchange: Exchange): void | Promise<void> {
  const { type, statements, parameters } = request;
  exchange.consistency = parameters.consistency;
  exchange.beginTrace('Execute batch of CQL3 queries', () => parametersForTrace(parameters, undefined));
  const known = statements.map((entry) => statementOf(entry, request, exchange));
  admit(
    exchange,
    {
      work: 'write',
      tables: [],
      isFullyQualified: false,
      isConditional: known.some(({ traits }) => traits.isConditional),
      batchType: type,
    },
    parameters,
  );
  const entries = known.map(({ prepared }, at) => ({ prepared, values: statements[at]?.values ?? [] }));
  const answer = runBatch({ type, entries }, requestOf(exchange, [], parameters), exchange.context.parts);
  const run = { parameters, clientMetadataId: undefined, warnings: noWarnings };
  if (!(answer instanceof Promise)) return writeAnswer(exchange, answer, run);
  return answer.then((late) => {
    if (!exchange.isAnswered) writeAnswer(exchange, late, run);
  });
}

function statementOf(entry: BatchEntry, { parameters }: BatchRequest, exchange: Exchange): KnownStatement {
  const { statements } = exchange.context;
  const known =
    'text' in entry
      ? statements.ofText(entry.text, requestKeyspace(parameters.keyspace, exchange))
      : statements.find(entry.id);
  const { length } = known.prepared.variables;
  if (entry.values.length !== length)
    throw invalidRequest(`There were ${length} markers(?) in CQL but ${entry.values.length} bound variables`);
  return known;
}
