import type { IndexUsed } from '../../execution/nosql/queries/item-source.ts';
import { textOfPath } from '../../language/sql/access/index-paths.ts';
import type { ChargeExplanation } from '../../throughput/charge-explanation.ts';

/** Ours: whoever sends it as `true` is told how the items were found, and what each part of the work cost. */
export const explainHeader = 'x-ringfold-ru-explain';

export function explanationHeader(
  explanation: ChargeExplanation | undefined,
  used: IndexUsed,
): Readonly<Record<string, string>> {
  if (explanation === undefined) return {};
  const text = JSON.stringify({ access: accessTexts(used), charge: explanation.parts });
  // Names of properties may have letters that headers have not.
  const ascii = text.replace(
    /[\u0080-\uffff]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return { [explainHeader]: ascii };
}

function accessTexts({ orders, isScanned, isBuilding }: IndexUsed): readonly string[] {
  const texts = orders.map((order) =>
    order.kind === 'path'
      ? `index ${textOfPath(order.path)}/?`
      : `composite index ${order.paths.map(({ names, order: direction }) => `${textOfPath(names)} ${direction}`).join(', ')}`,
  );
  if (isScanned) texts.push(isBuilding ? 'scan, because the index is being built' : 'scan');
  return texts;
}
