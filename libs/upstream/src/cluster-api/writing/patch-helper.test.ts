import { systemRandom } from '@capstan/kube';
import type { Client, Patch, Reader } from '@capstan/kube';
import { applyMergePatch, apiErrors } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { describe, expect, it } from 'vitest';
import { ManualClock } from '@capstan/kube/testing';
import { mark } from '../conditions/conditions.js';
import type { Machine } from '../types.js';
import { v1beta2Codec } from './codec.js';
import { CoreObjects } from './core-objects.js';
import { PatchHelper } from './patch-helper.js';
import { plain } from './plain.js';

const NOW = '2026-01-01T00:00:00Z';
const OWNED = { owned: ['Ready', 'Paused'], ownedOld: [] };

const machine = (metadata: object = {}): Machine =>
  ({
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Machine',
    metadata: { name: 'm', namespace: 'n', resourceVersion: '1', generation: 1, ...metadata },
    spec: { clusterName: 'one' },
  }) as Machine;

/** A server of one object, whose spec has generations; the cache has what it had at first. */
class OneObject {
  readonly sent: [part: string, value: unknown][] = [];
  readonly cached: Machine;
  #now: KubeObject;

  constructor(cached: Machine, now: KubeObject = cached) {
    this.cached = cached;
    this.#now = now;
  }

  readonly #patch = (_: unknown, __: string, patch: Patch, options: { subresource?: string }): Promise<KubeObject> => {
    const { metadata: { resourceVersion: lock, ...metadata } = {}, ...value } = patch.value as Partial<KubeObject>;
    const { generation = 0, resourceVersion } = this.#now.metadata;
    if (lock !== undefined && lock !== resourceVersion)
      return Promise.reject(apiErrors.conflict({ group: '', resource: 'machines' }, 'm', 'changed'));
    this.sent.push([options.subresource ?? 'object', patch.value]);
    const next = applyMergePatch(this.#now, { ...value, metadata }) as KubeObject;
    const of = value.spec === undefined ? generation : generation + 1;
    this.#now = {
      ...next,
      metadata: { ...next.metadata, resourceVersion: `${Number(resourceVersion) + 1}`, generation: of },
    };
    return Promise.resolve(this.#now);
  };

  helper(object: Machine): PatchHelper<Machine> {
    const clock = new ManualClock();
    const cache = { get: () => Promise.resolve(this.cached) } as unknown as Reader;
    const client = { patch: this.#patch } as unknown as Client;
    const objects = new CoreObjects({ cache, client, codec: v1beta2Codec });
    return new PatchHelper('Machine', object, { objects, clock, random: systemRandom('helper') });
  }
}

const ready = (object: Machine) => (): void => mark(object, { type: 'Ready', status: 'True', reason: 'R' }, NOW);

describe('what was changed of an object', () => {
  it('is written spec first, so that the status speaks of the generation there is then', async () => {
    const server = new OneObject(machine());
    const object = machine();
    const helper = server.helper(object);
    mark(object, { type: 'Paused', status: 'False', reason: 'NotPaused' }, NOW);
    object.spec.providerID = 'p';
    await helper.patch(object, { ...OWNED, isObserved: true, setStatus: ready(object) });
    expect(server.sent.map(([part]) => part)).toEqual(['object', 'status']);
    const [, [, body] = []] = server.sent;
    const { status } = body as Machine;
    expect(status?.observedGeneration).toBe(2);
    expect(status?.conditions?.map(({ type, observedGeneration }) => [type, observedGeneration])).toEqual([
      ['Ready', 2],
      ['Paused', 2],
    ]);
  });

  it('is written status first when the object is going: its last finalizer may keep it', async () => {
    const going = machine({ deletionTimestamp: NOW, finalizers: ['f'] });
    const server = new OneObject(going);
    const object = { ...going, metadata: { ...going.metadata, finalizers: [] } };
    const helper = server.helper(going);
    await helper.patch(object, { ...OWNED, setStatus: ready(object) });
    expect(server.sent.map(([part]) => part)).toEqual(['status', 'object']);
  });

  it('sends nothing when nothing has changed', async () => {
    const object = machine();
    ready(object)();
    const server = new OneObject(object);
    const helper = server.helper(object);
    await helper.patch(object, { ...OWNED, isObserved: true, setStatus: ready(object) });
    expect(server.sent).toEqual([]);
    expect(helper.version).toBe('1');
  });
});

describe('the version that has what was decided and nothing else', () => {
  const versionAfter = async (server: OneObject, change: (object: Machine) => void): Promise<string | undefined> => {
    const object = machine();
    const helper = server.helper(object);
    change(object);
    await helper.patch(object, { ...OWNED, setStatus: ready(object) }).catch(() => undefined);
    return helper.version;
  };

  it('is that of the status that was written', async () => {
    expect(await versionAfter(new OneObject(machine()), () => undefined)).toBe('2');
  });

  it('is that of the status that was written after the spec', async () => {
    expect(await versionAfter(new OneObject(machine()), (object) => (object.spec.providerID = 'p'))).toBe('3');
  });

  it.each([
    ['metadata', machine({ resourceVersion: '5', annotations: { some: 'note' } })],
    ['spec', { ...machine({ resourceVersion: '5' }), spec: { clusterName: 'one', version: 'v2' } }],
    ['status', { ...machine({ resourceVersion: '5' }), status: { phase: 'Running' } }],
  ])('is not known after the spec was written when another client had written the %s before', async (_, now) => {
    const change = (object: Machine): string => (object.spec.providerID = 'p');
    expect(await versionAfter(new OneObject(machine(), now as KubeObject), change)).toBeUndefined();
  });

  it('is not known where the status went onto another version than was decided on', async () => {
    const other = machine({ resourceVersion: '5' });
    expect(await versionAfter(new OneObject(other), () => undefined)).toBeUndefined();
  });
});

it('leaves what has nothing undefined as it is, and takes out what has', () => {
  const kept = { list: [{ a: 1 }], value: null };
  expect(plain(kept)).toBe(kept);
  const cleaned = plain({ kept, gone: undefined, list: [1, { gone: undefined, b: 2 }] });
  expect(cleaned).toStrictEqual({ kept, list: [1, { b: 2 }] });
  expect(cleaned.kept).toBe(kept);
});
