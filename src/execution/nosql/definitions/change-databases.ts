import { databaseRecord, noRecord } from '../../../catalog/nosql/definition-records.ts';
import type { DatabaseDefinition } from '../../../catalog/nosql/nosql-definitions.ts';
import { requestedThroughput, type ThroughputRequest } from '../../../throughput/throughput-request.ts';
import { databaseRid } from '../../../values/resource-id.ts';
import { createDatabase as createShared } from '../../define-container.ts';
import type { NosqlParts } from '../nosql-parts.ts';
import {
  checkEtag,
  type ExpectedEtag,
  MAX_DATABASES_AND_CONTAINERS,
  refuseOneMore,
  resourceExists,
  resourceNotFound,
} from './definition-checks.ts';
import { dropContentsOf } from './drop-leftovers.ts';
import { freshIdentity, freshRid } from './fresh-identity.ts';
import { freshOfferRid, throughputName } from './offer-owner.ts';

/** With throughput, its containers share it unless they are given their own. */
export function createDatabase(
  parts: NosqlParts,
  id: string,
  request: ThroughputRequest,
  most: number = MAX_DATABASES_AND_CONTAINERS,
): Promise<DatabaseDefinition> {
  const { catalog, throughput, random } = parts;
  return catalog.inTurn(async () => {
    if (catalog.findDatabase(id)?.id === id) throw resourceExists();
    refuseOneMore(catalog, most);
    const rid = freshRid(random, 32, databaseRid, (taken) => catalog.databaseOfRid(taken) !== undefined);
    const database: DatabaseDefinition = {
      ...freshIdentity(parts, id, rid),
      offerRid: freshOfferRid(parts),
      hasSharedThroughput: requestedThroughput(request) !== undefined,
      containers: new Map(),
      users: new Map(),
      clientEncryptionKeys: new Map(),
    };
    const record = databaseRecord(database);
    if (database.hasSharedThroughput)
      await createShared(throughput, throughputName(database), request, [record]);
    else await throughput.store.records.put([record]);
    catalog.adopt(database);
    return database;
  });
}

/** Gone for everybody at once, and then what was in it is removed. What a crash leaves of that, the next start removes. */
export function deleteDatabase(parts: NosqlParts, rid: string, expected: ExpectedEtag): Promise<void> {
  const { catalog, throughput } = parts;
  return catalog.inTurn(async () => {
    const database = catalog.databaseOfRid(rid);
    if (database === undefined) throw resourceNotFound();
    checkEtag(database, expected);
    await throughput.store.records.put([noRecord('database', database.rid)]);
    catalog.forget(database);
    await dropContentsOf(parts, database);
  });
}
