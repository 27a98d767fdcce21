import type { NodePoolConditionType } from '@capstan/hosting';
import type { NodePoolSpec } from '@capstan/api/hypershift';
import { testPlatform } from '@capstan/provider/testing';
import { describe, expect, it } from 'vitest';
import { ConditionSet } from '../conditions.js';
import type { Snapshot } from '../snapshot.js';
import { snapshot, hosted, owned, pool } from '../testing/snapshots.js';
import type { Changes } from '../testing/snapshots.js';
import type { Check } from './check.js';
import {
  active,
  architecture,
  autoscaling,
  controlPlaneAnswers,
  management,
  platform,
  platformSettings,
} from './settings.js';

function outcome(check: Check, type: NodePoolConditionType, changes: Changes): readonly unknown[] {
  const conditions = new ConditionSet();
  const goesOn = check(snapshot(changes), conditions);
  const { message, reason, status } = conditions.get(type) ?? {};
  return [goesOn, status, reason, message];
}

const HARBOUR = testPlatform();
const small = testPlatform({ nodePools: { ...HARBOUR.nodePools, scalesFromZero: false } });

describe('autoscaling', () => {
  it.each<[string, Partial<NodePoolSpec>, Partial<Snapshot>, readonly unknown[]]>([
    ['none', {}, {}, ['False', 'AsExpected', undefined]],
    ['some', { autoScaling: { min: 1, max: 3 } }, {}, ['True', 'AsExpected', 'Maximum nodes: 3, Minimum nodes: 1']],
    [
      'from nothing',
      { autoScaling: { min: 0, max: 3 } },
      {},
      ['True', 'AsExpected', 'Maximum nodes: 3, Minimum nodes: 0'],
    ],
    [
      'from nothing where that cannot be',
      { autoScaling: { min: 0, max: 3 } },
      { platform: small },
      [
        'False',
        'ValidationFailed',
        'platform Harbour cannot scale up from no node at all: set spec.autoScaling.min to 1 or more',
      ],
    ],
  ])('%s', (_, spec, more, expected) => {
    expect(outcome(autoscaling, 'AutoscalingEnabled', { nodePool: pool(spec), ...more })).toEqual([true, ...expected]);
  });
});

describe('how a pool is upgraded', () => {
  it.each<[NodePoolSpec['management'], string | undefined]>([
    [{ upgradeType: 'InPlace' }, undefined],
    [{ upgradeType: 'Replace', replace: { strategy: 'OnDelete' } }, undefined],
    [{ upgradeType: 'Replace', replace: { strategy: 'RollingUpdate', rollingUpdate: {} } }, undefined],
    [{ upgradeType: 'Replace' }, 'spec.management.replace.strategy must be RollingUpdate or OnDelete'],
    [
      { upgradeType: 'Replace', replace: { strategy: 'RollingUpdate' } },
      'spec.management.replace.rollingUpdate must set maxSurge and maxUnavailable',
    ],
  ])('%j', (given, problem) => {
    const expected =
      problem === undefined ? [true, 'True', 'AsExpected', ''] : [false, 'False', 'ValidationFailed', problem];
    expect(outcome(management, 'UpdateManagementEnabled', { nodePool: pool({ management: given }) })).toEqual(expected);
  });
});

