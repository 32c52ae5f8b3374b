// Paths as an index knows them: eight bytes for each, so that a key of an index is short however long the path is. Two paths with the
// same bytes would only have their entries mixed, and every entry is checked against its item.

import type { IndexedPaths, PathRule } from '../../../catalog/nosql/indexed-paths.ts';
import { eachElement, type PathStep } from '../../../catalog/nosql/property-path.ts';
import { type ByteString, byteStringOf } from '../../../foundation/byte-string.ts';
import { murmur3x64 } from '../../../partitioning/murmur3.ts';
import type { CompositeIndexPath, IndexedOrder } from './item-index.ts';

/** How many bytes stand for a path. */
export const ORDER_BYTES = 8;

/** A path that items have, with what a policy says of it; those below it are made when an item has them. */
export class IndexedPath {
  readonly order: ByteString;
  /** Whether what stands here has an entry. */
  readonly isIncluded: boolean;
  readonly #rule: PathRule | undefined;
  readonly #below: boolean;
  readonly #next = new Map<PathStep, IndexedPath>();

  constructor(order: ByteString, rule: PathRule | undefined, inherited: boolean, isAlways: boolean) {
    this.order = order;
    this.#rule = rule;
    this.#below = rule?.below ?? inherited;
    this.isIncluded = isAlways || (rule?.value ?? this.#below);
  }

  /** False where nothing below has an entry, so that nobody need look. */
  get leadsOn(): boolean {
    return this.#below || (this.#rule?.next.size ?? 0) > 0;
  }

  /** Undefined where it is not known yet. */
  known(step: PathStep): IndexedPath | undefined {
    return this.#next.get(step);
  }

  grow(step: PathStep, isAlways: boolean): IndexedPath {
    const path = new IndexedPath(
      orderBelow(this.order, step),
      this.#rule?.next.get(step),
      this.#below,
      isAlways,
    );
    this.#next.set(step, path);
    return path;
  }
}

/** Every item has an entry here. */
export const rootOrder: ByteString = hashOf('path' as ByteString);

/** Items that have too many values for entries of their own have one here. */
export const oversizedOrder: ByteString = hashOf('oversized' as ByteString);

export function rootPathOf({ root }: IndexedPaths): IndexedPath {
  return new IndexedPath(rootOrder, root, false, true);
}

/** What the keys of an order's entries begin with, behind their segment. */
export function orderBytesOf(order: IndexedOrder): ByteString {
  if (order.kind === 'composite') return compositeOrder(order.paths);
  return order.path.reduce(orderBelow, rootOrder);
}

export function compositeOrder(paths: readonly CompositeIndexPath[]): ByteString {
  const text = JSON.stringify(paths.map(({ names, order }) => [names, order]));
  return hashOf(`composite${utf8Of(text)}` as ByteString);
}

function orderBelow(order: ByteString, step: PathStep): ByteString {
  return hashOf(`${order}${step === eachElement ? '[' : `.${bytesOfName(step)}`}` as ByteString);
}

const halfLetter = /\p{Surrogate}/u;

/** Of `_ts`. */
export const timeOrder: ByteString = orderBelow(rootOrder, '_ts');

/** Half letters all have the same bytes in UTF-8, and two names of one item must not: it has each entry once. */
function bytesOfName(name: string): string {
  return halfLetter.test(name) ? `\xff${utf8Of(JSON.stringify(name))}` : utf8Of(name);
}

function utf8Of(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}

function hashOf(bytes: ByteString): ByteString {
  const hash = murmur3x64(Buffer.from(bytes, 'latin1'));
  return byteStringOf(Buffer.from(hash.buffer, hash.byteOffset, ORDER_BYTES));
}
