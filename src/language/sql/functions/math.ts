import { finite, type SqlFunction, type SqlFunctions, strict } from '../sql-function.ts';

export const mathFunctions: SqlFunctions = {
  ABS: ofOne(Math.abs),
  ACOS: ofOne(Math.acos),
  ASIN: ofOne(Math.asin),
  ATAN: ofOne(Math.atan),
  ATN2: ofTwo(Math.atan2),
  CEILING: ofOne(Math.ceil),
  COS: ofOne(Math.cos),
  COT: ofOne((x) => 1 / Math.tan(x)),
  DEGREES: ofOne((x) => (x * 180) / Math.PI),
  EXP: ofOne(Math.exp),
  FLOOR: ofOne(Math.floor),
  LOG: strict(1, 2, ([x, base]) => {
    if (typeof x !== 'number') return undefined;
    if (base === undefined) return finite(Math.log(x));
    if (base === 10) return finite(Math.log10(x));
    return typeof base === 'number' ? finite(Math.log(x) / Math.log(base)) : undefined;
  }),
  LOG10: ofOne(Math.log10),
  NUMBERBIN: strict(1, 2, ([x, bin = 1]) => {
    if (typeof x !== 'number' || typeof bin !== 'number' || bin === 0) return undefined;
    return finite(Math.floor(x / bin) * bin);
  }),
  PI: strict(0, 0, () => Math.PI),
  POWER: ofTwo((x, y) => x ** y),
  RADIANS: ofOne((x) => (x * Math.PI) / 180),
  RAND: strict(0, 0, (_given, { random }) => random()),
  // Half goes away from zero; JavaScript's own goes up.
  ROUND: ofOne((x) => Math.sign(x) * Math.round(Math.abs(x))),
  SIGN: ofOne(Math.sign),
  SIN: ofOne(Math.sin),
  SQRT: ofOne(Math.sqrt),
  SQUARE: ofOne((x) => x * x),
  TAN: ofOne(Math.tan),
  TRUNC: ofOne(Math.trunc),
};

function ofOne(compute: (x: number) => number): SqlFunction {
  return strict(1, 1, ([x]) => (typeof x === 'number' ? finite(compute(x)) : undefined));
}

function ofTwo(compute: (x: number, y: number) => number): SqlFunction {
  return strict(2, 2, ([x, y]) =>
    typeof x === 'number' && typeof y === 'number' ? finite(compute(x, y)) : undefined,
  );
}
