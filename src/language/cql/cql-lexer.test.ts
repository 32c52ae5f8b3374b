import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { lexCql, lexCqlWithHidden } from './cql-lexer.ts';

/** Kinds and texts without the end, as one line. */
function lexed(source: string): string {
  const tokens = lexCql(source);
  assert.equal(tokens.error, undefined, source);
  return tokens.kinds
    .slice(0, -1)
    .map((kind, index) => `${kind}|${tokens.textAt(index)}`)
    .join(' ');
}

function refusal(source: string): string | undefined {
  return lexCql(source).error?.reason;
}

test('a keyword is known in any case, and another spelling of it has the same kind', () => {
  assert.equal(lexed('SELECT select SeLeCt'), 'select|SELECT select|select select|SeLeCt');
  assert.equal(lexed('TABLE columnfamily'), 'table|TABLE table|columnfamily');
  assert.equal(lexed('selects'), 'IDENT|selects');
});

test('strings and quoted names lose their quotes, and doubled quotes inside are one', () => {
  assert.equal(lexed("'it''s'"), "STRING_LITERAL|it's");
  assert.equal(lexed("''"), 'STRING_LITERAL|');
  assert.equal(lexed('"a""B"'), 'QUOTED_NAME|a"B');
  assert.equal(lexed('""'), 'EMPTY_QUOTED_NAME|""');
  assert.equal(lexed("$$it's $1$$"), "STRING_LITERAL|it's $1");
});

test('a minus before a digit belongs to the number', () => {
  assert.equal(lexed('x -3'), 'IDENT|x INTEGER|-3');
  assert.equal(lexed('x - 3'), 'IDENT|x -|- INTEGER|3');
  assert.equal(lexed('1-2'), 'INTEGER|1 INTEGER|-2');
});

test('integers have any size, and floats need a point or an exponent', () => {
  assert.equal(lexed('123456789012345678901234567890'), 'INTEGER|123456789012345678901234567890');
  assert.equal(lexed('1. 1.5 1e5 1.5E-3 -2.0'), 'FLOAT|1. FLOAT|1.5 FLOAT|1e5 FLOAT|1.5E-3 FLOAT|-2.0');
  assert.equal(
    lexed('nan -NaN infinity -Infinity'),
    'nan|nan -nan|-NaN infinity|infinity -infinity|-Infinity',
  );
});

test('two dots after an integer are a range', () => {
  assert.equal(lexed('1..2'), 'INTEGER|1 RANGE|.. INTEGER|2');
  assert.equal(lexed('1...2'), 'FLOAT|1. RANGE|.. INTEGER|2');
});

test('a blob may have any number of digits, none included', () => {
  assert.equal(lexed('0x 0XaB 0xabc'), 'HEXNUMBER|0x HEXNUMBER|0XaB HEXNUMBER|0xabc');
});

test('a UUID is told from numbers, words and durations that begin like it', () => {
  const uuids = [
    '123e4567-e89b-12d3-a456-426614174000',
    'abcdefab-1234-1234-1234-123456789012',
    '12345678-1234-1234-1234-123456789012',
    '1d345678-1234-1234-1234-123456789012',
    'd1345678-1234-1234-1234-123456789012',
  ];
  for (const uuid of uuids) assert.equal(lexed(uuid), `UUID|${uuid}`);
  assert.equal(lexed('abcdefab'), 'IDENT|abcdefab');
  assert.equal(lexed('1234567d'), 'DURATION|1234567d');
});

test('durations come in three forms', () => {
  for (const duration of [
    '1y2mo3w4d5h6m7s8ms9us10ns',
    '1Y2MO',
    '5µs',
    '-1h',
    'P1Y2M3DT4H5M6S',
    'PT1H',
    'P2W',
  ]) {
    assert.equal(lexed(duration), `DURATION|${duration}`);
  }
  assert.equal(lexed('P0001-01-01T01:01:01'), 'DURATION|P0001-01-01T01:01:01');
  assert.equal(lexed('P1Yx p1y PT'), 'IDENT|P1Yx IDENT|p1y IDENT|PT');
});

test('comments and spaces are between tokens, and an error message counts them', () => {
  const source = 'a -- b\n// c\r/* d\ne */ f';
  assert.equal(lexed(source), 'IDENT|a IDENT|f');
  assert.deepEqual(lexCqlWithHidden(source).kinds.filter((kind) => kind === 'HIDDEN').length, 5);
});

test('a comment at the end of the text needs its line feed', () => {
  assert.equal(refusal('a -- b'), "mismatched character '<EOF>' expecting set null");
  assert.equal(refusal('a /* b'), "mismatched character '<EOF>' expecting '*'");
});

test('a character that begins nothing is refused by name', () => {
  assert.equal(refusal('a # b'), "no viable alternative at character '#'");
  assert.equal(refusal('é'), "no viable alternative at character 'é'");
  assert.equal(refusal("'abc"), "mismatched character '<EOF>' expecting '''");
});

test('any text comes to an end, and its tokens follow one another', () => {
  const piece = fc.constantFrom(
    "'",
    '"',
    '$$',
    '-',
    '--',
    '/*',
    '*/',
    '0x',
    'P1',
    'd',
    'e',
    '1',
    '.',
    'µ',
    '\n',
    ' ',
    'T',
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.array(piece).map((pieces) => pieces.join('')),
      ),
      (source) => {
        const tokens = lexCql(source);
        assert.equal(tokens.kinds.at(-1), 'EOF');
        let end = 0;
        tokens.starts.forEach((start, index) => {
          assert.ok(start >= end);
          end = tokens.ends[index] ?? 0;
        });
        assert.ok(end <= source.length);
      },
    ),
  );
});
