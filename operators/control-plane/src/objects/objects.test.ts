import type { Client, Desired } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import { describe, expect, it } from 'vitest';
import { DEPLOYMENTS } from '../kinds.js';
import { mergeOwned } from './merge.js';
import { controlPlaneOwner, isOurs } from './ownership.js';
import type { Owner } from './ownership.js';
import { OwnedObjects } from './owned-objects.js';
import { Remembered } from './remembered.js';
import { Settled } from './settled.js';
import { Snapshot } from './snapshot.js';

const PLANE: KubeObject = {
  apiVersion: 'hypershift.openshift.io/v1beta1',
  kind: 'HostedControlPlane',
  metadata: { name: 'one', namespace: 'clusters-one', uid: 'u1' },
};
const OWNER: Owner = { object: PLANE, cluster: 'clusters/one' };

function deployment(spec: object): KubeObject {
  return { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'd' }, spec } as KubeObject;
}

function marked(object: KubeObject, owner = OWNER): KubeObject & Desired {
  return controlPlaneOwner(owner).mark(object as Desired) as KubeObject & Desired;
}

function written(spec: object): KubeObject {
  const object = marked(deployment(spec));
  return { ...object, metadata: { ...object.metadata, uid: 'u2', resourceVersion: '7' } } as KubeObject;
}

const CONTAINERS = {
  template: { spec: { containers: [{ name: 'c', image: 'i', resources: { requests: { cpu: '1' } } }] } },
};

describe('an object of a control plane', () => {
  it('carries its owner, its label, its cluster and a hash of itself', () => {
    const { metadata } = marked(deployment({ replicas: 1 }));
    expect(metadata).toMatchObject({
      namespace: 'clusters-one',
      labels: { 'hypershift.openshift.io/managed-by': 'control-plane-operator' },
      annotations: { 'hypershift.openshift.io/cluster': 'clusters/one' },
      ownerReferences: [{ kind: 'HostedControlPlane', name: 'one', uid: 'u1', controller: true }],
    });
    expect(metadata.annotations?.['capstan.dev/wanted']).not.toBe(
      marked(deployment({ replicas: 2 })).metadata.annotations?.['capstan.dev/wanted'],
    );
  });

  it('is left alone when it is as desired, whatever the server and others have added', () => {
    const existing = written({ ...CONTAINERS, replicas: 1 });
    const grown = { ...existing, spec: { ...(existing['spec'] as object), progressDeadlineSeconds: 600 } };
    expect(mergeOwned(grown, marked(deployment({ ...CONTAINERS, replicas: 1 })))).toBe(grown);
  });

  it('is left alone while it is being deleted', () => {
    const existing = written({ replicas: 1 });
    const deleting = { ...existing, metadata: { ...existing.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } };
    expect(mergeOwned(deleting, marked(deployment({ replicas: 2 })))).toBe(deleting);
  });

  it('loses a field that is no longer desired', () => {
    const existing = written({ ...CONTAINERS, paused: true });
    const after = mergeOwned(existing, marked(deployment(CONTAINERS)));
    expect(after).toMatchObject({ metadata: { resourceVersion: '7' } });
    expect(after).not.toHaveProperty('spec.paused');
  });

  it('keeps resource requests that were tuned', () => {
    const tuned = {
      template: { spec: { containers: [{ name: 'c', image: 'i', resources: { requests: { cpu: '9' } } }] } },
    };
    const existing = { ...written(CONTAINERS), spec: tuned };
    expect(mergeOwned(existing, marked(deployment(CONTAINERS)))).toBe(existing);
  });

  it('keeps what a Service was allocated', () => {
    const service = (spec: object): KubeObject => ({ ...deployment(spec), apiVersion: 'v1', kind: 'Service' });
    const ports = [{ name: 'client', port: 6443 }];
    const base = marked(service({ type: 'ClusterIP', ports }));
    const existing = {
      ...base,
      spec: { type: 'ClusterIP', clusterIP: '10.0.0.1', ports: [{ name: 'client', port: 6443, nodePort: 30_000 }] },
    } as unknown as KubeObject;
    expect(mergeOwned(existing, marked(service({ type: 'NodePort', ports })))).toMatchObject({
      spec: { type: 'NodePort', clusterIP: '10.0.0.1', ports: [{ nodePort: 30_000 }] },
    });
  });

  it('is refused when it was created for another owner', () => {
    const existing = written({});
    const { ownerReferences: _, ...metadata } = existing.metadata;
    const stranger = { ...existing, metadata };
    expect([isOurs(existing, OWNER), isOurs(stranger, OWNER)]).toEqual([true, false]);
    expect(controlPlaneOwner(OWNER).refusal('Deployment', stranger).message).toBe(
      'Deployment clusters-one/d exists and was not created for this control plane: delete or rename it',
    );
    const other: Owner = { ...OWNER, object: { ...PLANE, metadata: { ...PLANE.metadata, uid: 'u9' } } };
    expect(controlPlaneOwner(other).owns(existing)).toBe(false);
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
      'unless it has no generation',
      { name: 's', uid: 'u', resourceVersion: '1' },
      { name: 's', uid: 'u', resourceVersion: '2' },
      [false, false],
    ],
    ['unless it has no resource version', { name: 's', uid: 'u' }, { name: 's', uid: 'u' }, [false, false]],
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
    return objects.areAsDesired([await objects.ensure(DEPLOYMENTS, deployment({ ...template, replicas: 1 }))]);
  };

  it('is as wanted with what it has filled in', async () => {
    expect(await written((object) => ({ ...object, spec: { ...template, replicas: 1, paused: false } }))).toBe(true);
  });

  it('is not settled when another client changed it in the meantime', async () => {
    expect(await written((object) => ({ ...object, spec: { ...template, replicas: 2 } }))).toBe(false);
  });
});
