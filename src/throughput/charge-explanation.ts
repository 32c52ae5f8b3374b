// A charge taken apart, in words. The parts add up to the charge to the hundredth, as the client was told it.

import { hundredth, type Price, roundedHundredths } from './price.ts';
import { type ChargePartName, type PartListener, type PriceList, priceOfWork } from './request-charge.ts';
import { fromHundredths, type RequestUnits } from './request-units.ts';
import type { WorkDone } from './work-done.ts';

export interface ChargePart {
  readonly name: ChargePartName;
  readonly text: string;
  readonly chargeRu: RequestUnits;
}

/** Collects one request's parts. Parts of one name are one, however many members of a batch they come from. */
export class ChargeExplanation {
  readonly #totals = new Map<ChargePartName, PartTotal>();

  /** Returns the work's charge, the same that `requestCharge` gives. */
  add(work: WorkDone, prices: PriceList): RequestUnits {
    const parts = new PricedParts();
    const hundredths = roundedHundredths(priceOfWork(work, prices, parts));
    const shares = shareHundredths(
      hundredths,
      parts.list.map(({ price }) => price / hundredth),
    );
    parts.list.forEach(({ name, count, bytes }, index) => {
      const total = this.#totals.get(name) ?? { count: 0, bytes: 0, hundredths: 0 };
      total.count += count;
      total.bytes += bytes;
      total.hundredths += shares[index] ?? 0;
      this.#totals.set(name, total);
    });
    return fromHundredths(hundredths);
  }

  /** In the order in which the work was priced. */
  get parts(): readonly ChargePart[] {
    return [...this.#totals].map(([name, { count, bytes, hundredths }]) => ({
      name,
      text: texts[name](count, bytes),
      chargeRu: fromHundredths(hundredths),
    }));
  }

  /** To stand behind the charge in a sentence; empty where it is nothing. */
  get text(): string {
    const texts = this.parts.map(({ text, chargeRu }) => `${chargeRu} for ${text}`);
    return texts.length === 0 ? '' : ` (${texts.join(', ')})`;
  }
}

/** What stands behind the charge of one piece of work in a sentence. */
export function explainedText(work: WorkDone, prices: PriceList): string {
  const explanation = new ChargeExplanation();
  explanation.add(work, prices);
  return explanation.text;
}

interface PartTotal {
  count: number;
  bytes: number;
  hundredths: number;
}

class PricedParts implements PartListener {
  readonly list: { name: ChargePartName; count: number; bytes: number; price: Price }[] = [];

  part(name: ChargePartName, count: number, bytes: number, price: Price): void {
    this.list.push({ name, count, bytes, price });
  }
}

/**
 * Rounds amounts to whole hundredths that add up to the total, which is their sum rounded: each is rounded down, and those
 * that lost most get one back.
 */
function shareHundredths(totalHundredths: number, amounts: readonly number[]): number[] {
  const shares = amounts.map(Math.floor);
  const missing = totalHundredths - shares.reduce((sum, share) => sum + share, 0);
  const lost = amounts.map((amount, index) => ({ index, by: amount - Math.floor(amount) }));
  lost.sort((one, other) => other.by - one.by || one.index - other.index);
  for (const { index } of lost.slice(0, missing)) shares[index] = (shares[index] ?? 0) + 1;
  return shares;
}

type PartText = (count: number, bytes: number) => string;

const texts: Readonly<Record<ChargePartName, PartText>> = {
  'item-read': (count, bytes) => `${items(count, bytes)} read`,
  'nothing-read': () => 'a look that found nothing to send',
  'second-replica': () => 'the same again at a second replica, for the consistency level',
  'item-created': (count, bytes) => `${items(count, bytes)} created`,
  'old-item-removed': (count, bytes) => `${items(count, bytes)} taken away to be replaced`,
  'new-item-stored': (count, bytes) => `${items(count, bytes)} stored in place`,
  'item-deleted': (count, bytes) => `${items(count, bytes)} deleted`,
  'write-not-applied': (count, bytes) => `${counted(count, 'write')} not applied, ${kb(bytes)} looked at`,
  'serial-read': (count, bytes) => `${counted(count, 'look')} at two replicas for IF, ${kb(bytes)}`,
  'index-terms': (count) => `${counted(count, 'index term')} changed`,
  properties: (count) => `${counted(count, 'property', 'properties')} indexed`,
  'patch-operations': (count) => counted(count, 'patch operation'),
  'partitions-visited': (count) => `${counted(count, 'physical partition')} visited`,
  'items-loaded': (count, bytes) => `${items(count, bytes)} loaded`,
  'items-returned': (count, bytes) => `${items(count, bytes)} returned`,
  'extra-seeks': (count) => `${counted(count, 'index lookup')} after the first`,
  'index-terms-scanned': (count) => `${counted(count, 'index term')} scanned`,
  'join-tuples': (count) => `${counted(count, 'tuple')} joined`,
  'udf-calls': (count) => `${counted(count, 'call')} of user-defined functions`,
  'batch-call': () => 'the batch itself',
  'stored-procedure-call': () => 'the stored procedure itself',
  'rejected-request': () => 'a request that was not valid',
};

function items(count: number, bytes: number): string {
  if (bytes === 0) return counted(count, 'item');
  return count === 1 ? `1 item of ${kb(bytes)}` : `${grouped(count)} items with ${kb(bytes)}`;
}

function kb(bytes: number): string {
  return `${grouped(Math.round((bytes / 1024) * 100) / 100)} KB`;
}

function counted(count: number, singular: string, plural = `${singular}s`): string {
  return `${grouped(count)} ${count === 1 ? singular : plural}`;
}

function grouped(value: number): string {
  return value.toLocaleString('en-US');
}
