/** A promise of the store that a run has seen broken. */
export class Violation extends Error {
  readonly rule: string;

  constructor(rule: string, seen: string) {
    super(`${rule}: ${seen}`);
    this.name = 'Violation';
    this.rule = rule;
  }
}
