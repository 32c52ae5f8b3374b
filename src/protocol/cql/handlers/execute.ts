import { invalidRequest } from '../../../errors/invalid-request.ts';
import type { Exchange } from '../exchange.ts';
import { valuesInOrder } from '../named-values.ts';
import type { ExecuteRequest } from '../requests/request.ts';
import { noWarnings, runStatement } from '../run-statement.ts';
import { parametersForTrace } from '../trace-parameters.ts';

export function handleExecute(
  { id, resultMetadataId, parameters }: ExecuteRequest,
  exchange: Exchange,
): void | Promise<void> {
  exchange.consistency = parameters.consistency;
  const known = exchange.context.statements.find(id);
  const { variables } = known.prepared;
  const values = valuesInOrder(variables, parameters);
  if (values.length !== variables.length)
    throw invalidRequest(
      `there were ${variables.length} markers(?) in CQL but ${values.length} bound variables`,
    );
  if (exchange.wantsTrace)
    exchange.beginTrace('Execute CQL3 prepared query', () =>
      parametersForTrace(parameters, known.text, { variables, values }),
    );
  return runStatement(exchange, {
    known,
    values,
    parameters,
    clientMetadataId: resultMetadataId,
    warnings: noWarnings,
  });
}
