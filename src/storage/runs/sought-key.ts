import type { ByteString } from '../../foundation/byte-string.ts';
import { keyHashOf } from './key-filter.ts';
import { prefixOf } from './row-block.ts';

/** A key, and what every run that is asked for it looks at: worked out once, since twenty runs and more are asked. */
export interface SoughtKey {
  readonly key: ByteString;
  readonly prefix: number;
  readonly hash: number;
}

export function soughtKey(key: ByteString): SoughtKey {
  return { key, prefix: prefixOf(key), hash: keyHashOf(key) };
}
