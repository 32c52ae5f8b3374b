declare const unit: unique symbol;

/**
 * A charge in request units, always whole hundredths: as the wire carries it, as budgets are spent and as bills are added
 * up, so that the three never differ. Rates (RU/s) are plain numbers.
 */
export type RequestUnits = number & { readonly [unit]: true };

/** Sums of charges are made in hundredths: they are whole numbers, so no order of adding changes the result. */
export function hundredthsOf(charge: RequestUnits): number {
  return Math.round(charge * 100);
}

export function fromHundredths(hundredths: number): RequestUnits {
  return (hundredths / 100) as RequestUnits;
}
