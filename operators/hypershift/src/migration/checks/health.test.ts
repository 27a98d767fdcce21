import type { HostedControlPlane } from '@capstan/api/hypershift';
import type { KubeObject } from '@capstan/meta';
import type { MovedObject } from '@capstan/migration';
import { describe, expect, it } from 'vitest';
import { healthOf } from './health.js';

const TIME = '2026-01-01T00:00:00Z';
const condition = (type: string, status: string, severity?: string): object => ({
  type,
  status,
  reason: 'R',
  message: '',
  lastTransitionTime: TIME,
  ...(severity === undefined ? {} : { severity }),
});

function moved(kind: string, version: string, content: object): MovedObject {
  const source = { group: 'cluster.x-k8s.io', version, plural: `${kind.toLowerCase()}s`, namespaced: true, kind };
  const object = { apiVersion: `cluster.x-k8s.io/${version}`, kind, metadata: { name: 'a' }, ...content } as KubeObject;
  return { kind: { source: source as never, target: undefined }, object };
}

const CONTROL_PLANE = {
  apiVersion: 'hypershift.openshift.io/v1beta1',
  kind: 'HostedControlPlane',
  metadata: { name: 'a' },
  status: { conditions: [condition('KubeAPIServerAvailable', 'True')] },
} as unknown as HostedControlPlane;

/** What a version reports: of a Cluster the errors, and of all objects the rest. */
interface Case {
  readonly version: string;
  readonly ready: object;
  /** A MachineDeployment of four of which so many are up to date. */
  readonly rollout: (upToDate: number, maxUnavailable: number | string) => object;
  /** Conditions with a severity, and those without, where the version has them. */
  readonly conditions: (severe: readonly object[], others: readonly object[]) => object;
}

const VERSIONS: readonly Case[] = [
  {
    version: 'v1beta1',
    ready: { infrastructureReady: true },
    rollout: (updatedReplicas, maxUnavailable) => ({
      spec: { replicas: 4, strategy: { rollingUpdate: { maxUnavailable } } },
      status: { updatedReplicas },
    }),
    conditions: (severe, others) => ({ conditions: severe, v1beta2: { conditions: others } }),
  },
  {
    version: 'v1beta2',
    ready: { initialization: { infrastructureProvisioned: true } },
    rollout: (upToDateReplicas, maxUnavailable) => ({
      spec: { replicas: 4, rollout: { strategy: { rollingUpdate: { maxUnavailable } } } },
      status: { upToDateReplicas },
    }),
    conditions: (severe, others) => ({ conditions: others, deprecated: { v1beta1: { conditions: severe } } }),
  },
];

describe.each(VERSIONS)('The health of objects in $version', ({ conditions, ready, rollout, version }) => {
  const errorsOf = (severe: readonly object[], others: readonly object[]): readonly string[] =>
    healthOf([moved('Cluster', version, { status: conditions(severe, others) })], undefined).clusterErrors;

  it('is read from the fields of that version', () => {
    const objects = [
      moved('Cluster', version, { status: { phase: 'Provisioned', ...ready } }),
      moved('MachineDeployment', version, { spec: { replicas: 0 } }),
      moved('MachineSet', version, { spec: { replicas: 3 } }),
      moved('Machine', version, { status: { phase: 'Running', nodeRef: { name: 'n' } } }),
    ];
    expect(healthOf(objects, CONTROL_PLANE)).toEqual({
      phase: 'Provisioned',
      infrastructureReady: true,
      clusterErrors: [],
      counts: { Cluster: 1, MachineDeployment: 1, MachineHealthCheck: 0 },
      wantedMachines: 3,
      machines: { a: 'Running' },
      nodes: 1,
      steadyNodes: 1,
      spareNodes: 0,
      isApiAvailable: true,
      workloads: {},
    });
  });

  it.each<[number, number | string, number]>([
    [1, 2, 2],
    [1, '50%', 2],
    [1, '30%', 1],
    [1, 'many', 0],
    [4, 2, 0],
  ])('allows rollouts of which %s of 4 are up to date and %s may be unavailable %s Nodes less', (done, most, spare) => {
    expect(healthOf([moved('MachineDeployment', version, rollout(done, most))], undefined).spareNodes).toBe(spare);
  });

  it('does not count on Nodes of Machines that are being deleted or remediated', () => {
    const nodeRef = { name: 'n' };
    const machine = (status: object, metadata: object): MovedObject =>
      moved('Machine', version, { metadata: { name: 'm', ...metadata }, status: { nodeRef, ...status } });
    const objects = [
      machine({}, {}),
      machine({}, { deletionTimestamp: TIME }),
      machine({ conditions: [condition('HealthCheckSucceeded', 'False')] }, {}),
      machine({ conditions: [condition('HealthCheckSucceeded', 'True')] }, {}),
    ];
    expect(healthOf(objects, undefined)).toMatchObject({ nodes: 4, steadyNodes: 2 });
  });

  it('counts no object without a status as ready', () => {
    const health = healthOf([moved('Cluster', version, {}), moved('Machine', version, {})], undefined);
    expect(health).toMatchObject({ phase: undefined, infrastructureReady: false, isApiAvailable: false });
    expect(health).toMatchObject({ machines: { a: 'Pending' }, nodes: 0, clusterErrors: [] });
  });

  it('takes a False condition of severity Error for an error, and no other severity', () => {
    const severe = [
      condition('A', 'False', 'Error'),
      condition('B', 'False', 'Warning'),
      condition('C', 'True', 'Error'),
      condition('D', 'Unknown', 'Error'),
    ];
    expect(errorsOf(severe, [])).toEqual(['A']);
  });

  it('takes a False condition without a severity for an error where its type means one', () => {
    const others = ['InfrastructureReady', 'ControlPlaneAvailable', 'ControlPlaneInitialized', 'RemoteConnectionProbe'];
    expect(
      errorsOf(
        [],
        others.map((type) => condition(type, 'False')),
      ),
    ).toEqual(others.toSorted());
    expect(
      errorsOf(
        [],
        others.map((type) => condition(type, 'Unknown')),
      ),
    ).toEqual([]);
    const ofRollouts = ['Available', 'Deleting', 'MachinesReady', 'Paused', 'RollingOut', 'WorkersAvailable'];
    expect(
      errorsOf(
        [],
        ofRollouts.map((type) => condition(type, 'False')),
      ),
    ).toEqual([]);
  });

  it('names a condition once that both kinds report', () => {
    const [severe, other] = [
      condition('InfrastructureReady', 'False', 'Error'),
      condition('InfrastructureReady', 'False'),
    ];
    expect(errorsOf([severe], [other])).toEqual(['InfrastructureReady']);
  });
});

it('A condition of v1beta1 that is False without a severity is no error', () => {
  const status = { conditions: [condition('InfrastructureReady', 'False')] };
  expect(healthOf([moved('Cluster', 'v1beta1', { status })], undefined).clusterErrors).toEqual([]);
});
