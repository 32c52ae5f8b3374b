// Bulk: operations on any logical partitions of one physical partition, each by itself. There may be none: JavaScript's `bulk`, told that a range
// was split, asks each of the new ones, also those for which nothing is left.

import type { ContainerDefinition } from '../../catalog/nosql/nosql-definitions.ts';
import { RingfoldError } from '../../errors/ringfold-error.ts';
import { MAX_ANSWER_BYTES } from '../../execution/nosql/answer-limit.ts';
import { rangeGone } from '../../execution/nosql/feeds/feed-scope.ts';
import { logicalPartitionOf } from '../../execution/nosql/items/item-partition-key.ts';
import {
  answerTooLarge,
  keyNotOfContainer,
  missingPartitionKey,
} from '../../execution/nosql/items/item-refusals.ts';
import type { ItemStep } from '../../execution/nosql/items/item-step.ts';
import { transactItems } from '../../execution/nosql/items/transact-items.ts';
import type { JsonKeyComponent } from '../../partitioning/json-key-component.ts';
import type { PartitionMap } from '../../partitioning/partition-map.ts';
import { currentMap } from '../../routing/find-partition.ts';
import { chargeOfFailure } from '../../throughput/charged-failure.ts';
import { fromHundredths, hundredthsOf, type RequestUnits } from '../../throughput/request-units.ts';
import { type BatchOperation, stepOf } from './batch-operation.ts';
import {
  type BatchResult,
  bodyOfResults,
  failedDependency,
  resultOfError,
  resultOfStep,
  statusOfAll,
} from './batch-result.ts';
import { containerAt } from './container-at.ts';
import { partitionHeaders } from './headers.ts';
import { type ItemTarget, refuseOtherRange } from './item-request.ts';
import type { NosqlContext } from './nosql-context.ts';
import type { NosqlRequest, NosqlResponse } from './nosql-message.ts';
import { parsePartitionKey } from './partition-key-header.ts';
import { refuseOtherKey } from './refuse-unpermitted.ts';
import { headerOf, isAsked, namedRange, traitsOf, wantsMinimal } from './request-options.ts';

export async function runBulk(
  request: NosqlRequest,
  context: NosqlContext,
  operations: readonly BatchOperation[],
): Promise<NosqlResponse> {
  const container = containerAt(request, context);
  const run = new BulkRun(request, context, container);
  const results = isAsked(request, 'x-ms-cosmos-batch-continue-on-error')
    ? await allAtOnce(run, operations)
    : await inTurn(run, operations);
  const fitting = withinLimit(results);
  const headers = partitionHeaders(context, container, run.physicalPartition);
  headers['x-ms-request-charge'] = String(run.chargeRu);
  return { status: statusOfAll(fitting), headers, body: bodyOfResults(fitting) };
}

/** Handed over in their order, so that those of one logical partition happen in it. */
async function allAtOnce(run: BulkRun, operations: readonly BatchOperation[]): Promise<BatchResult[]> {
  const starts: (() => Promise<BatchResult>)[] = [];
  for (const operation of operations) starts.push(await run.prepare(operation));
  return Promise.all(starts.map((start) => start()));
}

/** After one that failed none is tried. */
async function inTurn(run: BulkRun, operations: readonly BatchOperation[]): Promise<BatchResult[]> {
  const results: BatchResult[] = [];
  let hasFailed = false;
  for (const operation of operations) {
    const result: BatchResult = hasFailed ? failedDependency : await (await run.prepare(operation))();
    hasFailed ||= result.status >= 400;
    results.push(result);
  }
  return results;
}

class BulkRun {
  /** The one that was named; undefined where none was. */
  readonly physicalPartition: number | undefined;
  readonly #request: NosqlRequest;
  readonly #context: NosqlContext;
  readonly #container: ContainerDefinition;
  readonly #isMinimal: boolean;
  /** As it was when the request came: operations whose range is split or merged meanwhile are done wherever they belong then. */
  readonly #map: PartitionMap;
  #hundredths = 0;

  /** Throws if the partition that the client named is gone. */
  constructor(request: NosqlRequest, context: NosqlContext, container: ContainerDefinition) {
    this.#request = request;
    this.#context = context;
    this.#container = container;
    this.#isMinimal = wantsMinimal(request);
    this.#map = currentMap(context.parts.throughput.store, container.container);
    const named = namedRange(request);
    if (named === undefined) return;
    this.physicalPartition = this.#map.partitions.find(({ id }) => String(id) === named)?.id;
    if (this.physicalPartition === undefined) throw rangeGone(named);
  }

  get chargeRu(): RequestUnits {
    return fromHundredths(this.#hundredths);
  }

  /** What is left to do when all that can be seen without looking at items has been checked. */
  async prepare(operation: BatchOperation): Promise<() => Promise<BatchResult>> {
    try {
      const partitionKey = this.#keyOf(operation);
      const target = this.#targetOf(partitionKey);
      const step = await stepOf(this.#context, this.#container, operation, partitionKey);
      return () => this.#run(target, step, operation.wantsMinimal);
    } catch (error) {
      const result = this.#failed(error);
      return () => Promise.resolve(result);
    }
  }

  async #run(target: ItemTarget, step: ItemStep, wantsMinimal: boolean): Promise<BatchResult> {
    const traits = traitsOf(this.#request, 'batch');
    try {
      const outcome = await transactItems(this.#context.parts, {
        steps: [step],
        traits,
        isBatch: false,
        ...target,
      });
      this.#hundredths += hundredthsOf(outcome.chargeRu);
      const [result] = outcome.results;
      if (result === undefined) throw new RingfoldError('internal-error');
      return resultOfStep(this.#container, result, this.#isMinimal || wantsMinimal);
    } catch (error) {
      return this.#failed(error);
    }
  }

  #failed(error: unknown): BatchResult {
    if (!(error instanceof RingfoldError)) throw error;
    this.#hundredths += hundredthsOf(chargeOfFailure(error));
    return resultOfError(error);
  }

  #targetOf(partitionKey: readonly JsonKeyComponent[]): ItemTarget {
    const container = this.#container;
    const target = { container, partitionKey, logicalPartition: logicalPartitionOf(container, partitionKey) };
    if (this.physicalPartition !== undefined)
      refuseOtherRange(this.#map, target, String(this.physicalPartition));
    return target;
  }

  #keyOf({ partitionKey }: BatchOperation): readonly JsonKeyComponent[] {
    const text = partitionKey ?? headerOf(this.#request, 'x-ms-documentdb-partitionkey');
    if (text === undefined) throw missingPartitionKey();
    refuseOtherKey(this.#request.principal, text);
    const components = parsePartitionKey(text, this.#container);
    if (components.length !== this.#container.partitionKeyPaths.length) throw keyNotOfContainer();
    return components;
  }
}

/** What would be read beyond the limit is asked for again by clients, in smaller lots. */
function withinLimit(results: readonly BatchResult[]): readonly BatchResult[] {
  let bytes = 0;
  return results.map((result) => {
    bytes += result.text.length;
    if (bytes <= MAX_ANSWER_BYTES) return result;
    bytes -= result.text.length;
    // What was written stays written, and only its text is left out.
    if (result.short !== undefined) return { ...result, text: result.short };
    return resultOfError(answerTooLarge());
  });
}
