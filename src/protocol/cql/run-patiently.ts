import { RingfoldError } from '../../errors/ringfold-error.ts';
import type { StatementAnswer } from '../../execution/cql/statement-request.ts';
import type { Exchange } from './exchange.ts';

/** As long as Cosmos tries: then the client gets a timeout. */
export const patienceMs = 60_000;

/**
 * Server-side retry as Cosmos has it: a request that was refused for want of request units waits and is tried again. A refused one has done
 * nothing, so trying again is safe; batches, which may have done a part, are not tried again.
 */
export function runPatiently(
  exchange: Exchange,
  run: () => StatementAnswer | Promise<StatementAnswer>,
): StatementAnswer | Promise<StatementAnswer> {
  let answer: StatementAnswer | Promise<StatementAnswer>;
  try {
    answer = run();
  } catch (error) {
    return waitAndRun(exchange, run, error);
  }
  return answer instanceof Promise ? answer.catch((error) => waitAndRun(exchange, run, error)) : answer;
}

async function waitAndRun(
  exchange: Exchange,
  run: () => StatementAnswer | Promise<StatementAnswer>,
  error: unknown,
): Promise<StatementAnswer> {
  let refusal = error;
  while (!exchange.isAnswered) {
    const waitMs = waitOf(refusal);
    if (waitMs === undefined) throw refusal;
    exchange.trace?.event(`Refused for want of request units; trying again in ${waitMs} ms`);
    await new Promise<void>((resolve) => {
      exchange.context.scheduler.after(waitMs, resolve);
    });
    if (exchange.isAnswered) break;
    try {
      return await run();
    } catch (next) {
      refusal = next;
    }
  }
  throw refusal;
}

function waitOf(error: unknown): number | undefined {
  if (!(error instanceof RingfoldError)) return undefined;
  if (error.code !== 'throughput-exceeded' && error.code !== 'throughput-bucket-exceeded') return undefined;
  const { retryAfterMs } = error.details;
  return typeof retryAfterMs === 'number' ? Math.max(1, retryAfterMs) : 10;
}
