import type { Client } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import { describe, expect, it } from 'vitest';
import { DEPLOYMENTS } from '../kinds.js';
import { decideWrite, finished, isOurs } from './decide.js';
import type { Owner } from './decide.js';
import { OwnedObjects } from './owned-objects.js';
import { Remembered } from './remembered.js';
import { Settled } from './settled.js';
import { Snapshot } from './snapshot.js';
import { isSubset } from './subset.js';

describe('what is wanted is there', () => {
  it.each<[unknown, unknown]>([
    [{ a: 1 }, { a: 1, b: 2 }],
    [{ a: undefined }, {}],
    [{ a: {} }, {}],
    [{ a: [] }, {}],
    [[{ name: 'b', x: 1 }], [{ name: 'a' }, { name: 'b', x: 1, y: 2 }]],
    [
      ['a', 'b'],
      ['a', 'b'],
    ],
  ])('%j in %j', (wanted, actual) => {
    expect(isSubset(wanted, actual)).toBe(true);
  });

  it.each<[unknown, unknown]>([
    [{ a: 1 }, { a: 2 }],
    [{ a: 1 }, {}],
    [{ a: ['x'] }, {}],
    [['a'], ['a', 'b']],
    [
      ['b', 'a'],
      ['a', 'b'],
    ],
    [[{ name: 'b' }], [{ name: 'a' }]],
    [{ __proto__: null, toString: 'x' }, {}],
    [[{ key: 'a' }], [{ key: 'a' }, { key: 'b' }]],
  ])('%j is not in %j', (wanted, actual) => {
    expect(isSubset(wanted, actual)).toBe(false);
  });
});

const PLANE: KubeObject = {
  apiVersion: 'hypershift.openshift.io/v1beta1',
  kind: 'HostedControlPlane',
  metadata: { name: 'one', namespace: 'clusters-one', uid: 'u1' },
};
const OWNER: Owner = { object: PLANE, cluster: 'clusters/one' };

function deployment(spec: object): KubeObject {
  return { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'd' }, spec } as KubeObject;
}

function written(spec: object): KubeObject {
  const object = finished(deployment(spec), OWNER);
  return { ...object, metadata: { ...object.metadata, uid: 'u2', resourceVersion: '7' } };
}

const CONTAINERS = {
  template: { spec: { containers: [{ name: 'c', image: 'i', resources: { requests: { cpu: '1' } } }] } },
};

describe('an object is written', () => {
  it('with its owner, its label, its cluster and a hash of itself', () => {
    const { metadata } = finished(deployment({ replicas: 1 }), OWNER);
    expect(metadata).toMatchObject({
      namespace: 'clusters-one',
      labels: { 'hypershift.openshift.io/managed-by': 'control-plane-operator' },
      annotations: { 'hypershift.openshift.io/cluster': 'clusters/one' },
      ownerReferences: [{ kind: 'HostedControlPlane', name: 'one', uid: 'u1', controller: true }],
    });
    expect(metadata.annotations?.['capstan.dev/wanted']).not.toBe(
      finished(deployment({ replicas: 2 }), OWNER).metadata.annotations?.['capstan.dev/wanted'],
    );
  });

  it('when there is none', () => {
    expect(decideWrite(finished(deployment({}), OWNER), undefined, OWNER)).toMatchObject({ do: 'create' });
  });

  it('not when it is there, whatever the server and others have added', () => {
    const existing = written({ ...CONTAINERS, replicas: 1 });
    const grown = { ...existing, spec: { ...(existing['spec'] as object), progressDeadlineSeconds: 600 } };
    expect(decideWrite(finished(deployment({ ...CONTAINERS, replicas: 1 }), OWNER), grown, OWNER)).toEqual({
      do: 'keep',
    });
  });

  it('when a field is no longer wanted', () => {
    const existing = written({ ...CONTAINERS, paused: true });
    const decision = decideWrite(finished(deployment(CONTAINERS), OWNER), existing, OWNER);
    expect(decision).toMatchObject({ do: 'update', object: { metadata: { resourceVersion: '7' } } });
    expect(decision).not.toHaveProperty('object.spec.paused');
  });

  it('with the requests that somebody has tuned', () => {
    const tuned = {
      template: { spec: { containers: [{ name: 'c', image: 'i', resources: { requests: { cpu: '9' } } }] } },
    };
    const existing = { ...written(CONTAINERS), spec: tuned };
    expect(decideWrite(finished(deployment(CONTAINERS), OWNER), existing, OWNER)).toEqual({ do: 'keep' });
  });

  it('with what a Service was given', () => {
    const service = (spec: object): KubeObject => ({ ...deployment(spec), apiVersion: 'v1', kind: 'Service' });
    const ports = [{ name: 'client', port: 6443 }];
    const base = finished(service({ type: 'ClusterIP', ports }), OWNER);
    const existing = {
      ...base,
      spec: { type: 'ClusterIP', clusterIP: '10.0.0.1', ports: [{ name: 'client', port: 6443, nodePort: 30_000 }] },
    };
    const wanted = finished(service({ type: 'NodePort', ports }), OWNER);
    expect(decideWrite(wanted, existing, OWNER)).toMatchObject({
      do: 'update',
      object: { spec: { type: 'NodePort', clusterIP: '10.0.0.1', ports: [{ nodePort: 30_000 }] } },
    });
  });

  it('never over one of somebody else', () => {
    const foreign = written({});
    const { ownerReferences: _, ...metadata } = foreign.metadata;
    const stranger = { ...foreign, metadata };
    expect(isOurs(foreign, OWNER)).toBe(true);
    expect(isOurs(stranger, OWNER)).toBe(false);
    expect(decideWrite(finished(deployment({}), OWNER), stranger, OWNER)).toEqual({
      do: 'refuse',
      message: 'Deployment clusters-one/d exists and was not made for this control plane: delete or rename it',
    });
    const other: Owner = { ...OWNER, object: { ...PLANE, metadata: { ...PLANE.metadata, uid: 'u9' } } };
    expect(decideWrite(finished(deployment({}), other), foreign, other)).toMatchObject({ do: 'refuse' });
  });
});

