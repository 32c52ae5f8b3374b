import { invalidRequest } from '../../../errors/invalid-request.ts';
import type { Exchange } from '../exchange.ts';
import { valuesInOrder } from '../named-values.ts';
import { requestKeyspace } from '../request-keyspace.ts';
import type { QueryParameters } from '../requests/query-parameters.ts';
import { runStatement } from '../run-statement.ts';
import { parametersForTrace } from '../trace-parameters.ts';

export function handleQuery(
  { text, parameters }: { readonly text: string; readonly parameters: QueryParameters },
  exchange: Exchange,
): void | Promise<void> {
  const { context } = exchange;
  exchange.consistency = parameters.consistency;
  exchange.beginTrace('Execute CQL3 query', () => parametersForTrace(parameters, text));
  exchange.trace?.event('Parsing the statement');
  const known = context.statements.ofText(text, requestKeyspace(parameters.keyspace, exchange));
  const { variables, warnings } = known.prepared;
  const values = valuesInOrder(variables, parameters);
  if (values.length !== variables.length) throw invalidRequest('Invalid amount of bind variables');
  return runStatement(exchange, { known, values, parameters, clientMetadataId: undefined, warnings });
}
