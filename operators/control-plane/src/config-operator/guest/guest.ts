import type { Cache, Client } from '@capstan/kube';

/** The way into the hosted cluster. */
export interface Guest {
  readonly client: Client;
  readonly cache: Cache;
}
