// Answers by rows and columns: T true, F false, - undefined.

export const operands: readonly string[] = [
  'undefined',
  'null',
  'false',
  'true',
  '1',
  '2',
  '"a"',
  '"b"',
  '[1]',
  '[2]',
  '{"a": 1}',
  '{}',
];

/**
 * The left operand by row, the right one by column, in the order above. Across types things are neither equal nor in
 * an order, but they are different; arrays and objects have no order among themselves.
 */
export const operatorMatrices: Readonly<Record<string, readonly string[]>> = {
  '=': [
    '------------',
    '-T----------',
    '--TF--------',
    '--FT--------',
    '----TF------',
    '----FT------',
    '------TF----',
    '------FT----',
    '--------TF--',
    '--------FT--',
    '----------TF',
    '----------FT',
  ],
  '!=': [
    '------------',
    '-FTTTTTTTTTT',
    '-TFTTTTTTTTT',
    '-TTFTTTTTTTT',
    '-TTTFTTTTTTT',
    '-TTTTFTTTTTT',
    '-TTTTTFTTTTT',
    '-TTTTTTFTTTT',
    '-TTTTTTTFTTT',
    '-TTTTTTTTFTT',
    '-TTTTTTTTTFT',
    '-TTTTTTTTTTF',
  ],
  '<': [
    '------------',
    '-F----------',
    '--FT--------',
    '--FF--------',
    '----FT------',
    '----FF------',
    '------FT----',
    '------FF----',
    '------------',
    '------------',
    '------------',
    '------------',
  ],
  '>=': [
    '------------',
    '-T----------',
    '--TF--------',
    '--TT--------',
    '----TF------',
    '----TT------',
    '------TF----',
    '------TT----',
    '------------',
    '------------',
    '------------',
    '------------',
  ],
  AND: [
    '--F---------',
    '--F---------',
    'FFFFFFFFFFFF',
    '--FT--------',
    '--F---------',
    '--F---------',
    '--F---------',
    '--F---------',
    '--F---------',
    '--F---------',
    '--F---------',
    '--F---------',
  ],
  OR: [
    '---T--------',
    '---T--------',
    '--FT--------',
    'TTTTTTTTTTTT',
    '---T--------',
    '---T--------',
    '---T--------',
    '---T--------',
    '---T--------',
    '---T--------',
    '---T--------',
    '---T--------',
  ],
};

export const checkedValues: readonly string[] = [
  'undefined',
  'null',
  'true',
  '1',
  '1.5',
  '"a"',
  '"2024-02-29T10:20:30Z"',
  '[1]',
  '{"a": 1}',
];

/** Of the values above, in their order. Nothing is undefined: what is not there is an answer. */
export const typeCheckRows: string = `
IS_ARRAY FFFFFFFTF
IS_BOOL FFTFFFFFF
IS_BOOLEAN FFTFFFFFF
IS_DATETIME FFFFFFTFF
IS_DEFINED FTTTTTTTT
IS_FINITE_NUMBER FFFTTFFFF
IS_INTEGER FFFTFFFFF
IS_NULL FTFFFFFFF
IS_NUMBER FFFTTFFFF
IS_OBJECT FFFFFFFFT
IS_PRIMITIVE FTTTTTTFF
IS_STRING FFFFFTTFF
`;

/** By ORDER BY, all of them in one order, and each once more as what MIN and MAX choose from. */
export const ascending: readonly string[] = [
  'null',
  'false',
  'true',
  '-1.5',
  '0',
  '10',
  '""',
  '"A"',
  '"B"',
  '"a"',
  '"aa"',
  '"\\u00e9"',
  '"\\uffff"',
  '"\\ud83d\\ude00"',
];
