import { expect, it } from 'vitest';
import { manyOf } from './many.js';

const UID = '88a01d83-c37b-4082-9d31-9bf1aa0cffff';

const stored = (namespace: string, name: string, more: object = {}) => ({
  namespace,
  name,
  revision: 7,
  object: { apiVersion: 'v1', kind: 'Thing', metadata: { name, namespace, uid: UID, ...more } },
});

it('makes many clusters of one, with names, uids and owners of their own, and leaves the rest alone', () => {
  const objects = [
    stored('', 'clusters'),
    stored('', 'clusters-one'),
    stored('clusters', 'one-pool'),
    stored('clusters', 'onerous'),
    stored('clusters-one', 'machine', { ownerReferences: [{ name: 'one-pool', uid: UID }] }),
  ];
  const snapshot = {
    format: 1,
    revision: 9,
    compacted: 9,
    resources: [{ resource: 'things', oldest: 9, objects, events: [] }],
  } as const;
  const [{ objects: many } = { objects: [] }] = manyOf(snapshot, { home: 'clusters', name: 'one' }, 3).resources;
  expect(many.map(({ name, namespace }) => `${namespace}/${name}`)).toEqual([
    '/clusters',
    '/clusters-one',
    '/clusters-one1',
    '/clusters-one2',
    'clusters/one-pool',
    'clusters/one1-pool',
    'clusters/one2-pool',
    'clusters/onerous',
    'clusters-one/machine',
    'clusters-one1/machine',
    'clusters-one2/machine',
  ]);
  expect(many.at(-1)?.object.metadata).toEqual({
    name: 'machine',
    namespace: 'clusters-one2',
    uid: '88a01d83-c37b-4082-9d31-9bf1aa0c0002',
    ownerReferences: [{ name: 'one2-pool', uid: '88a01d83-c37b-4082-9d31-9bf1aa0c0002' }],
  });
});
