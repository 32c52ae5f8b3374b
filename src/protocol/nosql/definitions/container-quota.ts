// Headers and statistics about how much a container holds and may hold, for clients that ask for them.

import type { ContainerDefinition, JsonObject } from '../../../catalog/nosql/nosql-definitions.ts';
import {
  containerFigures,
  type PartitionFigures,
} from '../../../execution/nosql/definitions/container-figures.ts';
import { shownComponents } from '../../../execution/nosql/named-container.ts';
import { MAX_PHYSICAL_PARTITION_BYTES } from '../../../partitioning/partition-limits.ts';
import { readJsonPartitionKey } from '../../../partitioning/read-json-partition-key.ts';
import type { NosqlContext } from '../nosql-context.ts';
import type { NosqlRequest, NosqlResponse } from '../nosql-message.ts';
import { isAsked } from '../request-options.ts';

/** What is added to the answer. */
export interface ContainerQuota {
  readonly headers: NosqlResponse['headers'];
  readonly shown: JsonObject;
}

/** Scripts that a container may have: Microsoft's concepts-limits page. */
const scriptLimits = { functions: 50, storedProcedures: 100, triggers: 25 } as const;
const maxItemKb = 2 * 1_024;

/** Undefined for who does not ask: the items are not counted then. */
export function quotaAsked(
  request: NosqlRequest,
  context: NosqlContext,
  container: ContainerDefinition,
): Promise<ContainerQuota> | undefined {
  const wantsQuota = isAsked(request, 'x-ms-documentdb-populatequotainfo');
  const wantsStatistics = isAsked(request, 'x-ms-documentdb-populatepartitionstatistics');
  if (!wantsQuota && !wantsStatistics) return undefined;
  return containerFigures(context.parts, container).then((figures) => ({
    headers: wantsQuota
      ? quotaHeaders(container, figures, String(context.parts.index.progressOf(container.container)))
      : {},
    shown: wantsStatistics ? { statistics: figures.map(statisticsOf) } : {},
  }));
}

function quotaHeaders(
  container: ContainerDefinition,
  figures: readonly PartitionFigures[],
  progress: string,
): NosqlResponse['headers'] {
  const sum = (of: (each: PartitionFigures) => number) =>
    figures.reduce((total, each) => total + of(each), 0);
  const limitKb = (MAX_PHYSICAL_PARTITION_BYTES / 1_024) * figures.length;
  const documentsSize = kilobytes(sum(({ itemBytes }) => itemBytes));
  return {
    'x-ms-resource-quota': listed({
      ...scriptLimits,
      documentSize: maxItemKb,
      documentsSize: limitKb,
      documentsCount: -1,
      collectionSize: limitKb,
    }),
    'x-ms-resource-usage': listed({
      functions: container.userDefinedFunctions.size,
      storedProcedures: container.storedProcedures.size,
      triggers: container.triggers.size,
      documentSize: 0,
      documentsSize,
      documentsCount: sum(({ items }) => items),
      collectionSize: kilobytes(sum(({ storedBytes }) => storedBytes)),
    }),
    'x-ms-documentdb-collection-index-transformation-progress': progress,
    ...(isLazy(container) ? { 'x-ms-documentdb-collection-lazy-indexing-progress': progress } : {}),
  };
}

function isLazy({ shown }: ContainerDefinition): boolean {
  return (shown['indexingPolicy'] as JsonObject)['indexingMode'] === 'lazy';
}

function statisticsOf({ id, items, storedBytes, logicalPartitions, largest }: PartitionFigures): JsonObject {
  return {
    id: String(id),
    sizeInKB: kilobytes(storedBytes),
    documentCount: items,
    sampledDistinctPartitionKeyCount: logicalPartitions,
    partitionKeys: largest.map(({ key, bytes }) => ({
      partitionKey: shownComponents(readJsonPartitionKey(key)),
      sizeInKB: kilobytes(bytes),
    })),
  };
}

function kilobytes(bytes: number): number {
  return Math.ceil(bytes / 1_024);
}

function listed(figures: Readonly<Record<string, number>>): string {
  return Object.entries(figures)
    .map(([name, figure]) => `${name}=${figure};`)
    .join('');
}
