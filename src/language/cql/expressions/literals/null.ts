import { invalidRequest } from '../../../../errors/invalid-request.ts';
import type { UntypedTerm } from '../untyped-term.ts';
import { constantTerm } from './constant.ts';

export const untypedNull: UntypedTerm = {
  text: 'NULL',
  isMarker: false,
  containsMarker: false,
  arrayLength: undefined,
  fit: ({ type }) => (type.kind === 'counter' ? 'none' : 'weak'),
  exactType: () => undefined,
  likelyType: () => undefined,
  prepare({ type }) {
    if (type.kind === 'counter') throw invalidRequest('Invalid null value for counter increment/decrement');
    return constantTerm(type, null);
  },
};
