// Offers: the throughput of databases and containers as the NoSQL API shows it.

import { createHash } from 'node:crypto';
import { containerRecord, databaseRecord } from '../../../catalog/nosql/definition-records.ts';
import type { JsonObject } from '../../../catalog/nosql/nosql-definitions.ts';
import { secondsNow } from '../../../foundation/clock.ts';
import { serverlessOffer } from '../../../throughput/throughput-refusal.ts';
import type { ThroughputRequest } from '../../../throughput/throughput-request.ts';
import { type ProvisionedThroughput, shownThroughput } from '../../../throughput/throughput-setting.ts';
import type { ThroughputState } from '../../../throughput/throughput-state.ts';
import { describeThroughput, type ThroughputView } from '../../describe-throughput.ts';
import type { NosqlParts } from '../nosql-parts.ts';
import { withContainer } from './change-containers.ts';
import { checkEtag, type ExpectedEtag, resourceNotFound } from './definition-checks.ts';
import { type OfferOwner, offerOwners } from './offer-owner.ts';

type Parts = Pick<NosqlParts, 'catalog' | 'throughput'>;

export interface Offer {
  readonly rid: string;
  readonly etag: string;
  readonly createdAt: number;
  readonly shown: JsonObject;
}

/** What is told beside an offer that is read by itself. */
export interface OfferStanding {
  readonly offer: Offer;
  readonly minimumRu: number;
  readonly isReplacePending: boolean;
}

/** Another figure, or the other kind of throughput, which chooses its figure by itself. */
export type OfferChange =
  | { readonly kind: 'figure'; readonly request: ThroughputRequest }
  | { readonly kind: 'migration'; readonly to: ProvisionedThroughput['kind'] };

/** All there are. Where all containers are serverless there are none, and the service says so. */
export function listOffers(parts: Parts): readonly Offer[] {
  const offers = [...offerOwners(parts.catalog)].flatMap((owner) => offerOf(parts, owner) ?? []);
  if (offers.length === 0 && parts.throughput.capacityMode === 'serverless') throw serverlessOffer();
  return offers;
}

export async function readOffer(parts: Parts, rid: string): Promise<OfferStanding> {
  const owner = ownerOfOffer(parts, rid);
  const view = await describeThroughput(parts.throughput, owner.owner);
  const offer = offerOf(parts, owner);
  if (offer === undefined) {
    if (view.setting.kind === 'serverless') throw serverlessOffer();
    throw resourceNotFound();
  }
  return standingOf(offer, view);
}

export async function replaceOffer(
  parts: Parts,
  rid: string,
  change: OfferChange,
  expected: ExpectedEtag,
): Promise<OfferStanding> {
  const { offer } = await readOffer(parts, rid);
  checkEtag(offer, expected);
  const { owner } = ownerOfOffer(parts, rid);
  const { changes, clock } = parts.throughput;
  if (change.kind === 'migration') await changes.migrate(owner, change.to);
  else await changes.change(owner, change.request);
  await writeTime(parts, rid, secondsNow(clock));
  return readOffer(parts, rid);
}

/** By itself, after the throughput has become another: a crash in between leaves the new figure with the old time. */
function writeTime(parts: Parts, rid: string, offerTs: number): Promise<void> {
  const { catalog, throughput } = parts;
  return catalog.inTurn(async () => {
    const { resource } = ownerOfOffer(parts, rid);
    const isContainer = 'databaseRid' in resource;
    const database = catalog.databaseOfRid(isContainer ? resource.databaseRid : resource.rid);
    if (database === undefined) throw resourceNotFound();
    const timed = isContainer ? withContainer(database, { ...resource, offerTs }) : { ...database, offerTs };
    const record = isContainer ? containerRecord({ ...resource, offerTs }) : databaseRecord(timed);
    await throughput.store.records.put([record]);
    catalog.adopt(timed);
  });
}

function ownerOfOffer({ catalog }: Parts, rid: string): OfferOwner {
  for (const owner of offerOwners(catalog)) if (owner.resource.offerRid === rid) return owner;
  throw resourceNotFound();
}

function standingOf(offer: Offer, { provisioned, pending }: ThroughputView): OfferStanding {
  return {
    offer,
    minimumRu: provisioned?.minimum.ruPerSecond ?? 0,
    isReplacePending: pending !== undefined,
  };
}

/** Undefined for what has no throughput of its own. */
function offerOf({ throughput }: Parts, { resource, owner, self }: OfferOwner): Offer | undefined {
  // It is being deleted: its data is gone, and its definition will be in a moment.
  if (owner.kind === 'container' && throughput.store.mapOf(owner.container) === undefined) return undefined;
  const { state } = throughput.changes.recordOf(owner);
  const shown = shownThroughput(state.setting);
  if (shown === undefined) return undefined;
  const { offerRid: rid, offerTs = resource.ts, createdAt } = resource;
  const etag = etagOfState(rid, state);
  const levelRu = throughput.autoscaler.readingOf(owner)?.ruPerSecond;
  return {
    rid,
    etag,
    createdAt,
    shown: {
      resource: self,
      offerType: 'Invalid',
      offerResourceId: resource.rid,
      offerVersion: 'V2',
      content: contentOf(shown, levelRu),
      id: rid,
      _rid: rid,
      _self: `offers/${rid}/`,
      _etag: `"${etag}"`,
      _ts: offerTs,
    },
  };
}

function contentOf(shown: ProvisionedThroughput, levelRu: number | undefined): JsonObject {
  if (shown.kind === 'manual')
    return { offerThroughput: shown.ruPerSecond, offerIsRUPerMinuteThroughputEnabled: false };
  const { maxRuPerSecond, incrementPercent } = shown;
  return {
    offerThroughput: levelWithin(levelRu ?? maxRuPerSecond, maxRuPerSecond),
    offerIsRUPerMinuteThroughputEnabled: false,
    offerAutopilotSettings: {
      tier: 0,
      maximumTierThroughput: 0,
      autoUpgrade: false,
      maxThroughput: maxRuPerSecond,
      ...(incrementPercent === undefined
        ? {}
        : { autoUpgradePolicy: { throughputPolicy: { incrementPercent } } }),
    },
  };
}

/** What it has scaled to now. For a moment after the maximum was changed that is still a level of the old one. */
function levelWithin(levelRu: number, maxRuPerSecond: number): number {
  return Math.round(Math.min(Math.max(levelRu, maxRuPerSecond / 10), maxRuPerSecond));
}

/** Another one whenever something else is set; what autoscale floats to is nothing that was set. */
function etagOfState(rid: string, { setting, pending }: ThroughputState): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([rid, setting, pending]))
    .digest('hex');
  return `00000000-0000-0000-${digest.slice(0, 4)}-${digest.slice(4, 16)}`;
}
