import { aggregateFactories, aggregateFunctions } from './aggregates.ts';
import { blobFunctions } from './blobs.ts';
import { castFunctions } from './casts.ts';
import { collectionFactories } from './collections.ts';
import { floorFunctions } from './floor.ts';
import { jsonFactories } from './json.ts';
import { maskFactories } from './masks.ts';
import { mathFunctions } from './mathematics.ts';
import type { FunctionFactory, NativeFunction } from './native-function.ts';
import { operatorFunctions } from './operators.ts';
import { timeFunctions } from './times.ts';
import { tokenFactory } from './token.ts';
import { uuidFunctions } from './uuids.ts';
import { vectorFactories } from './vectors.ts';

const functions: ReadonlyMap<string, readonly NativeFunction[]> = byName([
  ...castFunctions,
  ...uuidFunctions,
  ...timeFunctions,
  ...floorFunctions,
  ...operatorFunctions,
  ...aggregateFunctions,
  ...blobFunctions,
  ...mathFunctions,
]);

const factories: ReadonlyMap<string, readonly FunctionFactory[]> = byName([
  tokenFactory,
  ...jsonFactories,
  ...aggregateFactories,
  ...collectionFactories,
  ...maskFactories,
  ...vectorFactories,
]);

function byName<Named extends { readonly name: string }>(
  all: readonly Named[],
): ReadonlyMap<string, readonly Named[]> {
  const groups = new Map<string, Named[]>();
  for (const one of all) {
    const group = groups.get(one.name);
    if (group === undefined) groups.set(one.name, [one]);
    else group.push(one);
  }
  return groups;
}

export function findFunctions(name: string): readonly NativeFunction[] {
  return functions.get(name) ?? [];
}

export function findFactories(name: string): readonly FunctionFactory[] {
  return factories.get(name) ?? [];
}
