import { RingfoldError } from '../errors/ringfold-error.ts';

/** One component of a NoSQL partition key. Undefined is an item without the property, which is not null. */
export type JsonKeyComponent = string | number | boolean | null | undefined;

// The service's type marks. Those between are ends of types, which only range queries use, and types JSON lacks.
const UNDEFINED = 0x00;
const NULL = 0x01;
const FALSE = 0x02;
const TRUE = 0x03;
export const NUMBER_MARKER = 0x05;
export const STRING_MARKER = 0x08;

/** The byte that leads a component wherever it is encoded. */
export function markerOf(component: JsonKeyComponent): number {
  switch (typeof component) {
    case 'string':
      return STRING_MARKER;
    case 'number':
      if (Number.isFinite(component)) return NUMBER_MARKER;
      throw new RingfoldError('bad-partition-key', { reason: 'the number is not finite' });
    case 'boolean':
      return component ? TRUE : FALSE;
    default:
      return component === null ? NULL : UNDEFINED;
  }
}