describe('a platform that cannot be served', () => {
  const named = (name: string) => ({ ...pool(), metadata: { ...pool().metadata, name } });
  const holder = { ...pool(), metadata: { name: 'first', namespace: 'clusters' } };
  const nodePoolRef = { group: 'infrastructure.hypershift.openshift.io', kind: 'HarbourNodePool', name: 'shared' };
  const referring = pool({ platform: { ...pool().spec.platform, nodePoolRef } as unknown as NodePoolSpec['platform'] });
  const other = { annotations: { 'hypershift.openshift.io/nodePool': 'a/workers' } };
  it.each<[string, Changes, string]>([
    [
      'one nobody knows',
      { platform: undefined },
      'spec.platform.type Harbour is not known to this installation, which has Harbour',
    ],
    [
      'another than that of the cluster',
      { hostedCluster: hosted({ platform: { type: 'Airport' } }) },
      'spec.platform.type is Harbour, but that of HostedCluster clusters/example is Airport: create a NodePool of that platform',
    ],
    [
      'settings of another pool',
      { nodePool: referring, holder },
      "HarbourNodePool shared is used by NodePool clusters/first: refer to one of this NodePool's own",
    ],
    [
      'a name that is too long',
      { nodePool: named('w'.repeat(64)) },
      'the name of a NodePool is a label of its nodes and can have 63 characters, not 64: create one with a shorter name',
    ],
    [
      'an infraID that is too long',
      { hostedCluster: hosted({ infraID: 'i'.repeat(64) }) },
      'spec.infraID of HostedCluster clusters/example is longer than 63 characters, which no Cluster can be called',
    ],
    [
      'a label that is too long',
      { nodePool: pool({ nodeLabels: { ['l'.repeat(40)]: 'x' } }) },
      `spec.nodeLabels: "${'l'.repeat(40)}" cannot be a label of a machine behind managed.hypershift.openshift.io.; give it a prefix such as example.com/, or shorten it`,
    ],
    [
      'a namespace of another cluster',
      {
        controlPlane: {
          apiVersion: 'hypershift.openshift.io/v1beta1',
          kind: 'HostedControlPlane',
          metadata: { name: 'example', annotations: { 'hypershift.openshift.io/cluster': 'clusters-example/x' } },
        },
      },
      'namespace clusters-example belongs to HostedCluster clusters-example/x: rename this HostedCluster or its namespace',
    ],
    [
      'machines of another pool',
      { existing: { machineDeployment: owned('MachineDeployment', 'workers', { metadata: other }) } },
      'MachineDeployment clusters-example/workers belongs to NodePool a/workers: delete it, or create a NodePool of another name',
    ],
    [
      'machines of nobody',
      { existing: { machineSet: owned('MachineSet', 'workers', { metadata: { annotations: {} } }) } },
      'MachineSet clusters-example/workers is not of a NodePool: delete it, or create a NodePool of another name',
    ],
  ])('%s', (_, changes, problem) => {
    expect(outcome(platform, 'ValidPlatformConfig', changes)).toEqual([false, 'False', 'ValidationFailed', problem]);
  });

  it('sets no condition for one that can', () => {
    expect(
      outcome(platform, 'ValidPlatformConfig', {
        nodePool: pool({ nodeLabels: { [`example.com/${'l'.repeat(40)}`]: 'x' } }),
      }),
    ).toEqual([true, undefined, undefined, undefined]);
  });

  it('asks the platform for the rest', () => {
    const settings = { type: 'Harbour', harbour: { berth: 'b1', cranes: 10 } } as unknown as NodePoolSpec['platform'];
    expect(outcome(platformSettings, 'ValidPlatformConfig', { nodePool: pool({ platform: settings }) })).toEqual([
      false,
      'False',
      'ValidationFailed',
      'spec.platform.harbour.cranes: cranes is 10: a berth has at most 9',
    ]);
    expect(outcome(platformSettings, 'ValidPlatformConfig', {})).toEqual([true, 'True', 'AsExpected', 'All is well']);
  });
});

describe('architectures', () => {
  it.each<[NonNullable<NodePoolSpec['arch']>, string | undefined, readonly unknown[]]>([
    ['amd64', 'Multi', [true, 'True', 'AsExpected', '']],
    ['arm64', 'ARM64', [true, 'True', 'AsExpected', '']],
    ['arm64', undefined, [true, 'True', 'AsExpected', '']],
    [
      's390x',
      'Multi',
      [
        false,
        'False',
        'InvalidArchPlatform',
        'platform Harbour has no machines of architecture s390x, only amd64, arm64',
      ],
    ],
    [
      'arm64',
      'AMD64',
      [
        false,
        'False',
        'InvalidArchPlatform',
        'the release of the HostedCluster is for AMD64, and this NodePool is arm64: give the HostedCluster a multi-architecture release, or create a NodePool of its architecture',
      ],
    ],
  ])('%s with a release for %s', (arch, payloadArch, expected) => {
    const changes = { nodePool: pool({ arch }), hostedCluster: hosted({}, { payloadArch }) };
    expect(outcome(architecture, 'ValidArchPlatform', changes)).toEqual(expected);
  });
});

