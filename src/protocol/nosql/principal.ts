/** Who sent a request, after the signature was checked. */
export type Principal =
  | { readonly kind: 'master'; readonly mayWrite: boolean }
  /** A resource token: it may do what its permission says, under its resource. */
  | {
      readonly kind: 'resource-token';
      readonly mode: 'read' | 'all';
      /** By rid: `dbs/{rid}/colls/{rid}…`. */
      readonly resource: string;
      /** The only partition key it may touch, as JSON text. */
      readonly partitionKey: string | undefined;
    }
  /** Microsoft Entra: data, never definitions. */
  | { readonly kind: 'entra' };
