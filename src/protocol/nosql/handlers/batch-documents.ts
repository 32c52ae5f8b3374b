// POST of `docs` with several operations: a transactional batch, all of whose operations happen or none, or bulk, where each is for itself.

import { invalidRequest } from '../../../errors/invalid-request.ts';
import type { ItemStep } from '../../../execution/nosql/items/item-step.ts';
import { transactItems } from '../../../execution/nosql/items/transact-items.ts';
import { type BatchOperation, parseBatch, stepOf } from '../batch-operation.ts';
import {
  type BatchResult,
  bodyOfResults,
  failedDependency,
  resultOfError,
  resultOfStep,
  statusOfAll,
} from '../batch-result.ts';
import { runBulk } from '../bulk-run.ts';
import { partitionHeaders } from '../headers.ts';
import { type ItemTarget, refuseTriggers, targetOf } from '../item-request.ts';
import { headersOf } from '../item-response.ts';
import type { NosqlContext } from '../nosql-context.ts';
import type { NosqlHandler, NosqlRequest, NosqlResponse } from '../nosql-message.ts';
import { isAsked, traitsOf, wantsMinimal } from '../request-options.ts';

export const batchDocuments: NosqlHandler<NosqlContext> = async (request, context) => {
  refuseTriggers(request);
  const operations = parseBatch(request.body);
  if (!isAsked(request, 'x-ms-cosmos-batch-atomic')) return runBulk(request, context, operations);
  if (operations.length === 0) throw invalidRequest('Batch request has no operations.');
  const target = targetOf(request, context);
  return runBatch(request, context, target, operations);
};

async function runBatch(
  request: NosqlRequest,
  context: NosqlContext,
  target: ItemTarget,
  operations: readonly BatchOperation[],
): Promise<NosqlResponse> {
  const { container } = target;
  const steps: ItemStep[] = [];
  for (const [at, operation] of operations.entries()) {
    try {
      steps.push(await stepOf(context, container, operation, target.partitionKey));
    } catch (error) {
      const headers = partitionHeaders(context, container, undefined);
      const results = aroundFailure(operations.length, at, resultOfError(error));
      return { status: 207, headers, body: bodyOfResults(results) };
    }
  }
  const traits = traitsOf(request, 'batch');
  const outcome = await transactItems(context.parts, { steps, traits, isBatch: true, ...target });
  const isMinimal = wantsMinimal(request);
  const told = outcome.results.map((result, at) =>
    resultOfStep(container, result, isMinimal || operations[at]?.wantsMinimal === true),
  );
  const failed = told.at(-1);
  const results =
    outcome.isApplied || failed === undefined
      ? told
      : aroundFailure(operations.length, told.length - 1, failed);
  const headers = headersOf(context, container, outcome, undefined);
  return { status: statusOfAll(results), headers, body: bodyOfResults(results) };
}

/** None happened, because that one could not. */
function aroundFailure(count: number, at: number, failed: BatchResult): BatchResult[] {
  return Array.from({ length: count }, (_, index) => (index === at ? failed : failedDependency));
}