describe('pauses', () => {
  it.each<[string | undefined, readonly unknown[]]>([
    [undefined, ['True', 'ReconciliationActive', 'Reconciliation active on resource']],
    ['False', ['True', 'ReconciliationActive', 'Reconciliation active on resource']],
    ['true', ['False', 'ReconciliationPaused', 'Reconciliation paused until field removed']],
    ['True', ['False', 'ReconciliationPaused', 'Reconciliation paused until field removed']],
    ['2026-01-01T12:00:30Z', ['False', 'ReconciliationPaused', 'Reconciliation paused until: 2026-01-01T12:00:30Z']],
    ['2026-01-01T12:00:00Z', ['True', 'ReconciliationActive', 'Reconciliation active on resource']],
    [
      '2026-99-01T12:00:00Z',
      [
        'True',
        'InvalidPausedUntilValue',
        'Invalid value provided for PausedUntil field: "2026-99-01T12:00:00Z": it pauses nothing, write true or a time such as 2026-01-31T08:00:00Z',
      ],
    ],
  ])('until %s', (pausedUntil, expected) => {
    const nodePool = pool(pausedUntil === undefined ? {} : { pausedUntil });
    expect(outcome(active, 'ReconciliationActive', { nodePool })).toEqual([true, ...expected]);
  });

  const [soon, later] = ['2026-01-01T12:00:30Z', '2026-01-01T13:00:00Z'];
  const ofPool = (until: string): string => `False Reconciliation paused until${until}`;
  const ofCluster = (until: string): string =>
    `${ofPool(until)}, by spec.pausedUntil of HostedCluster clusters/example`;
  it.each<[string | undefined, string, string]>([
    [undefined, 'true', ofCluster(' field removed')],
    [undefined, later, ofCluster(`: ${later}`)],
    [soon, later, ofCluster(`: ${later}`)],
    [later, soon, ofPool(`: ${later}`)],
    ['true', later, ofPool(' field removed')],
    ['true', 'true', ofPool(' field removed')],
    [soon, 'true', ofCluster(' field removed')],
    [undefined, 'False', 'True Reconciliation active on resource'],
    [undefined, '2025-01-01T00:00:00Z', 'True Reconciliation active on resource'],
    [undefined, `${later} `, 'True Reconciliation active on resource'],
  ])('of the pool until %s, of its cluster until %s', (own, cluster, expected) => {
    const nodePool = pool(own === undefined ? {} : { pausedUntil: own });
    const [, status, , message] = outcome(active, 'ReconciliationActive', {
      nodePool,
      hostedCluster: hosted({ pausedUntil: cluster }),
    });
    expect(`${String(status)} ${String(message)}`).toBe(expected);
  });

  it('of a cluster that is deleted is none: nothing would come to its end', () => {
    const cluster = hosted({ pausedUntil: 'true' });
    const metadata = { ...cluster.metadata, deletionTimestamp: '2026-01-01T11:00:00Z' };
    expect(outcome(active, 'ReconciliationActive', { hostedCluster: { ...cluster, metadata } })[1]).toBe('True');
  });
});

it('waits for a control plane that answers', () => {
  const { kubeconfig: _, ...status } = hosted().status ?? {};
  const hostedCluster = { ...hosted(), status };
  const message = 'HostedCluster clusters/example has no kubeconfig yet, waiting';
  expect(outcome(controlPlaneAnswers, 'Ready', { hostedCluster })).toEqual([
    false,
    'False',
    'WaitingForAvailable',
    message,
  ]);
});
