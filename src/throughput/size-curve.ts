// A price that grows with size, given at some sizes.

import { assert } from '../foundation/assert.ts';
import { type Price, priceInRu } from './price.ts';

/** A size in KB and its price in RU. */
export type Knot = readonly [kb: number, ru: number];

interface Segment {
  readonly fromKb: number;
  readonly toKb: number;
  readonly fromPrice: number;
  readonly pricePerKb: number;
}

/** Ascending segments that cover every size from nothing up. */
export type SizeCurve = readonly Segment[];

/** Straight lines between the knots. Sizes below the first cost what it costs; the last line goes on for ever. */
export function straightCurve(first: Knot, ...further: readonly Knot[]): SizeCurve {
  const segments: Segment[] = [level(0, first)];
  let [fromKb, fromRu] = first;
  for (const [toKb, toRu] of further) {
    const fromPrice = priceInRu(fromRu);
    const pricePerKb = (priceInRu(toRu) - fromPrice) / (toKb - fromKb);
    segments.push({ fromKb, toKb, fromPrice, pricePerKb });
    fromKb = toKb;
    fromRu = toRu;
  }
  return withoutEnd(segments);
}

/** Each size costs what the next knot costs; sizes above the last cost what it costs. */
export function steppedCurve(...knots: readonly Knot[]): SizeCurve {
  return withoutEnd(knots.map((knot, index) => level(knots[index - 1]?.[0] ?? 0, knot)));
}

export function priceOfSize(curve: SizeCurve, bytes: number): Price {
  const kb = bytes / 1024;
  for (let index = 0; index < curve.length; index++) {
    const { fromKb, toKb, fromPrice, pricePerKb } = curve[index] as Segment;
    if (kb <= toKb) return Math.round(fromPrice + pricePerKb * (kb - fromKb)) as Price;
  }
  assert(false, 'a curve covers every size');
}

function level(fromKb: number, [toKb, ru]: Knot): Segment {
  return { fromKb, toKb, fromPrice: priceInRu(ru), pricePerKb: 0 };
}

function withoutEnd(segments: readonly Segment[]): SizeCurve {
  return segments.map((segment, index) =>
    index === segments.length - 1 ? { ...segment, toKb: Number.POSITIVE_INFINITY } : segment,
  );
}
