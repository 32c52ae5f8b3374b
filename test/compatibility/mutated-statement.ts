// A good statement with one thing changed, mostly into a bad one: what the two servers answer to it is compared too.

import type { RandomChoice } from './random-choice.ts';
import type { RandomStatement } from './random-statement.ts';
import type { RandomTable } from './random-table.ts';
import { randomFrozenType, randomValue } from './random-value.ts';

const word =
  /[\da-f]{8}-[\da-f-]{27}|'(?:[^']|'')*'|"(?:[^"]|"")*"|[A-Za-z_]\w*|-?\d[\w.+-]*|[<>!+-]=|\.\.|\S/g;
const operators = new Set(['=', '<', '>', '<=', '>=', '!=', '+', '-', '*', '/', '+=', '-=']);

export function mutatedStatement(
  choice: RandomChoice,
  table: RandomTable,
  { text }: RandomStatement,
): RandomStatement {
  const words = text.match(word) ?? [];
  for (let changes = choice.one([1, 1, 2]); changes > 0; changes--) {
    const at = choice.integer(0, words.length - 1);
    choice.weighted([
      [2, () => words.splice(at, 1)],
      [1, () => words.splice(at, choice.integer(2, 4))],
      [1, () => words.splice(at, 0, words[at] ?? '')],
      [2, () => words.splice(operatorNear(words, at), 1, choice.one([...operators]))],
      [
        3,
        () =>
          words.splice(
            nameNear(table, words, at),
            1,
            choice.one([...table.columns.map(({ name }) => name), 'zz']),
          ),
      ],
      [
        3,
        () =>
          words.splice(
            valueNear(words, at),
            1,
            randomValue(choice, randomFrozenType(choice, table.types, 1)).text,
          ),
      ],
    ]);
  }
  return { text: words.join(' ') };
}

function nearest(words: readonly string[], from: number, suits: (found: string) => boolean): number {
  for (let step = 0; step < words.length; step++) {
    const at = (from + step) % words.length;
    if (suits(words[at] ?? '')) return at;
  }
  return from;
}

function operatorNear(words: readonly string[], from: number): number {
  return nearest(words, from, (found) => operators.has(found));
}

function nameNear(table: RandomTable, words: readonly string[], from: number): number {
  return nearest(words, from, (found) => table.columns.some(({ name }) => name === found));
}

function valueNear(words: readonly string[], from: number): number {
  return nearest(words, from, (found) => /^['\d-]/.test(found) && !operators.has(found));
}
