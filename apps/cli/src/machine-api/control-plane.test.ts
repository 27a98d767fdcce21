import { MIRRORED } from '@capstan/machine-api/manifests';
import { describe, expect, it } from 'vitest';
import { PAIRS } from './read.js';
import { resourceStatus } from './resource.js';
import { readName } from './steps.js';
import { inTree, nameOf } from './tree.js';

const object = (kind: string, name: string): { apiVersion: string; kind: string; metadata: { name: string } } => ({
  apiVersion: 'machine.openshift.io/v1',
  kind,
  metadata: { name },
});

describe('Commands about machines', () => {
  it('know every kind that the operator mirrors: what a downgrade leaves out could never be deleted', () => {
    expect(PAIRS.map(([, machineApi]) => machineApi.plural).toSorted()).toEqual(MIRRORED.toSorted());
  });

  it('show the control plane first, and take it by its name', () => {
    const kinds = ['MachineHealthCheck', 'Machine', 'MachineSet', 'ControlPlaneMachineSet'] as const;
    const all = kinds.map((kind) =>
      resourceStatus({ kind, machineApi: object(kind, 'x'), clusterApi: object(kind, 'x') }),
    );
    expect(inTree(all).map(nameOf)).toEqual([
      'controlplanemachineset/x',
      'machineset/x',
      'machine/x',
      'machinehealthcheck/x',
    ]);
    expect(readName('controlplanemachineset/x')).toEqual({ kind: 'ControlPlaneMachineSet', name: 'x' });
  });
});
