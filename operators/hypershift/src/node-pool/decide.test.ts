import { ReleaseError } from '@capstan/release';
import { describe, expect, it } from 'vitest';
import { decide } from './decide.js';
import { hosted, NOW_MS, owned, pool, snapshot } from './testing/snapshots.js';
import type { Changes } from './testing/snapshots.js';

const LATER = '2026-01-01T12:10:00Z';
const IN_PLACE = { management: { upgradeType: 'InPlace' } } as const;

/** The changes that are decided, `verb Kind`, and the conditions that are false. */
function outcome(changes: Changes): { readonly changes: readonly string[]; readonly failing: readonly string[] } {
  const { changes: decided, conditions } = decide(snapshot(changes));
  const failing = [...conditions].flatMap(([type, value]) => (value?.status === 'False' ? [type] : []));
  return { changes: decided.map(({ kind, verb }) => `${verb} ${kind.kind}`), failing };
}

describe('a NodePool', () => {
  it.each<[string, Changes, readonly string[]]>([
    [
      'gets its Secrets, template and MachineDeployment, in this order',
      {},
      ['create Secret', 'create Secret', 'apply HarbourMachineTemplate', 'create MachineDeployment'],
    ],
    [
      'that is upgraded in place gets a MachineSet',
      { nodePool: pool(IN_PLACE) },
      ['create Secret', 'create Secret', 'apply HarbourMachineTemplate', 'create MachineSet'],
    ],
    [
      'that is paused has its MachineDeployment paused, and nothing else changed',
      pausedPool(),
      ['patch MachineDeployment'],
    ],
    ['of a HostedCluster that is deleted is left as it is', { hostedCluster: deleted() }, []],
    [
      'whose release cannot be read is left as it is',
      { release: { error: new ReleaseError('NotFound', 'no such image') } },
      [],
    ],
    ['without an ignition endpoint is left as it is', { ignitionCa: undefined }, []],
  ])('%s', (_, changes, expected) => {
    expect(outcome(changes).changes).toEqual(expected);
  });

  it.each<[string, Changes, string]>([
    ['an unreadable release', { release: { error: new ReleaseError('NotFound', 'none') } }, 'ValidReleaseImage'],
    ['a missing ignition certificate', { ignitionCa: undefined }, 'IgnitionEndpointAvailable'],
    ['a missing template CRD', { missingKinds: ['harbourmachinetemplates.example.com'] }, 'ValidMachineTemplate'],
    ['a pause', pausedPool(), 'ReconciliationActive'],
  ])('reports %s as a false condition', (_, changes, type) => {
    expect(outcome(changes).failing).toContain(type);
  });

  it('is reconciled again when its pause ends', () => {
    expect(decide(snapshot(pausedPool())).againInMs).toBe(Date.parse(LATER) - NOW_MS);
  });
});

function pausedPool(): Changes {
  const machineDeployment = owned('MachineDeployment', 'workers') as never;
  return { nodePool: pool({ pausedUntil: LATER }), existing: { machineDeployment } };
}

function deleted(): ReturnType<typeof hosted> {
  const cluster = hosted();
  return { ...cluster, metadata: { ...cluster.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } };
}
