import {
  apiErrorOf,
  deepEqual,
  ignoreNotFound,
  isConflict,
  isNotFound,
  isUnsupportedMediaType,
  looseGvk,
} from '@capstan/meta';
import type { Clock, KubeObject, OwnerReference, Random } from '@capstan/meta';
import { retryOnConflict } from '@capstan/kube';
import type { ApiResource, Client, Discovery, PropagationPolicy } from '@capstan/kube';
import type { Identity } from './identity.js';

/** No served resource has this kind: it may appear later, so nothing may be concluded. */
export class UnknownKindError extends Error {
  constructor(apiVersion: string, kind: string) {
    super(`unable to get REST mapping for ${apiVersion}/${kind}.`);
    this.name = 'UnknownKindError';
  }
}

/** A cluster-scoped object names a namespaced owner, which no retry can ever resolve. */
export class NamespacedOwnerError extends Error {
  constructor() {
    super('cluster-scoped objects cannot refer to namespaced owners');
    this.name = 'NamespacedOwnerError';
  }
}

export interface OperationsOptions {
  readonly client: Client;
  readonly discovery: Discovery;
  readonly clock: Clock;
  readonly random: Random;
}

/** Changes the owner references of one object; undefined = nothing left to change. */
export type ReferencesChange = (references: readonly OwnerReference[]) => readonly OwnerReference[];

/** What the collector asks of the server, in terms of identities. */
export class Operations {
  readonly #options: OperationsOptions;
  /** Resources whose server refused a strategic merge patch. */
  readonly #mergeOnly = new Set<string>();

  constructor(options: OperationsOptions) {
    this.#options = options;
  }

  /** The resource of a kind. Throws {@link UnknownKindError}. */
  async resource(apiVersion: string, kind: string): Promise<ApiResource> {
    const found = await this.#options.discovery.resourceFor(looseGvk(apiVersion, kind));
    if (found === undefined) throw new UnknownKindError(apiVersion, kind);
    return found;
  }

  /** The object as it is now, or undefined when it is certainly not there (or another now has its name). */
  async live(identity: Identity): Promise<KubeObject | undefined> {
    const object = await this.#get(identity);
    return object?.metadata.uid === identity.uid ? object : undefined;
  }

  /** Deletes exactly the object that was examined. False when it was gone already. */
  async delete(identity: Identity, examined: KubeObject, propagationPolicy: PropagationPolicy): Promise<boolean> {
    const resource = await this.resource(identity.apiVersion, identity.kind);
    const remove = (resourceVersion: string | undefined) =>
      this.#options.client.delete(resource, identity.name, {
        ...scope(resource, identity),
        propagationPolicy,
        preconditions: { uid: identity.uid, resourceVersion },
        metadataOnly: true,
      });
    try {
      await remove(examined.metadata.resourceVersion);
      return true;
    } catch (error) {
      if (isMissing(error, identity.name)) return false;
      if (!isConflict(error)) throw error;
      const now = await this.live(identity);
      if (now === undefined) return false;
      // Owners decide over life and death: any other change is no reason to wait.
      if (!deepEqual(now.metadata.ownerReferences ?? [], examined.metadata.ownerReferences ?? [])) throw error;
      return remove(undefined).then(
        () => true,
        (second: unknown) => {
          if (isMissing(second, identity.name)) return false;
          throw second;
        },
      );
    }
  }

  /** Takes owners off an object. An object that is gone is no error. */
  async removeOwners(identity: Identity, uids: readonly string[]): Promise<void> {
    const strategic = {
      metadata: { uid: identity.uid, ownerReferences: uids.map((uid) => ({ $patch: 'delete', uid })) },
    };
    await this.#changeReferences(identity, strategic, (references) =>
      references.filter(({ uid }) => !uids.includes(uid)),
    );
  }

  /** Makes every owner reference of an object non-blocking. */
  async unblockOwners(identity: Identity, owners: readonly OwnerReference[]): Promise<void> {
    const blocking = owners.filter((owner) => owner.blockOwnerDeletion === true);
    const unblock = (owner: OwnerReference): OwnerReference => ({ ...owner, blockOwnerDeletion: false });
    const strategic = { metadata: { uid: identity.uid, ownerReferences: blocking.map(unblock) } };
    await this.#changeReferences(identity, strategic, (references) => references.map(unblock));
  }

  async removeFinalizer(identity: Identity, finalizer: string): Promise<void> {
    const { client, clock, random } = this.#options;
    const resource = await this.resource(identity.apiVersion, identity.kind);
    await retryOnConflict({ clock, random }, async () => {
      const object = await this.live(identity);
      const finalizers = object?.metadata.finalizers ?? [];
      if (object === undefined || !finalizers.includes(finalizer)) return;
      const rest = finalizers.filter((name) => name !== finalizer);
      const patch = {
        metadata: { resourceVersion: object.metadata.resourceVersion, finalizers: rest.length === 0 ? null : rest },
      };
      await client
        .patch(
          resource,
          identity.name,
          { type: 'merge', value: patch },
          { ...scope(resource, identity), metadataOnly: true },
        )
        .catch(ignoreNotFound);
    });
  }

  async #get(identity: Identity): Promise<KubeObject | undefined> {
    const resource = await this.resource(identity.apiVersion, identity.kind);
    if (resource.namespaced && identity.namespace === '') throw new NamespacedOwnerError();
    try {
      return await this.#options.client.get(resource, identity.name, {
        ...scope(resource, identity),
        metadataOnly: true,
      });
    } catch (error) {
      if (isMissing(error, identity.name)) return undefined;
      // The path itself is gone: the kind was withdrawn a moment ago.
      if (isNotFound(error)) throw new UnknownKindError(identity.apiVersion, identity.kind);
      throw error;
    }
  }

  /** Strategic merge where the server knows it, which needs no reading first; otherwise read and merge with a version lock. */
  async #changeReferences(identity: Identity, strategic: unknown, change: ReferencesChange): Promise<void> {
    const { client, clock, random } = this.#options;
    const resource = await this.resource(identity.apiVersion, identity.kind);
    const options = { ...scope(resource, identity), metadataOnly: true };
    const key = `${resource.group}/${resource.plural}`;
    if (!this.#mergeOnly.has(key)) {
      try {
        await client.patch(resource, identity.name, { type: 'strategic', value: strategic }, options);
        return;
      } catch (error) {
        if (isNotFound(error)) return;
        if (!isUnsupportedMediaType(error)) throw error;
        this.#mergeOnly.add(key);
      }
    }
    await retryOnConflict({ clock, random }, async () => {
      const object = await this.live(identity);
      if (object === undefined) return;
      const references = change(object.metadata.ownerReferences ?? []);
      if (deepEqual(references, object.metadata.ownerReferences ?? [])) return;
      const metadata = {
        resourceVersion: object.metadata.resourceVersion,
        ownerReferences: references.length === 0 ? null : references,
      };
      await client
        .patch(resource, identity.name, { type: 'merge', value: { metadata } }, options)
        .catch(ignoreNotFound);
    });
  }
}

function scope(resource: ApiResource, identity: Identity): { namespace: string | undefined } {
  return { namespace: resource.namespaced ? identity.namespace : undefined };
}

/** A 404 for this very object. One for the path alone proves nothing about the object. */
function isMissing(error: unknown, name: string): boolean {
  const found = apiErrorOf(error);
  if (found === undefined || !isNotFound(error)) return false;
  const { details } = found.status;
  return (
    details?.name === name && details.causes?.some((cause) => cause.reason === 'UnexpectedServerResponse') !== true
  );
}
