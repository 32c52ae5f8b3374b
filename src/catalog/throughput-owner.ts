import { RingfoldError } from '../errors/ringfold-error.ts';

/** Who has a throughput setting: a container, or a database for the containers that share it. */
export type ThroughputOwner =
  | { readonly kind: 'container'; readonly container: number }
  | { readonly kind: 'database'; readonly database: string };

export function containerOwner(container: number): ThroughputOwner {
  return { kind: 'container', container };
}

export function databaseOwner(database: string): ThroughputOwner {
  return { kind: 'database', database };
}

/** One text for each owner, under which records are kept. */
export function textOfOwner(owner: ThroughputOwner): string {
  return owner.kind === 'container' ? `container/${owner.container}` : `database/${owner.database}`;
}

export function ownerOfText(text: string): ThroughputOwner {
  const [, kind, name] = /^(container|database)\/(.+)$/s.exec(text) ?? [];
  if (kind === undefined || name === undefined) {
    throw new RingfoldError('corrupt-data', { what: 'throughput record', id: text });
  }
  return kind === 'container' ? containerOwner(Number(name)) : databaseOwner(name);
}
