import type { ContainerDefinition } from '../../../catalog/nosql/nosql-definitions.ts';
import { invalidRequest } from '../../../errors/invalid-request.ts';
import type { ByteString } from '../../../foundation/byte-string.ts';
import { currentMap, movedAgain } from '../../../routing/find-partition.ts';
import type { RequestTraits } from '../../../routing/governed-partition.ts';
import type { PartitionAddress } from '../../../storage/partition-store.ts';
import { type RequestStatus, statusOfError } from '../../../throughput/request-figures.ts';
import type { RequestUnits } from '../../../throughput/request-units.ts';
import type { ConsistencyMultiplier } from '../../../throughput/work-done.ts';
import { decodeStoredItem, type StoredItem, writeSecondOf } from '../../../values/stored-item.ts';
import { type ReadTurn, readTurnsOf } from '../../read-turns.ts';
import { MAX_ANSWER_BYTES } from '../answer-limit.ts';
import { storedKindOf } from '../item-keys.ts';
import type { NosqlParts } from '../nosql-parts.ts';
import { visibilityIn } from '../visibility.ts';
import { VisitedPartitions } from '../visited-partitions.ts';
import { type ChangeKind, type ChangeSegment, findChanges, lsnOfChangeKey } from './change-segment.ts';
import { type FeedScope, type KeyRange, partsOfScope, rangeGone } from './feed-scope.ts';
import { type Change, RecentChanges } from './recent-changes.ts';

/** Where a reader begins. */
export type ChangeStart =
  | { readonly kind: 'beginning' }
  /** After that LSN. */
  | AfterLsn
  | { readonly kind: 'now' }
  | { readonly kind: 'time'; readonly seconds: number };

export interface AfterLsn {
  readonly kind: 'after';
  readonly lsn: number;
  /** What comes after it was written then or later; only readers of all versions say so, since those are not kept for ever. */
  readonly sinceSeconds: number | undefined;
}

export interface ChangesRequest {
  readonly container: ContainerDefinition;
  readonly scope: FeedScope;
  readonly start: ChangeStart;
  readonly kind: ChangeKind;
  readonly maxItems: number;
  readonly show: (item: StoredItem, lsn: number) => Buffer;
  readonly traits: Pick<RequestTraits, 'priority' | 'bucket'>;
  readonly consistencyMultiplier: ConsistencyMultiplier;
}

interface FoundChange {
  readonly lsn: number;
  /** As clients see it. */
  readonly shown: Buffer;
}

export interface ChangesPage {
  readonly physicalPartition: number;
  /** Oldest first; those of one transaction are all in one page. */
  readonly changes: readonly FoundChange[];
  /** Where the next page begins. */
  readonly position: number;
  /** Nothing that comes after the position was written before. */
  readonly positionSeconds: number;
  readonly chargeRu: RequestUnits;
}

type FoundPage = Omit<ChangesPage, 'chargeRu'>;

/** Of all segments that are kept, some 25 MB with their keys. */
const maxKeptChanges = 200_000;

/** Reads change feeds; remembers what readers are likely to ask for next. */
export class ChangeFeeds {
  readonly #parts: NosqlParts;
  readonly #recent: RecentChanges;
  /** Oldest first. */
  readonly #segments = new Map<string, ChangeSegment>();

  constructor(parts: NosqlParts) {
    this.#parts = parts;
    this.#recent = new RecentChanges(parts.throughput.store);
  }

  async read(request: ChangesRequest): Promise<ChangesPage> {
    const turn = await readTurnsOf(this.#parts.scheduler).begin();
    try {
      for (let moves = 0; ; moves = movedAgain(moves)) {
        const page = await this.#charged(request, turn);
        if (page !== undefined) return page;
      }
    } finally {
      turn.end();
    }
  }

  async #charged(request: ChangesRequest, turn: ReadTurn): Promise<ChangesPage | undefined> {
    const { container, scope, consistencyMultiplier } = request;
    const { address } = this.#placeOf(container, scope);
    const traits = { ...request.traits, operation: 'change-feed' } as const;
    const { throughput } = this.#parts;
    const visited = new VisitedPartitions(
      throughput,
      container.container,
      traits,
      scope.logicalPartition?.prefix,
    );
    if (!visited.enter(address.physicalPartition)) return undefined;
    const leave = (changes: readonly FoundChange[], status: RequestStatus): void => {
      const itemBytes = changes.map(({ shown }) => shown.length);
      visited.leave({ kind: 'change-feed', itemBytes, consistencyMultiplier }, status);
    };
    try {
      const page = await this.#attempt(request, turn);
      leave(page?.changes ?? [], 'ok');
      return page === undefined ? undefined : { ...page, chargeRu: visited.chargeRu };
    } catch (error) {
      leave([], statusOfError(error));
      throw error;
    }
  }

