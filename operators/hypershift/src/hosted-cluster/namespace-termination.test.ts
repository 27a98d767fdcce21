import type { KubeObject } from '@capstan/meta';
import { describe, expect, it } from 'vitest';
import { terminateNamespaceObjects } from './namespace-termination.js';
import type { NamespaceContents } from './namespace-termination.js';

const NOTHING: NamespaceContents = {
  infrastructureMachines: [],
  machines: [],
  machineSets: [],
  clusters: [],
  infrastructureClusters: [],
  isExternal: true,
  programs: [],
  controlPlanes: [],
  hasOperator: false,
};
const going = (kind: string, ...finalizers: string[]): KubeObject => ({
  apiVersion: 'v1',
  kind,
  metadata: { name: 'a', deletionTimestamp: '2026-01-01T00:00:00Z', finalizers },
});
const IN_CLOUD = going('HarbourMachine', 'harbourmachine.infrastructure.cluster.x-k8s.io');
const MACHINE = going('Machine', 'machine.cluster.x-k8s.io', 'example.com/hold');
const SET = going('MachineSet', 'cluster.x-k8s.io/machineset');
const CLUSTER = going('Cluster', 'cluster.cluster.x-k8s.io');
const INFRA = going('HarbourCluster', 'harbourcluster.infrastructure.cluster.x-k8s.io');
const PROGRAM = going('Deployment', 'hypershift.openshift.io/component-finalizer');
const PLANE = going('HostedControlPlane', 'hypershift.openshift.io/finalizer');

describe('a control plane namespace that is being deleted', () => {
  it.each<[string, Partial<NamespaceContents>, readonly string[], readonly string[]]>([
    ['nothing is left', {}, [], []],
    [
      'an instance may run: only what stands for nothing outside is let go',
      {
        infrastructureMachines: [IN_CLOUD],
        machines: [MACHINE],
        machineSets: [SET],
        clusters: [CLUSTER],
        infrastructureClusters: [INFRA],
        programs: [PROGRAM],
        controlPlanes: [PLANE],
      },
      ['MachineSet '],
      ['HarbourMachine a'],
    ],
    [
      'no instance is left: its Machine goes, but for what others hold',
      { machines: [MACHINE] },
      ['Machine example.com/hold'],
      [],
    ],
    [
      'no Machine is left',
      { clusters: [CLUSTER], infrastructureClusters: [INFRA] },
      ['Cluster ', 'HarbourCluster '],
      [],
    ],
    [
      'infrastructure that a controller would delete',
      { clusters: [CLUSTER], infrastructureClusters: [INFRA], isExternal: false },
      [],
      ['HarbourCluster a'],
    ],
    ['no Cluster is left', { programs: [PROGRAM], controlPlanes: [PLANE] }, ['Deployment ', 'HostedControlPlane '], []],
    ['the control plane operator is still there', { controlPlanes: [PLANE], hasOperator: true }, [], []],
    [
      'what is not deleted is not touched',
      { machines: [{ ...MACHINE, metadata: { name: 'a', finalizers: ['machine.cluster.x-k8s.io'] } }] },
      [],
      [],
    ],
  ])('%s', (_, changes, finished, held) => {
    const end = terminateNamespaceObjects({ ...NOTHING, ...changes });
    expect(end.finished.map(({ after }) => `${after.kind} ${(after.metadata.finalizers ?? []).join()}`)).toEqual(
      finished,
    );
    expect(end.held).toEqual(held);
  });
});
