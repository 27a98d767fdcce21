import type { Machine } from '@capstan/api/cluster-api';
import { describe, expect, it } from 'vitest';
import { HOME, KEY, pool } from '../testing/snapshots.js';
import { desiredMachineDeployment } from './machine-deployment.js';
import { labelMachines } from './labels.js';
import { HARBOUR_MACHINE_TEMPLATES } from '@capstan/provider/testing';

const TAINTS = [{ key: 'gpu', value: 'yes', effect: 'NoSchedule' }] as const;
const WANTED = { replicas: 1, nodeLabels: { zone: 'a' }, taints: [...TAINTS] };
const ZONE = 'managed.hypershift.openshift.io.zone';
const TAINTS_KEY = 'hypershift.openshift.io/nodePoolTaints';

/** A machine as a MachineDeployment of the pool makes it. */
function born(spec: Parameters<typeof pool>[0]): Machine {
  const { spec: deployment } = desiredMachineDeployment(
    {
      pool: pool(spec),
      key: KEY,
      namespace: HOME,
      infraID: 'infra',
      label: 'infra-example-workers',
      version: '4.22.0',
      hash: 'abcd1234',
      userData: 'user-data',
      template: { kind: HARBOUR_MACHINE_TEMPLATES, name: 'workers-01234567' },
      isInterruptible: false,
      scalesFromZero: true,
    },
    undefined,
  );
  const metadata = { name: 'one', namespace: HOME, ...deployment.template.metadata };
  return { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Machine', metadata } as Machine;
}

/** What is written of labels and taints. */
function written(spec: Parameters<typeof pool>[0], machine: Machine): readonly unknown[] {
  return labelMachines(pool(spec), [machine]).map((change) => {
    if (change.verb !== 'patch') return change.verb;
    const { annotations, labels } = change.after.metadata;
    return [labels?.[ZONE], annotations?.[TAINTS_KEY]];
  });
}

describe('machines', () => {
  it.each([
    ['that are born with all need nothing', WANTED, WANTED, []],
    ['that need nothing are born with that', { replicas: 1 }, { replicas: 1 }, []],
    ['get other labels', { ...WANTED, nodeLabels: { zone: 'b' } }, WANTED, [['b', JSON.stringify(TAINTS)]]],
    ['lose labels', { ...WANTED, nodeLabels: {} }, WANTED, [[undefined, JSON.stringify(TAINTS)]]],
    ['get taints', WANTED, { ...WANTED, taints: [] }, [['a', JSON.stringify(TAINTS)]]],
    ['get an empty list when there are none any more', { ...WANTED, taints: [] }, WANTED, [['a', '[]']]],
  ])('%s', (_, wanted, before, expected) => {
    expect(written(wanted, born(before))).toEqual(expected);
  });

  it('that were created before, or by another client, get them', () => {
    const machine = born({ replicas: 1 });
    const strange = { ...machine, metadata: { ...machine.metadata, annotations: {} } };
    expect(written({ replicas: 1 }, strange)).toEqual([[undefined, '[]']]);
  });

  it('that go are left alone', () => {
    const machine = born(WANTED);
    const going = { ...machine, metadata: { ...machine.metadata, deletionTimestamp: '2030-01-01T00:00:00Z' } };
    expect(written({ ...WANTED, nodeLabels: {} }, going)).toEqual([]);
  });
});
