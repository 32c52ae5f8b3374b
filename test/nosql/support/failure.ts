import type { ErrorResponse } from '@azure/cosmos';

/** What a request that must fail fails with. */
export async function failure(request: Promise<unknown>): Promise<ErrorResponse> {
  try {
    await request;
  } catch (error) {
    return error as ErrorResponse;
  }
  throw new Error('it did not fail');
}
