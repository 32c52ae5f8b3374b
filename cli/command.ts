/** One verb of the command line. */
export interface Command {
  readonly name: string;
  readonly usage: string;
  /** One line for the overview. */
  readonly summary: string;
  readonly help: () => string;
  /** Resolves with the exit code; what it throws is printed and exits with 1. */
  readonly run: (commandArguments: readonly string[]) => Promise<number>;
}

/** What a command says instead of doing its work: shown without a stack. */
export class CommandFailure extends Error {}
