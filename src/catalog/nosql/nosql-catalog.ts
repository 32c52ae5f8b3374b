// What exists for NoSQL clients, found by name or by rid, and the one way to change it. What is in memory here has been written. Changes
// come one after another; each is made from what the one before it left, is written, and then everybody sees it at once.

import type { SystemRecords } from '../../replication/system-records.ts';
import { decodeDefinitions, definitionKinds, type Leftovers } from './definition-records.ts';
import { ItemRids } from './item-rids.ts';
import type { ContainerDefinition, DatabaseDefinition } from './nosql-definitions.ts';

export class NosqlCatalog {
  readonly itemRids: ItemRids;
  /** What a crash left; for who starts the server. */
  readonly leftovers: Leftovers;
  readonly #databases = new Map<string, DatabaseDefinition>();
  readonly #databasesByRid = new Map<string, DatabaseDefinition>();
  readonly #containersByRid = new Map<string, ContainerDefinition>();
  readonly #containersByNumber = new Map<number, ContainerDefinition>();
  #lastTurn: Promise<unknown> = Promise.resolve();

  private constructor(itemRids: ItemRids, leftovers: Leftovers) {
    this.itemRids = itemRids;
    this.leftovers = leftovers;
  }

  static async load(records: SystemRecords): Promise<NosqlCatalog> {
    const [database, container, child, itemRids] = await Promise.all([
      records.readAll(definitionKinds.database),
      records.readAll(definitionKinds.container),
      records.readAll(definitionKinds.child),
      ItemRids.load(records),
    ]);
    const { databases, leftovers } = decodeDefinitions({ database, container, child });
    const catalog = new NosqlCatalog(itemRids, leftovers);
    for (const each of databases) catalog.adopt(each);
    return catalog;
  }

  /** In the order in which they were made. */
  databases(): readonly DatabaseDefinition[] {
    return [...this.#databases.values()];
  }

  /** By name or by rid; a name wins. */
  findDatabase(nameOrRid: string): DatabaseDefinition | undefined {
    return this.#databases.get(nameOrRid) ?? this.#databasesByRid.get(nameOrRid);
  }

  /** On the way of every request for an item. */
  findContainer(databaseNameOrRid: string, nameOrRid: string): ContainerDefinition | undefined {
    const database = this.findDatabase(databaseNameOrRid);
    if (database === undefined) return undefined;
    const named = database.containers.get(nameOrRid);
    if (named !== undefined) return named;
    const found = this.#containersByRid.get(nameOrRid);
    return found?.databaseRid === database.rid ? found : undefined;
  }

  /** Never by a name, whatever it looks like. */
  databaseOfRid(rid: string): DatabaseDefinition | undefined {
    return this.#databasesByRid.get(rid);
  }

  containerOfRid(rid: string): ContainerDefinition | undefined {
    return this.#containersByRid.get(rid);
  }

  containerOf(container: number): ContainerDefinition | undefined {
    return this.#containersByNumber.get(container);
  }

  /** The number of a new item, greater than any before it in the container, also after a restart; rarely it is waited for. */
  nextRid({ container }: Pick<ContainerDefinition, 'container'>): number | Promise<number> {
    return this.itemRids.next(container);
  }

  /** Runs when all changes before it are over, whether they succeeded or not. */
  inTurn<T>(change: () => Promise<T>): Promise<T> {
    const turn = this.#lastTurn.then(change);
    this.#lastTurn = turn.catch(() => {});
    return turn;
  }

  /** For who is in turn, once the records of it have been written: the database as it is now, with all that it holds. */
  adopt(database: DatabaseDefinition): void {
    this.#unindex(database.rid);
    this.#databases.set(database.id, database);
    this.#databasesByRid.set(database.rid, database);
    for (const container of database.containers.values()) {
      this.#containersByRid.set(container.rid, container);
      this.#containersByNumber.set(container.container, container);
    }
  }

  /** As `adopt`, of a database that is gone. */
  forget({ id, rid }: Pick<DatabaseDefinition, 'id' | 'rid'>): void {
    this.#unindex(rid);
    this.#databases.delete(id);
    this.#databasesByRid.delete(rid);
  }

  #unindex(rid: string): void {
    for (const container of this.#databasesByRid.get(rid)?.containers.values() ?? []) {
      this.#containersByRid.delete(container.rid);
      this.#containersByNumber.delete(container.container);
    }
  }
}
