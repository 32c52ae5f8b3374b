import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseCqlJson, printCqlJson } from './cql-json.ts';
import { parseCqlText, printCqlLiteral, printCqlText } from './cql-text.ts';
import { type CqlType, printCqlType } from './cql-type.ts';
import { parseTypeClass, printTypeClass } from './cql-type-class.ts';
import { validateCqlValue } from './cql-validation.ts';
import { type ValueVectors, valueVectors } from './cql-values.vectors.ts';
import { reasonOf } from './invalid-value.ts';

const packageName = 'org.apache.cassandra.db.marshal.';

const answer: Readonly<
  Record<ValueVectors['asked'], (type: CqlType, given: string, reversed: boolean) => string>
> = {
  validate: (type, given) => {
    validateCqlValue(type, bytesOf(given));
    return 'ok';
  },
  json: (type, given) => printCqlJson(type, bytesOf(given)),
  text: (type, given) => printCqlText(type, bytesOf(given)),
  literal: (type, given) => printCqlLiteral(type, bytesOf(given)),
  name: (type, _given, reversed) => {
    const className = printTypeClass(type);
    return `${printCqlType(type)} | ${reversed ? `${packageName}ReversedType(${className})` : className}`;
  },
  parse: (type, given) => `=${parseCqlText(type, given, 0n).toString('hex')}`,
  fromjson: (type, given) => `=${parseCqlJson(type, given, 0n)?.toString('hex')}`,
};

function bytesOf(hex: string): Buffer {
  return Buffer.from(hex, 'hex');
}

function ask(asked: ValueVectors['asked'], typeClass: string, given: string): string {
  const { type, reversed } = parseTypeClass(typeClass);
  try {
    return answer[asked](type, given, reversed);
  } catch (error) {
    return `!${reasonOf(error)}`;
  }
}

const titles: Readonly<Record<ValueVectors['asked'], string>> = {
  validate: 'bytes are refused exactly where Cassandra refuses them, in its words',
  json: 'values are printed in JSON as Cassandra prints them',
  text: 'values are cast to text as Cassandra casts them',
  literal: 'values are printed as CQL as Cassandra prints them',
  name: 'types have the names Cassandra has for them, in CQL and in Java',
  parse: 'text becomes the bytes that Cassandra makes of it, or the same refusal',
  fromjson: 'JSON becomes the bytes that Cassandra makes of it, or the same refusal',
};

for (const [asked, title] of Object.entries(titles)) {
  test(title, () => {
    const groups = valueVectors.filter((group) => group.asked === asked);
    assert.ok(groups.length > 0);
    for (const { type, answers } of groups) {
      for (const [given, expected] of answers)
        assert.equal(ask(asked as ValueVectors['asked'], type, given), expected, `${type} ${given}`);
    }
  });
}

// Cassandra lets these pass and fails when it reads them, or fails with an error of its own machinery.
test('bytes that no reader could read are refused, though Cassandra takes them or breaks', () => {
  const refused: readonly (readonly [string, string])[] = [
    ['DecimalType', '00000000'],
    ['FrozenType(ListType(Int32Type))', 'ffffffff'],
    ['FrozenType(SetType(UTF8Type))', 'ffffffff'],
    ['FrozenType(MapType(Int32Type,UTF8Type))', '80000000'],
    ['DurationType', 'ff000000000000000000'],
    ['DurationType', '00f200000000'],
    ['VectorType(UTF8Type , 2)', '016101'],
    ['VectorType(UTF8Type , 2)', 'ffffffff0000000161'],
    ['VectorType(ShortType , 2)', '3f800000400000003f80000040000000'],
  ];
  for (const [typeClass, hex] of refused)
    assert.match(ask('validate', typeClass, hex), /^!(Expected|The data|Not enough)/, `${typeClass} ${hex}`);
});
