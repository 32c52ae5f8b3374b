import type { IndexUse } from '../../language/sql/index-use.ts';
import type { NosqlRequest } from './nosql-message.ts';
import { isAsked } from './request-options.ts';

/**
 * `x-ms-cosmos-index-utilization`, where it is asked for: which indexes were read, and which were missed. JS and .NET ask for
 * the second form, percent-encoded; Python, Java and Go for the first, in base64.
 */
export function indexMetrics(
  request: Pick<NosqlRequest, 'headers'>,
  use: () => IndexUse,
): Readonly<Record<string, string>> {
  const isSecond = isAsked(request, 'x-ms-cosmos-populateindexmetrics-v2');
  if (!isSecond && !isAsked(request, 'x-ms-cosmos-populateindexmetrics')) return {};
  const value = isSecond
    ? encodeURIComponent(JSON.stringify(secondForm(use())))
    : Buffer.from(JSON.stringify(firstForm(use()))).toString('base64');
  return { 'x-ms-cosmos-index-utilization': value };
}

function secondForm({ used, usedComposites, wanted, wantedComposites }: IndexUse): unknown {
  const singles = (specs: readonly string[]) => specs.map((spec) => ({ IndexSpec: spec }));
  const composites = (lists: IndexUse['usedComposites']) => lists.map((specs) => ({ IndexSpecs: specs }));
  return {
    UtilizedIndexes: { SingleIndexes: singles(used), CompositeIndexes: composites(usedComposites) },
    PotentialIndexes: { SingleIndexes: singles(wanted), CompositeIndexes: composites(wantedComposites) },
  };
}

function firstForm({ used, usedComposites, wanted, wantedComposites }: IndexUse): unknown {
  const facts = {
    FilterExpression: '',
    FilterPreciseSet: true,
    IndexPreciseSet: true,
    IndexImpactScore: 'High',
  };
  const singles = (specs: readonly string[]) => specs.map((spec) => ({ ...facts, IndexSpec: spec }));
  const composites = (lists: IndexUse['usedComposites']) =>
    lists.map((specs) => ({ IndexSpecs: specs, IndexPreciseSet: true, IndexImpactScore: 'High' }));
  return {
    UtilizedSingleIndexes: singles(used),
    PotentialSingleIndexes: singles(wanted),
    UtilizedCompositeIndexes: composites(usedComposites),
    PotentialCompositeIndexes: composites(wantedComposites),
  };
}
