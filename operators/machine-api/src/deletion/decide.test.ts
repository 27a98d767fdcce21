import type { KubeObject } from '@capstan/meta';
import { describe, expect, it } from 'vitest';
import { decideDeletion } from './decide.js';
import type { DeletionDecision, Presence } from './decide.js';
import { reachesClusterApi, reachesMachineApi } from './reach.js';
import type { Ownership } from './reach.js';

type Row = readonly [mapi: Presence, capi: Presence, source: 'MachineAPI' | 'ClusterAPI' | undefined, reaches: boolean];

describe('What a deletion is', () => {
  it.each<[string, Row, DeletionDecision]>([
    ['none', ['living', 'living', 'MachineAPI', false], 'none'],
    ['none of a machine without counterpart', ['living', 'absent', 'MachineAPI', true], 'none'],
    ['of the authoritative copy in Machine API', ['deleting', 'living', 'MachineAPI', false], 'finish'],
    ['of the authoritative copy in Cluster API', ['living', 'deleting', 'ClusterAPI', false], 'finish'],
    ['of both', ['deleting', 'deleting', 'ClusterAPI', false], 'finish'],
    ['of a machine that never had a counterpart', ['deleting', 'absent', 'MachineAPI', false], 'finish'],
    ['row 6: of the copy in Machine API, with owner', ['deleting', 'living', 'ClusterAPI', true], 'propagate'],
    ['row 7: of the copy in Machine API, without owner', ['deleting', 'living', 'ClusterAPI', false], 'detach'],
    ['row 12: of the copy in Cluster API, with owner', ['living', 'deleting', 'MachineAPI', true], 'propagate'],
    ['row 13: of the copy in Cluster API, without owner', ['living', 'deleting', 'MachineAPI', false], 'renew'],
    ['of what has no counterpart any more', ['deleting', 'absent', 'ClusterAPI', false], 'release'],
    ['of a machine of Cluster API alone', ['absent', 'deleting', undefined, false], 'release'],
    ['before any authority was set', ['deleting', 'absent', undefined, false], 'release'],
  ])('%s', (_, [mapi, capi, source, isReaching], expected) => {
    expect(decideDeletion({ mapi, capi, source, isReaching })).toBe(expected);
  });
});

const deleted = { deletionTimestamp: '2026-01-01T00:00:00Z' };
const set = (uid: string, metadata: object = {}): KubeObject => ({
  apiVersion: 'machine.openshift.io/v1beta1',
  kind: 'MachineSet',
  metadata: { name: 'workers', uid, ...metadata },
});
const machine = (uid?: string, kind = 'MachineSet'): KubeObject => ({
  apiVersion: 'machine.openshift.io/v1beta1',
  kind: 'Machine',
  metadata: {
    name: 'm',
    ...(uid && { ownerReferences: [{ apiVersion: 'x/v1', kind, name: 'workers', uid, controller: true }] }),
  },
});
const MAPI = set('mapi');
const CAPI = set('capi');
const owned = { mapi: machine('mapi'), capi: machine('capi') };
type Set = Ownership['set'];

describe('Whether the deletion of the copy in Machine API reaches the machine', () => {
  it.each<[string, Pick<Ownership, 'mapi' | 'capi'>, Set, boolean]>([
    ['of a set that stays', owned, { mapi: MAPI, capi: CAPI, authority: 'ClusterAPI' }, true],
    ['of a control plane', { mapi: machine('x', 'ControlPlaneMachineSet'), capi: machine() }, {}, true],
    ['without a set', { mapi: machine(), capi: machine() }, {}, false],
    [
      'deleted by the garbage collector in the foreground, after a set that is a mere copy',
      owned,
      { mapi: set('mapi', deleted), capi: CAPI, authority: 'ClusterAPI' },
      false,
    ],
    [
      'deleted in the foreground, after the authoritative set',
      owned,
      { mapi: set('mapi', deleted), capi: CAPI, authority: 'MachineAPI' },
      true,
    ],
    ['deleted in the background, after a set that is a mere copy', owned, { capi: CAPI }, false],
    ['deleted in the background, after both sets', owned, {}, true],
    ['left by a set that is a mere copy', { mapi: machine(), capi: machine('capi') }, { capi: CAPI }, false],
    [
      'created by a user for a machine of a mirrored set',
      { mapi: machine(), capi: machine('capi') },
      { mapi: MAPI, capi: CAPI },
      true,
    ],
  ])('%s', (_, copies, sets, expected) => {
    expect(reachesClusterApi({ ...copies, set: sets })).toBe(expected);
  });
});

describe('Whether the deletion of the copy in Cluster API reaches the machine', () => {
  it.each<[string, Pick<Ownership, 'mapi' | 'capi'>, Set, boolean]>([
    ['of a set that stays', owned, { mapi: MAPI, capi: CAPI, authority: 'MachineAPI' }, true],
    ['without a set', { mapi: machine(), capi: machine() }, {}, false],
    ['of a control plane', { mapi: machine('x', 'ControlPlaneMachineSet'), capi: machine() }, {}, true],
    [
      'after a set that is a mere copy',
      owned,
      { mapi: MAPI, capi: set('capi', deleted), authority: 'MachineAPI' },
      false,
    ],
    [
      'let go by a copy of its set that is created again',
      { mapi: machine('mapi'), capi: machine() },
      { mapi: MAPI, capi: set('capi', deleted), authority: 'MachineAPI' },
      false,
    ],
    [
      'without an owner, of a set that stays',
      { mapi: machine('mapi'), capi: machine() },
      { mapi: MAPI, capi: CAPI, authority: 'MachineAPI' },
      true,
    ],
    ['after the authoritative set', owned, { mapi: MAPI, capi: set('capi', deleted), authority: 'ClusterAPI' }, true],
    ['after a copy of a set that is gone', owned, { mapi: MAPI, authority: 'MachineAPI' }, false],
    ['after both sets', owned, {}, true],
  ])('%s', (_, copies, sets, expected) => {
    expect(reachesMachineApi({ ...copies, set: sets })).toBe(expected);
  });
});

describe('Whether the deletion of a copy reaches a machine of a control plane', () => {
  const kind = 'ControlPlaneMachineSet';
  const both = { mapi: machine('mapi', kind), capi: machine('capi', kind) };
  const gone = { mapi: set('mapi', deleted), capi: set('capi', deleted) };
  it.each<[string, Set, boolean]>([
    ['of a set that stays', { kind, mapi: MAPI, capi: CAPI, authority: 'MachineAPI' }, true],
    ['of a set without a copy', {}, true],
    ['after a copy of a set that was deleted', { kind, ...gone, authority: 'ClusterAPI' }, false],
    ['after a set that was deleted, and acted', { kind, ...gone, authority: 'MachineAPI' }, false],
    ['after a set that is gone', { kind }, false],
  ])('%s', (_, sets, expected) => {
    expect([reachesClusterApi({ ...both, set: sets }), reachesMachineApi({ ...both, set: sets })]).toEqual([
      expected,
      expected,
    ]);
  });
});
