import { cloneJson, deepEqual, ignoreNotFound } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { RuntimeError } from '../runtime/errors.js';
import type { Client } from './client.js';
import { patchFrom } from './patches.js';
import type { Reader } from './reader.js';
import type { ResourceRef } from './resource.js';

/** What was written. */
export type OperationResult = 'unchanged' | 'created' | 'updated' | 'updatedStatus' | 'updatedStatusOnly';

export interface Written<T extends KubeObject> {
  readonly result: OperationResult;
  readonly object: T;
}

export interface CreateOrUpdateOptions<T extends KubeObject> {
  readonly client: Client;
  /** Reads the object. Default: the client, past any cache. */
  readonly reader?: Reader | undefined;
  readonly resource: ResourceRef;
  /** What is created when it is not there; `mutate` completes it. */
  readonly object: T;
  /** Brings the object to what it should be. Must not change name or namespace. */
  readonly mutate: (object: T) => void | Promise<void>;
  readonly signal?: AbortSignal | undefined;
}

async function mutated<T extends KubeObject>(object: T, mutate: CreateOrUpdateOptions<T>['mutate']): Promise<T> {
  const copy = cloneJson(object);
  await mutate(copy);
  const { name, namespace } = object.metadata;
  if (copy.metadata.name !== name || copy.metadata.namespace !== namespace)
    throw new RuntimeError('misused', 'mutate cannot change object name and/or object namespace');
  return copy;
}

async function find<T extends KubeObject>(options: CreateOrUpdateOptions<T>): Promise<T | undefined> {
  const { client, object, reader = client, resource, signal } = options;
  const { name = '', namespace } = object.metadata;
  return reader.get<T>(resource, name, { namespace, signal }).catch(ignoreNotFound);
}

async function create<T extends KubeObject>(options: CreateOrUpdateOptions<T>): Promise<Written<T>> {
  const { client, mutate, object, resource, signal } = options;
  const wanted = await mutated(object, mutate);
  return { result: 'created', object: await client.create<T>(resource, wanted, { signal }) };
}

/** Creates the object, or updates it when `mutate` changes anything. A conflict is for the caller to try again. */
export async function createOrUpdate<T extends KubeObject>(options: CreateOrUpdateOptions<T>): Promise<Written<T>> {
  const existing = await find(options);
  if (existing === undefined) return create(options);
  const wanted = await mutated(existing, options.mutate);
  if (deepEqual(existing, wanted)) return { result: 'unchanged', object: existing };
  const { client, resource, signal } = options;
  return { result: 'updated', object: await client.update<T>(resource, wanted, { signal }) };
}

/** As {@link createOrUpdate}, sending what differs only, the status on its own path. */
export async function createOrPatch<T extends KubeObject>(options: CreateOrUpdateOptions<T>): Promise<Written<T>> {
  const existing = await find(options);
  if (existing === undefined) return create(options);
  const { client, resource, signal } = options;
  const wanted = await mutated(existing, options.mutate);
  const hasNewStatus = !deepEqual(existing['status'], wanted['status']);
  const rest = { ...wanted, status: existing['status'] } as T;
  const hasNewRest = !deepEqual(existing, rest);
  let object = existing;
  if (hasNewRest) object = await patchFrom(client, resource, { before: existing, after: rest }, { signal });
  if (hasNewStatus) {
    const after = { ...existing, status: wanted['status'] } as T;
    object = await patchFrom(client, resource, { before: existing, after }, { signal, subresource: 'status' });
  }
  if (hasNewStatus) return { result: hasNewRest ? 'updatedStatus' : 'updatedStatusOnly', object };
  return { result: hasNewRest ? 'updated' : 'unchanged', object };
}
