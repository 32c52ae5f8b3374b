import type { ItemIndex } from '../../src/execution/nosql/indexes/item-index.ts';

/** For servers without any: every query looks at all items. */
export const noItemIndex: ItemIndex = {
  ready: () => Promise.resolve({ kind: 'none' }),
  progressOf: () => 100,
};
