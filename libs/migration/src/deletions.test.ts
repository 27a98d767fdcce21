import type { KubeObject } from '@capstan/meta';
import { CLUSTER_API_RULES, GroupMapping } from '@capstan/translate';
import { describe, expect, it } from 'vitest';
import { pendingCollections } from './deletions.js';

const MAPPING = new GroupMapping(CLUSTER_API_RULES);
const API = 'cluster.x-k8s.io/v1beta2';

interface Given {
  readonly owner?: string;
  readonly ownerApi?: string;
  readonly isBlocking?: boolean;
  readonly finalizers?: readonly string[];
  readonly isDeleted?: boolean;
}

function object(name: string, { finalizers, isBlocking = true, isDeleted, owner, ownerApi = API }: Given): KubeObject {
  const reference = {
    apiVersion: ownerApi,
    kind: 'Owner',
    name: owner,
    uid: `uid-${owner}`,
    blockOwnerDeletion: isBlocking,
  };
  return {
    apiVersion: API,
    kind: 'Machine',
    metadata: {
      name,
      uid: `uid-${name}`,
      ...(owner === undefined ? {} : { ownerReferences: [reference] }),
      ...(finalizers === undefined ? {} : { finalizers }),
      ...(isDeleted === true ? { deletionTimestamp: '2026-01-01T00:00:00Z' } : {}),
    },
  } as KubeObject;
}

describe('Before objects are copied', () => {
  it.each<[string, Given, Given, string | undefined]>([
    [
      'a deletion that finalizers hold is not waited for',
      {},
      { finalizers: ['m'], isDeleted: true, owner: 'set' },
      undefined,
    ],
    [
      'a deletion whose owner is gone is not waited for',
      {},
      { finalizers: ['m'], isDeleted: true, owner: 'gone' },
      undefined,
    ],
    ['an object whose owner is gone is waited for', {}, { owner: 'gone' }, 'its owner gone is deleted'],
    ['an object whose owner is of no moved group is not waited for', {}, { owner: 'gone', ownerApi: 'v1' }, undefined],
    [
      'an object whose owner is deleted by its controller is not waited for',
      { finalizers: ['s'], isDeleted: true },
      { owner: 'set' },
      undefined,
    ],
    [
      'an object that is to be deleted before its owner is waited for',
      { finalizers: ['foregroundDeletion'], isDeleted: true },
      { owner: 'set' },
      'it is deleted with set',
    ],
    [
      'an object that does not block the deletion of its owner is not waited for',
      { finalizers: ['foregroundDeletion'], isDeleted: true },
      { owner: 'set', isBlocking: false },
      undefined,
    ],
    [
      'an object that is deleted before its owner is not waited for',
      { finalizers: ['foregroundDeletion'], isDeleted: true },
      { owner: 'set', finalizers: ['m'], isDeleted: true },
      undefined,
    ],
    [
      'a deletion that orphans is waited for',
      {},
      { finalizers: ['orphan'], isDeleted: true },
      'its dependents are orphaned',
    ],
  ])('%s', (_, set, machine, reason) => {
    const found = pendingCollections([object('set', set), object('machine', machine)], MAPPING);
    expect(found.map((each) => each.reason)).toEqual(reason === undefined ? [] : [reason]);
  });
});
