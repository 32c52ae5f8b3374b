import { reasonOf } from '../../../values/invalid-value.ts';

/** Weakly, unless the check refuses it. */
export function fitOrNone(check: () => unknown): 'weak' | 'none' {
  try {
    check();
    return 'weak';
  } catch (error) {
    reasonOf(error);
    return 'none';
  }
}
