import { RingfoldError } from '../errors/ringfold-error.ts';
import { fromHundredths, hundredthsOf, type RequestUnits } from './request-units.ts';

/** The failure, with what was spent before it and by it added to what it says of that already: clients are told, as after a success. */
export function chargedFailure(error: unknown, chargeRu: RequestUnits): unknown {
  if (!(error instanceof RingfoldError) || chargeRu === 0) return error;
  const total = fromHundredths(hundredthsOf(chargeRu) + hundredthsOf(chargeOfFailure(error)));
  return new RingfoldError(error.code, { ...error.details, chargeRu: total }, error);
}

/** Request units that were spent before it failed. */
export function chargeOfFailure(error: unknown): RequestUnits {
  const charge = error instanceof RingfoldError ? error.details['chargeRu'] : undefined;
  return (typeof charge === 'number' ? charge : 0) as RequestUnits;
}
