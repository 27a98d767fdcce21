import { apply, Client, Discovery, sleep } from '@capstan/kube';
import type { ResourceKind } from '@capstan/kube';
import { ApiError, isConflict, parseApiVersion } from '@capstan/meta';
import type { Clock, KubeObject } from '@capstan/meta';
import { MIRROR_FIELD_OWNER } from '../crds/cluster.js';
import { CliError } from '../errors.js';
import { MAPPING } from './groups.js';

/** Whose fields these are. */
export const FIELD_OWNER = 'capstan-up';

/** How often what is insisted on must be found as it was left, and how far apart: no controller looks for as long. */
const STANDS = 2;
const LOOK_AGAIN_MS = 500;

/** Private CRDs are applied as `capstan crds mirror --apply` does, so that it can be run here as well. */
function fieldOwnerOf({ kind, spec }: KubeObject): string {
  if (kind !== 'CustomResourceDefinition') return FIELD_OWNER;
  const { group } = spec as { readonly group: string };
  return MAPPING.side(group) === 'private' ? MIRROR_FIELD_OWNER : FIELD_OWNER;
}

/** Applies objects in the order given. What a user has made of a field meanwhile stays the user's. */
export class Installer {
  readonly #client: Client;
  readonly #discovery: Discovery;

  constructor(client: Client) {
    this.#client = client;
    this.#discovery = new Discovery(client, { missIntervalMs: 0 });
  }

  async applyAll(objects: readonly KubeObject[], signal: AbortSignal): Promise<void> {
    for (const object of objects) await this.apply(object, signal);
  }

  /**
   * Sets a status that only this command knows, until it stays: a controller that began earlier may overwrite it with what it
   * guessed then, and believes it the next time.
   */
  async insist(object: KubeObject, clock: Clock, signal: AbortSignal): Promise<void> {
    const resource = await this.#resourceOf(object, signal);
    const { name = '', namespace } = object.metadata;
    const how = { fieldOwner: FIELD_OWNER, force: true, signal, subresource: 'status' } as const;
    for (let stood = 0; stood < STANDS;) {
      const before = await this.#client.get(resource, name, { namespace, signal });
      const after = await apply(this.#client, resource, object, how);
      stood = before.metadata.resourceVersion === after.metadata.resourceVersion ? stood + 1 : 0;
      if (stood < STANDS && (await sleep(clock, LOOK_AGAIN_MS, signal)) === 'aborted') return;
    }
  }

  async #resourceOf({ apiVersion, kind }: KubeObject, signal: AbortSignal): Promise<ResourceKind> {
    const found = await this.#discovery.resourceFor({ ...parseApiVersion(apiVersion), kind }, signal);
    if (found !== undefined) return found;
    throw new CliError(
      `the server does not serve ${kind} of ${apiVersion}`,
      'remove the data directory, or give another with --data: it was written by another version',
    );
  }

  /** Like {@link apply}, for objects validated by a webhook that may not be running yet. */
  async applyChecked(object: KubeObject, clock: Clock, signal: AbortSignal): Promise<void> {
    for (;;) {
      try {
        await this.apply(object, signal);
        return;
      } catch (error) {
        if (!(error instanceof ApiError) || !error.message.includes('failed calling webhook')) throw error;
        if ((await sleep(clock, LOOK_AGAIN_MS, signal)) === 'aborted') throw error;
      }
    }
  }

  async apply(object: KubeObject, signal: AbortSignal, subresource?: 'status'): Promise<void> {
    const resource = await this.#resourceOf(object, signal);
    try {
      await apply(this.#client, resource, object, { fieldOwner: fieldOwnerOf(object), signal, subresource });
    } catch (error) {
      // A data directory in use before: the user has changed what is there, and may.
      if (!isConflict(error)) throw error;
    }
  }
}