  async #attempt(request: ChangesRequest, turn: ReadTurn): Promise<FoundPage | undefined> {
    const { container, scope, start } = request;
    const { address, keys } = this.#placeOf(container, scope);
    const { store, clock } = this.#parts.throughput;
    // Before the LSN: what is written in between is then seen as written later.
    const nowSeconds = Math.floor(clock.now() / 1_000);
    refuseForgotten(request, nowSeconds);
    const end = store.committedLsn(address);
    if (end === undefined) return undefined;
    const { physicalPartition } = address;
    const drained = { physicalPartition, positionSeconds: nowSeconds };
    if (start.kind === 'now') return { ...drained, changes: [], position: end };
    let positionSeconds = start.kind === 'after' ? (start.sinceSeconds ?? 0) : 0;
    let position = start.kind === 'after' ? start.lsn : 0;
    const earliestMicros = start.kind === 'time' ? start.seconds * 1_000_000 : 0;
    const changes: FoundChange[] = [];
    let bytes = 0;
    for (;;) {
      const segment = await this.#segmentAfter(request, address, keys, position, turn);
      if (segment === undefined) return undefined;
      for (const [index, change] of segment.changes.entries()) {
        if (change.lsn <= position) continue;
        const isNewTransaction = segment.changes[index - 1]?.lsn !== change.lsn;
        if (isNewTransaction && (changes.length >= request.maxItems || bytes >= MAX_ANSWER_BYTES))
          return { physicalPartition, changes, position, positionSeconds };
        const item = await this.#load(request, address, change);
        if (item === 'moved') return undefined;
        if (item !== undefined && (item.timestamp ?? 0) >= earliestMicros) {
          const shown = request.show(item, change.lsn);
          changes.push({ lsn: change.lsn, shown });
          bytes += shown.length;
        }
        if (segment.changes[index + 1]?.lsn !== change.lsn) {
          position = change.lsn;
          if (item !== undefined) positionSeconds = writeSecondOf(item);
        }
      }
      position = Math.max(position, segment.to);
      if (position >= end) return { ...drained, changes, position };
    }
  }

  /** One physical partition has it all: positions of several are not comparable. */
  #placeOf(container: ContainerDefinition, scope: FeedScope): { address: PartitionAddress; keys: KeyRange } {
    const map = currentMap(this.#parts.throughput.store, container.container);
    const [part, ...others] = partsOfScope(container.container, map, scope);
    if (part === undefined) throw rangeGone('');
    if (others.length > 0) throw rangeGone(String(part.partition.parents[0] ?? ''));
    const address = { container: container.container, physicalPartition: part.partition.id };
    return { address, keys: part.keys };
  }

  async #segmentAfter(
    { container, kind }: ChangesRequest,
    address: PartitionAddress,
    keys: KeyRange,
    position: number,
    turn: ReadTurn,
  ): Promise<ChangeSegment | undefined> {
    const { store, clock } = this.#parts.throughput;
    const recent = this.#recent.of(address.container, address.physicalPartition, clock.monotonic());
    const end = store.committedLsn(address);
    if (recent === undefined || end === undefined) return undefined;
    if (position >= recent.since) {
      const first = recent.changes.findLastIndex(({ lsn }) => lsn <= position) + 1;
      const changes = recent.changes
        .slice(first)
        .filter(({ key }) => key >= keys.from && key < keys.to && storedKindOf(key, container) === kind);
      return { from: position, to: end, changes };
    }
    const name = `${address.container}/${address.physicalPartition}/${kind}/${keys.from}/${keys.to}`;
    const known = this.#segments.get(name);
    if (known !== undefined && known.from <= position && position < known.to) return known;
    const found = await findChanges(store, address, container, keys, kind, position, (examined) =>
      turn.next(examined),
    );
    this.#segments.delete(name);
    if (found !== undefined) this.#segments.set(name, found);
    this.#forgetOldSegments();
    return found;
  }

  #forgetOldSegments(): void {
    let kept = 0;
    for (const { changes } of this.#segments.values()) kept += changes.length + 1;
    for (const [name, { changes }] of this.#segments) {
      if (kept <= maxKeptChanges) break;
      this.#segments.delete(name);
      kept -= changes.length + 1;
    }
  }

  /** Undefined when the key has changed again since, or is gone: then the change is not the newest, and comes later or not at all. */
  async #load(
    { container, kind }: ChangesRequest,
    address: PartitionAddress,
    { lsn, key }: Change,
  ): Promise<StoredItem | 'moved' | undefined> {
    const { store } = this.#parts.throughput;
    let value = store.readCached(address, key);
    if (value === undefined) {
      const outcome = await store.read(address, key);
      if (outcome.kind === 'refused') throw outcome.error;
      if (outcome.kind === 'moved') return 'moved';
      value = outcome.value;
    }
    if (value === null) return undefined;
    const item = decodeStoredItem(value);
    if (kind === 'change') return lsnOfChangeKey(key, container) === lsn ? item : undefined;
    return item.lsn === lsn && this.#isVisible(container, key, item) ? item : undefined;
  }

  #isVisible(container: ContainerDefinition, key: ByteString, item: StoredItem): boolean {
    return visibilityIn(this.#parts, container)(key, item);
  }
}

/** Of all versions those are kept that the policy says: who was away for longer would miss some, and is told. */
function refuseForgotten({ container, kind, start }: ChangesRequest, nowSeconds: number): void {
  if (kind !== 'change' || start.kind !== 'after') return;
  const { changeFeedRetentionMinutes: minutes } = container;
  if (start.sinceSeconds === undefined)
    throw invalidRequest('The continuation is not one of the all versions and deletes change feed.');
  if (start.sinceSeconds + minutes * 60 < nowSeconds)
    throw invalidRequest(
      `The continuation is older than the ${minutes} minutes for which the container keeps all versions and deletes. Begin anew.`,
    );
}
