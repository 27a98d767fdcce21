import type { Cache, Client, EventChannel, ResourceRef } from '@capstan/kube';
import { createMergePatch, deepEqual, formatApiVersion, ignoreNotFound, isNotFound } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { DEFINITIONS } from '../kinds.js';
import type { Reference } from '../types.js';
import type { CoreCodec } from '../writing/codec.js';
import { contractOf, definitionName, isContractChange, MissingContract } from './contract.js';
import type { Contract } from './contract.js';

/** A provider's object, and the contract its kind keeps. */
export interface External {
  readonly object: KubeObject;
  readonly ref: ResourceRef;
  readonly contract: Contract['contract'];
}

/** The CRD of a kind is not there: an error to try again, unlike an object that is not there. */
export class MissingDefinition extends Error {
  override readonly name = 'MissingDefinition';
}

/** Whether a reference names anything. */
export function isDefined(
  reference: Reference | undefined,
): reference is Reference & Required<Pick<Reference, 'kind'>> {
  return (reference?.kind ?? '') !== '' || (reference?.name ?? '') !== '';
}

/** The objects of providers: found by the contract of their kind, watched from when a kind is first met. */
export class ExternalObjects {
  readonly #cache: Cache;
  readonly #client: Client;
  readonly #codec: CoreCodec;
  /** The CRDs, read whenever an object is read. */
  readonly #resources = new WeakMap<KubeObject, Omit<External, 'object'>>();
  readonly #watched = new Map<EventChannel, Set<string>>();

  constructor(cache: Cache, client: Client, codec: CoreCodec) {
    this.#cache = cache;
    this.#client = client;
    this.#codec = codec;
  }

  /** The resource of a kind in the version its contract names. */
  async resource(group: string, kind: string): Promise<Omit<External, 'object'>> {
    const name = definitionName(group, kind);
    const definition = await this.#cache.get(DEFINITIONS, name, { metadataOnly: true }).catch(ignoreNotFound);
    if (definition === undefined) throw new MissingDefinition(`there is no CustomResourceDefinition ${name}`);
    const known = this.#resources.get(definition);
    if (known !== undefined) return known;
    const found = contractOf(definition.metadata.labels);
    if (found === undefined) throw new MissingContract(name);
    const plural = name.slice(0, name.indexOf('.'));
    const resource = {
      ref: { group, version: found.version, plural, namespaced: true },
      contract: found.contract,
    };
    this.#resources.set(definition, resource);
    return resource;
  }

  /** The object a reference names, from the cache, read only; undefined when there is none. */
  async get(reference: Reference, namespace: string): Promise<External | undefined> {
    const { apiGroup = '', kind = '', name = '' } = reference;
    const { ref, contract } = await this.resource(apiGroup, kind);
    const object = await this.read(ref, namespace, name);
    if (object === undefined) return undefined;
    const apiVersion = formatApiVersion(ref);
    const isNamed = object.apiVersion === apiVersion && object.kind === kind;
    return { object: isNamed ? object : { ...object, apiVersion, kind }, ref, contract };
  }

  /** An object of any resource, from the cache, read only. */
  async read(ref: ResourceRef, namespace: string, name: string): Promise<KubeObject | undefined> {
    try {
      return this.#codec.decodeOwners(await this.#cache.get(ref, name, { namespace }));
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  /** From now on events for objects of the resource are sent to the channel. */
  watch(ref: ResourceRef, channel: EventChannel): void {
    const watched = this.#watched.get(channel) ?? new Set<string>();
    const key = `${ref.plural}.${ref.group}/${ref.version}`;
    if (watched.has(key)) return;
    this.#watched.set(channel, watched.add(key));
    this.#cache.informer<KubeObject>(ref).addHandler({
      add: (object) => channel.send(object),
      update: (old, object) => {
        if (!isContractChange(old, object)) return;
        // A former owner is enqueued for that; an event for the current owner too would reconcile it twice.
        if (!deepEqual(old.metadata.ownerReferences, object.metadata.ownerReferences)) channel.send(old);
        channel.send(object);
      },
      delete: (object) => channel.send(object),
    });
  }

  /** An object of any resource as the server has it now, with all that is known of it. */
  async live(ref: ResourceRef, namespace: string, name: string): Promise<KubeObject> {
    return this.#codec.decodeOwners(await this.#client.get(ref, name, { namespace }));
  }

  /** Writes what differs as a merge patch, where it is locked only onto the very same; nothing when nothing differs. */
  async patch(ref: ResourceRef, before: KubeObject, after: KubeObject, isLocked = false): Promise<KubeObject> {
    const { decodeOwners, encodeOwners } = this.#codec;
    const value = createMergePatch(encodeOwners(before), encodeOwners(after));
    if (Object.keys(value).length === 0) return after;
    const { name = '', namespace, resourceVersion } = before.metadata;
    if (isLocked) value['metadata'] = { ...(value['metadata'] as object | undefined), resourceVersion };
    return decodeOwners(await this.#client.patch(ref, name, { type: 'merge', value }, { namespace }));
  }

  /** Deletes an object that is not going already; one that is gone is fine. */
  async remove({ ref, object }: Pick<External, 'ref' | 'object'>): Promise<void> {
    const { name = '', namespace, deletionTimestamp } = object.metadata;
    if (deletionTimestamp != null) return;
    await this.#client.delete(ref, name, { namespace }).catch(ignoreNotFound);
  }
}
