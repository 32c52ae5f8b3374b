import type { BoundValue } from '../../../execution/cql/statement-request.ts';
import type { Clock } from '../../../foundation/clock.ts';
import type { Bindings } from '../expressions/typed-term.ts';

/** What one run evaluates its terms with. The moment is asked for only if a term does, and is the same for all that do. */
export class RunBindings implements Bindings {
  readonly values: readonly BoundValue[];
  readonly #clock: Clock;
  #nowMicros: bigint | undefined;

  constructor(values: readonly BoundValue[], clock: Clock) {
    this.values = values;
    this.#clock = clock;
  }

  get nowMicros(): bigint {
    this.#nowMicros ??= BigInt(this.#clock.microseconds());
    return this.#nowMicros;
  }
}
