import type { Machine, MachineDeployment, MachineHealthCheck, MachineSet } from '@capstan/api/cluster-api';
import { HARBOUR_MACHINE_TEMPLATES } from '@capstan/provider/testing';
import { describe, expect, it } from 'vitest';
import { decideDeletion } from './decide.js';
import type { Existing } from '../snapshot.js';
import { KEY, NOTHING_EXISTING, owned, ownSecret } from '../testing/snapshots.js';

const going = { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } };
const paused = {
  metadata: { annotations: { 'hypershift.openshift.io/nodePool': KEY, 'cluster.x-k8s.io/paused': 'true' } },
};
const deployment = (more = {}) => owned<MachineDeployment>('MachineDeployment', 'workers', more);
const rest: Partial<Existing> = {
  templates: [owned('HarbourMachineTemplate', 'workers-1')],
  secrets: [ownSecret('token-workers-1')],
};

describe('a pool that goes', () => {
  it.each<[string, Partial<Existing>, readonly string[], readonly boolean[]]>([
    ['nothing is left', {}, [], [false, true]],
    [
      'first what repairs and what makes machines',
      {
        machineDeployment: deployment(),
        healthChecks: [owned<MachineHealthCheck>('MachineHealthCheck', 'workers')],
        ...rest,
      },
      ['delete MachineHealthCheck workers', 'delete MachineDeployment workers'],
      [true, false],
    ],
    [
      'what is paused goes on first',
      { machineDeployment: deployment(paused) },
      ['patch MachineDeployment workers'],
      [true, false],
    ],
    ['what goes is waited for', { machineDeployment: deployment(going), ...rest }, [], [true, false]],
    ['machines are waited for', { machines: [owned<Machine>('Machine', 'm', going)], ...rest }, [], [true, false]],
    [
      'a set in place too',
      { machineSet: owned<MachineSet>('MachineSet', 'workers') },
      ['delete MachineSet workers'],
      [true, false],
    ],
    [
      'then the rest',
      rest,
      ['delete HarbourMachineTemplate workers-1', 'delete Secret token-workers-1'],
      [false, false],
    ],
    [
      'never what belongs to others',
      {
        machineDeployment: deployment({
          metadata: { annotations: { 'hypershift.openshift.io/nodePool': 'a/workers' } },
        }),
      },
      [],
      [false, true],
    ],
  ])('%s', (_, existing, changes, flags) => {
    const decided = decideDeletion({ ...NOTHING_EXISTING, ...existing }, KEY, HARBOUR_MACHINE_TEMPLATES);
    const written = decided.changes.map((change) => {
      const object = change.verb === 'patch' ? change.before : change.object;
      return `${change.verb} ${object.kind} ${object.metadata.name}`;
    });
    expect(written).toEqual(changes);
    expect([decided.hasMachines, decided.isGone]).toEqual(flags);
  });
});
