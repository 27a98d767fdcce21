import type { MachineDeployment } from '@capstan/api/cluster-api';
import { HARBOUR_MACHINE_TEMPLATES } from '@capstan/provider/testing';
import type { JsonObject } from '@capstan/meta';
import { describe, expect, it } from 'vitest';
import { HOME, KEY, owned, pool } from '../testing/snapshots.js';
import { desiredMachineDeployment, isRolledOut } from './machine-deployment.js';
import { desiredMachineSet, isUpgraded } from './machine-set.js';
import { isUpdating } from './shared.js';
import type { MachinePlan } from './shared.js';

const LABEL = 'infra-example-workers';

function plan(changes: Partial<MachinePlan> = {}): MachinePlan {
  return {
    pool: pool({ replicas: 2 }),
    key: KEY,
    namespace: HOME,
    infraID: 'infra',
    label: LABEL,
    version: '4.22.0',
    hash: 'abcd1234',
    userData: 'user-data-workers-abcd1234',
    template: { kind: HARBOUR_MACHINE_TEMPLATES, name: 'workers-01234567' },
    isInterruptible: false,
    scalesFromZero: true,
    ...changes,
  };
}

describe('a MachineDeployment', () => {
  it('is made whole', () => {
    const nodePool = pool({ replicas: 2, nodeDrainTimeout: '90s', nodeVolumeDetachTimeout: '1h' });
    expect(
      desiredMachineDeployment(plan({ pool: nodePool, failureDomain: 'b1', isInterruptible: true }), undefined),
    ).toEqual({
      apiVersion: 'cluster.x-k8s.io/v1beta2',
      kind: 'MachineDeployment',
      metadata: {
        name: 'workers',
        namespace: HOME,
        labels: { 'cluster.x-k8s.io/cluster-name': 'infra' },
        annotations: {
          'cluster.x-k8s.io/cluster-api-autoscaler-node-group-min-size': '0',
          'cluster.x-k8s.io/cluster-api-autoscaler-node-group-max-size': '0',
          'hypershift.openshift.io/nodePool': KEY,
        },
      },
      spec: {
        clusterName: 'infra',
        replicas: 2,
        selector: { matchLabels: { 'cluster.x-k8s.io/cluster-name': 'infra', [LABEL]: LABEL } },
        rollout: { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } },
        template: {
          metadata: {
            labels: {
              [LABEL]: LABEL,
              'cluster.x-k8s.io/cluster-name': 'infra',
              'hypershift.openshift.io/interruptible-instance': '',
            },
            annotations: {
              'hypershift.openshift.io/release-version': '4.22.0',
              'hypershift.openshift.io/nodePoolTaints': '[]',
              'hypershift.openshift.io/nodePool': KEY,
            },
          },
          spec: {
            clusterName: 'infra',
            bootstrap: { dataSecretName: 'user-data-workers-abcd1234' },
            infrastructureRef: {
              apiGroup: 'infrastructure.cluster.x-k8s.io',
              kind: 'HarbourMachineTemplate',
              name: 'workers-01234567',
            },
            version: '4.22.0',
            failureDomain: 'b1',
            deletion: { nodeDrainTimeoutSeconds: 90, nodeVolumeDetachTimeoutSeconds: 3600 },
          },
        },
      },
    });
  });

  it('keeps what others put there, and goes on after a pause', () => {
    const first = desiredMachineDeployment(plan(), undefined);
    const theirs = {
      ...first,
      metadata: {
        ...first.metadata,
        annotations: { ...first.metadata.annotations, mine: 'x', 'cluster.x-k8s.io/paused': 'true' },
      },
      spec: {
        ...first.spec,
        paused: false,
        template: {
          ...first.spec.template,
          spec: { ...first.spec.template.spec, version: 'v4.22.0', minReadySeconds: 5 },
        },
      },
    } as MachineDeployment;
    const { 'cluster.x-k8s.io/paused': _, ...annotations } = theirs.metadata.annotations ?? {};
    expect(desiredMachineDeployment(plan(), theirs)).toEqual({
      ...theirs,
      metadata: { ...theirs.metadata, annotations },
    });
  });

  it.each([
    ['OnDelete', { strategy: 'OnDelete' }, { type: 'OnDelete' }],
    [
      'in its own steps',
      { strategy: 'RollingUpdate', rollingUpdate: { maxUnavailable: '50%' } },
      { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '50%' } },
    ],
  ] as const)('rolls %s', (_, replace, strategy) => {
    const nodePool = pool({ management: { upgradeType: 'Replace', replace } });
    expect(desiredMachineDeployment(plan({ pool: nodePool }), undefined).spec.rollout).toEqual({ strategy });
  });

  it('is updating as long as its machines are made from something else', () => {
    const { template } = desiredMachineDeployment(plan(), undefined).spec;
    expect(isUpdating(plan(), template)).toBe(false);
    expect(isUpdating(plan({ userData: 'other' }), template)).toBe(true);
    expect(isUpdating(plan({ template: { kind: HARBOUR_MACHINE_TEMPLATES, name: 'other' } }), template)).toBe(true);
  });
});