it('what is settled is so until its key, its objects or its time change', () => {
  const settled = new Settled();
  const [a, b] = [deployment({}), deployment({})];
  settled.settle('ns/one', 'pki', { key: 'k', objects: [a, undefined], untilMs: 100 });
  const ask = (key: string, objects: (KubeObject | undefined)[], nowMs: number): number | undefined =>
    settled.until('ns/one', 'pki', { key, objects, nowMs });
  expect(ask('k', [a, undefined], 99)).toBe(100);
  expect(ask('k', [a, undefined], 100)).toBeUndefined();
  expect(ask('other', [a, undefined], 0)).toBeUndefined();
  expect(ask('k', [b, undefined], 0)).toBeUndefined();
  expect(ask('k', [a], 0)).toBeUndefined();
  settled.forget('ns/one');
  expect(ask('k', [a, undefined], 0)).toBeUndefined();
});

describe('what is settled stays so', () => {
  const V1 = { name: 'd', uid: 'u', resourceVersion: '1', generation: 1, labels: { a: 'b' } };
  const of = (metadata: object): KubeObject => ({ apiVersion: 'apps/v1', kind: 'Deployment', metadata });

  it.each<[string, object, object, [wish: boolean, status: boolean]]>([
    ['when the cache shows what was written', V1, V1, [true, true]],
    ['where only its status is another', V1, { ...V1, resourceVersion: '2' }, [true, false]],
    ['unless something else is asked', V1, { ...V1, resourceVersion: '2', generation: 2 }, [false, false]],
    ['unless its labels are others', V1, { ...V1, resourceVersion: '2', labels: {} }, [false, false]],
    ['unless it is another of that name', V1, { ...V1, uid: 'v' }, [false, false]],
    ['unless it is to go', V1, { ...V1, resourceVersion: '2', deletionTimestamp: 't' }, [false, false]],
    [
      'unless no generation tells',
      { name: 's', uid: 'u', resourceVersion: '1' },
      { name: 's', uid: 'u', resourceVersion: '2' },
      [false, false],
    ],
    ['unless no server has told its version', { name: 's', uid: 'u' }, { name: 's', uid: 'u' }, [false, false]],
  ])('%s', (_, before, after, stays) => {
    const ask = (isOfStatus: boolean): boolean => {
      const settled = new Settled();
      settled.settle('ns/one', 'd', { key: 'k', objects: [of(before)] });
      const question = { key: 'k', objects: [of(after)], nowMs: 0, isOfStatus };
      return settled.until('ns/one', 'd', question) !== undefined;
    };
    expect([ask(false), ask(true)]).toEqual(stays);
  });
});

it('what is remembered is made again when it would be made from something else', () => {
  const remembered = new Remembered<object>();
  const first = remembered.of('ns/one', 'a', () => ({}));
  expect(remembered.of('ns/one', 'a', () => ({}))).toBe(first);
  expect(remembered.of('ns/two', 'a', () => ({}))).not.toBe(first);
  expect(remembered.of('ns/one', 'b', () => ({}))).not.toBe(first);
  const again = remembered.of('ns/one', 'a', () => ({}));
  expect(again).not.toBe(first);
  remembered.forget('ns/one');
  expect(remembered.of('ns/one', 'a', () => ({}))).not.toBe(again);
});

describe('what comes back from the server', () => {
  const template = { template: { spec: {} } };
  const written = async (change: (object: KubeObject) => KubeObject): Promise<boolean> => {
    const client = { create: (_: unknown, object: KubeObject) => Promise.resolve(change(object)) } as unknown as Client;
    const { signal } = new AbortController();
    const objects = new OwnedObjects({ client, snapshot: new Snapshot(), owner: OWNER, signal });
    return objects.areAsWanted([await objects.ensure(DEPLOYMENTS, deployment({ ...template, replicas: 1 }))]);
  };

  it('is as wanted with what it has filled in', async () => {
    expect(await written((object) => ({ ...object, spec: { ...template, replicas: 1, paused: false } }))).toBe(true);
  });

  it('has to be looked at again when somebody has changed it on its way', async () => {
    expect(await written((object) => ({ ...object, spec: { ...template, replicas: 2 } }))).toBe(false);
  });
});
