import { checkOrder } from '../../../language/sql/check-order.ts';
import { checkFeatures, planQuery } from '../../../language/sql/plan/plan-query.ts';
import { textOfPlan } from '../../../language/sql/plan/text-of-plan.ts';
import { prepareText } from '../../../language/sql/prepare-query.ts';
import { containerAt } from '../container-at.ts';
import type { NosqlContext } from '../nosql-context.ts';
import type { NosqlHandler } from '../nosql-message.ts';
import { sqlOf } from '../query-request.ts';
import { headerOf } from '../request-options.ts';

/** POST of `docs` that asks how a query is to be divided: what clients do before they send it to several partitions. */
export const explainQuery: NosqlHandler<NosqlContext> = (request, context) => {
  const container = containerAt(request, context);
  const { text, parameters } = sqlOf(request);
  const { query } = prepareText(text);
  checkOrder(query, container.indexingPolicy);
  const plan = planQuery(query, parameters, container);
  const supported = headerOf(request, 'x-ms-cosmos-supported-query-features');
  if (supported !== undefined) checkFeatures(plan, supported);
  return { status: 200, headers: {}, body: textOfPlan(plan) };
};
