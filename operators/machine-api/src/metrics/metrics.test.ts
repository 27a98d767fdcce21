import { renderMetrics } from '@capstan/meta';
import { expect, it } from 'vitest';
import type { Authored } from '../shared/model.js';
import { machineApiMetrics } from './metrics.js';

const NOW = Date.parse('2026-01-01T01:00:00Z');

function machine(name: string, authority: string, wanted: string, conditions: readonly object[]): Authored {
  return {
    apiVersion: 'machine.openshift.io/v1beta1',
    kind: 'Machine',
    metadata: { name },
    spec: { authoritativeAPI: wanted },
    status: { authoritativeAPI: authority, conditions },
  } as Authored;
}

const at = { lastTransitionTime: '2026-01-01T00:50:00Z' };
const synchronized = { type: 'Synchronized', status: 'True', reason: 'ResourceSynchronized', ...at };
const failed = { type: 'Synchronized', status: 'False', reason: 'ConversionFailed', ...at };
const waiting = { type: 'AuthorityHandover', status: 'False', reason: 'WaitingForSynchronization', ...at };

it('Metrics count resources, what does not agree, and how long a change of authority is waited for', () => {
  const objects: readonly Authored[] = [
    machine('a', 'MachineAPI', 'MachineAPI', [synchronized]),
    machine('b', 'MachineAPI', 'MachineAPI', [synchronized, waiting]),
    machine('c', 'MachineAPI', 'ClusterAPI', [failed, waiting]),
  ];
  const families = machineApiMetrics({
    clock: { now: () => NOW },
    objects: () => objects.map((each) => ['Machine', each]),
  });
  const lines = renderMetrics(families)
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  expect(lines.toSorted()).toEqual([
    'machine_api_migration_pending_seconds{kind="Machine",name="c",reason="WaitingForSynchronization"} 600',
    'machine_api_migration_resources{kind="Machine",authority="MachineAPI",synchronized="False"} 1',
    'machine_api_migration_resources{kind="Machine",authority="MachineAPI",synchronized="True"} 2',
    'machine_api_migration_unsynchronized{kind="Machine",reason="ConversionFailed"} 1',
  ]);
});
