import type { IndexUse } from '../../language/sql/index-use.ts';
import type { NosqlRequest } from './nosql-message.ts';
import { isAsked } from './request-options.ts';

/**
 * `x-ms-cosmos-index-utilization`, where it is asked for: what of the container's policy answers to the query. JS and .NET ask for
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

function secondForm({ used, wanted, composite }: IndexUse): unknown {
  const singles = (specs: readonly string[]) => specs.map((spec) => ({ IndexSpec: spec }));
  return {
    UtilizedIndexes: {
      SingleIndexes: singles(used),
      CompositeIndexes: composite.length === 0 ? [] : [{ IndexSpecs: composite }],
    },
    PotentialIndexes: { SingleIndexes: singles(wanted), CompositeIndexes: [] },
  };
}

function firstForm({ used, wanted, composite }: IndexUse): unknown {
  const facts = {
    FilterExpression: '',
    FilterPreciseSet: true,
    IndexPreciseSet: true,
    IndexImpactScore: 'High',
  };
  const singles = (specs: readonly string[]) => specs.map((spec) => ({ ...facts, IndexSpec: spec }));
  return {
    UtilizedSingleIndexes: singles(used),
    PotentialSingleIndexes: singles(wanted),
    UtilizedCompositeIndexes:
      composite.length === 0
        ? []
        : [{ IndexSpecs: composite, IndexPreciseSet: true, IndexImpactScore: 'High' }],
    PotentialCompositeIndexes: [],
  };
}