describe('a rollout is complete', () => {
  const counts = { availableReplicas: 2, replicas: 2, upToDateReplicas: 2, observedGeneration: 4 };
  it.each<[string, JsonObject | undefined, boolean]>([
    ['when all machines are new and run', counts, true],
    ['not before there is a status', undefined, false],
    ['not while the status is of an older spec', { ...counts, observedGeneration: 3 }, false],
    ['not while some are old', { ...counts, upToDateReplicas: 1 }, false],
    ['not while some do not run', { ...counts, availableReplicas: 1 }, false],
    ['not while there are too many', { ...counts, replicas: 3 }, false],
    [
      'not while the older counts disagree',
      { ...counts, deprecated: { v1beta1: { availableReplicas: 2, updatedReplicas: 1 } } },
      false,
    ],
    ['when they agree', { ...counts, deprecated: { v1beta1: { availableReplicas: 2, updatedReplicas: 2 } } }, true],
  ])('%s', (_, status, expected) => {
    const deployment = owned<MachineDeployment>('MachineDeployment', 'workers', {
      metadata: { generation: 4 },
      spec: { replicas: 2 },
      ...(status === undefined ? {} : { status }),
    });
    expect(isRolledOut(deployment)).toBe(expected);
  });
});

describe('a MachineSet', () => {
  const inPlace = (more: JsonObject = {}) =>
    plan({
      pool: pool({ replicas: 4, management: { upgradeType: 'InPlace', inPlace: { maxUnavailable: 3 } }, ...more }),
    });

  it('has what it is to have from the start', () => {
    const set = desiredMachineSet(inPlace({ nodeLabels: { zone: 'a' } }), undefined);
    expect(set.metadata.annotations).toMatchObject({
      'hypershift.openshift.io/nodePoolCurrentConfigVersion': 'abcd1234',
      'hypershift.openshift.io/nodePoolTargetConfigVersion': 'abcd1234',
      'hypershift.openshift.io/nodePoolMaxUnavailable': '3',
    });
    expect(set.spec.selector).toEqual({ matchLabels: { [LABEL]: LABEL } });
    expect(set.spec.template.metadata).toEqual({
      labels: { 'managed.hypershift.openshift.io.zone': 'a', [LABEL]: LABEL, 'cluster.x-k8s.io/cluster-name': 'infra' },
      annotations: { 'hypershift.openshift.io/nodePoolTaints': '[]', 'hypershift.openshift.io/nodePool': KEY },
    });
    expect(isUpgraded(set)).toBe(true);
  });

  it('asks for what is new, and forgets labels that are gone', () => {
    const before = desiredMachineSet(inPlace({ nodeLabels: { zone: 'a', tier: 'x' } }), undefined);
    const set = desiredMachineSet({ ...inPlace({ nodeLabels: { zone: 'b' } }), hash: 'new' }, before);
    expect(isUpgraded(set)).toBe(false);
    expect(set.metadata.annotations?.['hypershift.openshift.io/nodePoolCurrentConfigVersion']).toBe('abcd1234');
    const { labels = {} } = set.spec.template.metadata ?? {};
    expect([labels['managed.hypershift.openshift.io.zone'], labels['managed.hypershift.openshift.io.tier']]).toEqual([
      'b',
      undefined,
    ]);
  });
});
