import { integerBetween, SeededRandom } from '../../src/foundation/random.ts';

/** Chance for a generator of statements; the same seed gives the same statements. */
export class RandomChoice {
  readonly #random: SeededRandom;

  constructor(seed: number) {
    this.#random = new SeededRandom(seed);
  }

  /** True with this probability. */
  happens(probability: number): boolean {
    return this.#random.next() < probability;
  }

  /** Both ends included. */
  integer(low: number, high: number): number {
    return integerBetween(this.#random, low, high);
  }

  one<Item>(items: readonly Item[]): Item {
    const item = items[this.integer(0, items.length - 1)];
    if (item === undefined) throw new Error('there is nothing to choose from');
    return item;
  }

  /** In the order of `items`. */
  some<Item>(items: readonly Item[], probability = 0.5): Item[] {
    return items.filter(() => this.happens(probability));
  }

  shuffled<Item>(items: readonly Item[]): Item[] {
    return items
      .map((item) => ({ item, place: this.#random.next() }))
      .sort((a, b) => a.place - b.place)
      .map(({ item }) => item);
  }

  /** One of the makers, as often as its weight says. */
  weighted<Result>(makers: readonly (readonly [weight: number, make: () => Result])[]): Result {
    const total = makers.reduce((sum, [weight]) => sum + weight, 0);
    let rest = this.#random.next() * total;
    for (const [weight, make] of makers) {
      rest -= weight;
      if (rest < 0) return make();
    }
    throw new Error('there is nothing to choose from');
  }

  times<Result>(count: number, make: (index: number) => Result): Result[] {
    return Array.from({ length: count }, (_, index) => make(index));
  }
}
