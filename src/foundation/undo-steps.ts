/** What was started is stopped in the opposite order, each step even when one before it failed. */
export class UndoSteps {
  readonly #steps: (() => Promise<void>)[] = [];

  add(step: () => Promise<void>): void {
    this.#steps.push(step);
  }

  /** Throws the first failure, after all steps. */
  async run(): Promise<void> {
    const failures: unknown[] = [];
    for (let step = this.#steps.pop(); step !== undefined; step = this.#steps.pop())
      await step().catch((error) => failures.push(error));
    if (failures.length > 0) throw failures[0];
  }
}
