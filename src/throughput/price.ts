declare const price: unique symbol;

/**
 * What a piece of work costs before the charge is rounded: whole ten-thousandths of an RU. Whole numbers add up the same in
 * any order, and V8 hands small ones from function to function without allocating, which it does not do with fractions.
 */
export type Price = number & { readonly [price]: true };

export const free: Price = 0 as Price;
export const hundredth: Price = 100 as Price;

export function priceInRu(ru: number): Price {
  return Math.round(ru * 10_000) as Price;
}

/** `quantity` need not be whole: KB of a query's result. */
export function times(price: Price, quantity: number): Price {
  return Math.round(price * quantity) as Price;
}

export function plus(one: Price, other: Price): Price {
  return (one + other) as Price;
}

/** To the nearest hundredth of an RU. */
export function roundedHundredths(price: Price): number {
  return Math.round(price / hundredth);
}
