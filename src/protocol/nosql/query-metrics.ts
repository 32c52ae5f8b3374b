import type { QueryFigures } from '../../execution/nosql/queries/page-work.ts';
import type { QueryTimes } from '../../execution/nosql/queries/run-query.ts';

/** As clients read it: names and numbers, no semicolon at the end. Stages that this server does not have took no time. */
export function queryMetrics(
  figures: QueryFigures,
  { sourceMs, indexMs }: QueryTimes,
  compileMs: number,
  totalMs: number,
): string {
  const { itemsLoaded, bytesLoaded, itemsReturned, bytesReturned } = figures;
  const ratio = itemsLoaded === 0 ? 1 : Math.min(itemsReturned / itemsLoaded, 1);
  const metrics: readonly (readonly [string, number])[] = [
    ['totalExecutionTimeInMs', totalMs],
    ['queryCompileTimeInMs', compileMs],
    ['queryLogicalPlanBuildTimeInMs', 0],
    ['queryPhysicalPlanBuildTimeInMs', 0],
    ['queryOptimizationTimeInMs', 0],
    ['VMExecutionTimeInMs', Math.max(totalMs - compileMs - sourceMs, 0)],
    ['indexLookupTimeInMs', indexMs],
    ['documentLoadTimeInMs', Math.max(sourceMs - indexMs, 0)],
    ['systemFunctionExecuteTimeInMs', 0],
    ['userFunctionExecuteTimeInMs', 0],
    ['retrievedDocumentCount', itemsLoaded],
    ['retrievedDocumentSize', bytesLoaded],
    ['outputDocumentCount', itemsReturned],
    ['outputDocumentSize', bytesReturned],
    ['writeOutputTimeInMs', 0],
    ['indexUtilizationRatio', ratio],
  ];
  return metrics
    .map(([name, value]) => `${name}=${Number.isInteger(value) ? value : value.toFixed(2)}`)
    .join(';');
}
