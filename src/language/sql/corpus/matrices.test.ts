import assert from 'node:assert/strict';
import { test } from 'node:test';
import { functionNames } from '../built-in-functions.ts';
import { answerTo } from './expression-answer.samples.ts';
import { ascending, checkedValues, operands, operatorMatrices, typeCheckRows } from './matrix.samples.ts';
import { sampleLines } from './sample-lines.ts';
import { arities, othersThan, wrongTypeSamples } from './wrong-types.samples.ts';

interface Case {
  readonly asked: string;
  readonly answer: string;
}

const letters: Readonly<Record<string, string>> = { T: 'true', F: 'false', '-': 'undefined' };

function wrongTypeCases(): readonly Case[] {
  return sampleLines(wrongTypeSamples).flatMap(({ asked, answer }) => {
    const at = asked.lastIndexOf(' ');
    const others = othersThan[asked.slice(at + 1)];
    assert(others !== undefined && asked.includes('¿'), asked);
    return others.map((other) => ({ asked: asked.slice(0, at).replace('¿', other), answer }));
  });
}

function matrixCases(): readonly Case[] {
  return Object.entries(operatorMatrices).flatMap(([operator, rows]) =>
    rows.flatMap((row, left) =>
      [...row].map((letter, right) => ({
        asked: `${operands[left]} ${operator} ${operands[right]}`,
        answer: letters[letter] as string,
      })),
    ),
  );
}

/** What is between two values is known from the order of both with it. */
function mirroredCases(): readonly Case[] {
  return (operatorMatrices['<'] ?? []).flatMap((row, left) =>
    [...row].flatMap((letter, right) => [
      { asked: `${operands[right]} > ${operands[left]}`, answer: letters[letter] as string },
      { asked: `NOT (${operands[left]} < ${operands[right]})`, answer: negated(letter) },
    ]),
  );
}

function negated(letter: string): string {
  return letter === '-' ? 'undefined' : letter === 'T' ? 'false' : 'true';
}

function typeCheckCases(): readonly Case[] {
  return typeCheckRows
    .trim()
    .split('\n')
    .flatMap((row) => {
      const [name, answers = ''] = row.split(' ');
      return checkedValues.map((value, at) => ({
        asked: `${name}(${value})`,
        answer: letters[answers[at] ?? ''] as string,
      }));
    });
}

function arityRows(): readonly (readonly [name: string, least: number, most: number])[] {
  return arities
    .trim()
    .split(/,\s*/)
    .map((row) => {
      const [name = '', least, most] = row.split(' ');
      return [name, Number(least), most === '*' ? Number.POSITIVE_INFINITY : Number(most)];
    });
}

function arityCases(): readonly Case[] {
  const call = (name: string, count: number): Case => ({
    asked: `${name}(${Array.from({ length: count }, () => '1').join(', ')})`,
    answer: 'error SC2050',
  });
  return arityRows().flatMap(([name, least, most]) => [
    ...(least > 0 ? [call(name, least - 1)] : []),
    ...(Number.isFinite(most) ? [call(name, most + 1)] : []),
  ]);
}

function orderCases(): readonly Case[] {
  return ascending.flatMap((value, at) => {
    const next = ascending[at + 1];
    if (next === undefined) return [];
    const both = `FROM x IN [${next}, ${value}]`;
    const [low, high] = [JSON.stringify(JSON.parse(value)), JSON.stringify(JSON.parse(next))];
    return [
      { asked: `ARRAY(SELECT VALUE x ${both} ORDER BY x)`, answer: `[${low},${high}]` },
      { asked: `(SELECT VALUE MIN(x) ${both})`, answer: low },
      { asked: `(SELECT VALUE MAX(x) ${both})`, answer: high },
      { asked: `ARRAY_MIN([${next}, ${value}])`, answer: low },
      { asked: `ARRAY_MAX([${next}, ${value}])`, answer: high },
    ];
  });
}

const families: Readonly<Record<string, readonly Case[]>> = {
  'a function or operator with undefined, null or a wrong type': wrongTypeCases(),
  'comparisons and logic of every two types': [...matrixCases(), ...mirroredCases()],
  'type checks of every type': typeCheckCases(),
  'a function with too few or too many arguments': arityCases(),
  'the order of all values': orderCases(),
};

for (const [family, cases] of Object.entries(families)) {
  test(`${family} is as the language reference says (${cases.length} cases)`, () => {
    const wrong = cases
      .map(({ asked, answer }) => ({ asked, answer, got: answerTo(asked) }))
      .filter(({ answer, got }) => got !== answer);
    assert.deepEqual(wrong, []);
  });
}

test('the tables leave out no function', () => {
  const named = new Set(arityRows().map(([name]) => name));
  assert.deepEqual(
    functionNames.filter((name) => !name.startsWith('_') && !named.has(name)),
    [],
  );
  const tried = `${wrongTypeSamples}\n${typeCheckRows}`;
  const untried = [...named].filter(
    (name) => !takesAnything.has(name) && !new RegExp(`\\b${name}[( ]`).test(tried),
  );
  assert.deepEqual(untried, []);
});

/** No argument, or one of any type. */
const takesAnything: ReadonlySet<string> = new Set([
  'PI',
  'RAND',
  'TOSTRING',
  'COUNT',
  'MAKELIST',
  'MAKESET',
  'MIN',
  'MAX',
  'ST_ISVALID',
  'ST_ISVALIDDETAILED',
  'GETCURRENTDATETIME',
  'GETCURRENTTICKS',
  'GETCURRENTTIMESTAMP',
  'GETCURRENTDATETIMESTATIC',
  'GETCURRENTTICKSSTATIC',
  'GETCURRENTTIMESTAMPSTATIC',
]);
