import type { ControlPlaneComponent, HostedControlPlane, HostedControlPlaneSpec } from '@capstan/api/hypershift';
import type { Workload } from '@capstan/hosting';
import type { KubeObject } from '@capstan/meta';
import { ReleaseError } from '@capstan/release';
import { describe, expect, it } from 'vitest';
import { DEPLOYMENTS } from '../kinds.js';
import { controlPlaneOwner } from '../objects/ownership.js';
import { Snapshot } from '../objects/snapshot.js';
import { servicesOf } from '../services/services.js';
import { overridden, readSettings } from '../settings.js';
import { conditionsOf } from './conditions.js';
import type { Findings } from './conditions.js';
import { decideEnd } from './finalize.js';
import { ownerOf } from './inputs.js';

const component = (name: string, isAvailable: boolean, reason = 'AsExpected'): ControlPlaneComponent =>
  ({
    metadata: { name },
    status: {
      conditions: [
        { type: 'Available', status: isAvailable ? 'True' : 'False' },
        { type: 'RolloutComplete', status: 'False', reason, message: 'why' },
      ],
    },
  }) as unknown as ControlPlaneComponent;

const etcd = (replicas: number, readyReplicas: number): Workload =>
  ({ metadata: {}, spec: { replicas }, status: { readyReplicas } }) as unknown as Workload;
const apiServer = (status: string): Workload =>
  ({
    kind: 'Deployment',
    metadata: {},
    status: { conditions: [{ type: 'Available', status, message: '' }] },
  }) as unknown as Workload;
const WELL: Findings = {
  spec: { etcd: { managementType: 'Managed' } },
  pause: { isPaused: false, isInvalid: false },
  releaseError: undefined,
  invalid: [],
  waitingFor: [],
  etcd: etcd(3, 2),
  apiServer: apiServer('True'),
  hasKubeconfig: true,
  components: [component('a', true)],
  wasAvailable: false,
  namespace: 'clusters-one',
  madeAnew: [],
  wasMadeAnew: false,
};

describe('the conditions of a control plane', () => {
  const conditions = (findings: Partial<Findings>): Record<string, string> =>
    Object.fromEntries(
      conditionsOf({ ...WELL, ...findings }).map(({ reason, status, type }) => [type, `${status} ${reason}`]),
    );

  it('when all is well', () => {
    expect(conditions({})).toEqual({
      ReconciliationActive: 'True AsExpected',
      ValidReleaseInfo: 'True AsExpected',
      ValidHostedControlPlaneConfiguration: 'True AsExpected',
      InfrastructureReady: 'True AsExpected',
      EtcdAvailable: 'True QuorumAvailable',
      KubeAPIServerAvailable: 'True AsExpected',
      Available: 'True AsExpected',
      Degraded: 'False AsExpected',
    });
  });

  it.each<[string, Partial<Findings>, Record<string, string>]>([
    [
      'a quorum is missing',
      { etcd: etcd(3, 1) },
      { EtcdAvailable: 'False EtcdWaitingForQuorum', Available: 'False EtcdWaitingForQuorum' },
    ],
    ['etcd is not there', { etcd: undefined }, { EtcdAvailable: 'False StatefulSetNotFound' }],
    [
      'etcd is of others',
      { etcd: undefined, spec: { etcd: { managementType: 'Unmanaged' } } },
      { EtcdAvailable: 'True UnmanagedEtcdAsExpected', Available: 'True AsExpected' },
    ],
    [
      'the API server is away',
      { apiServer: apiServer('False') },
      { KubeAPIServerAvailable: 'False WaitingForAvailable', Available: 'False WaitingForAvailable' },
    ],
    ['the API server is not there', { apiServer: undefined }, { KubeAPIServerAvailable: 'False NotFound' }],
    [
      'there is no address',
      { waitingFor: ['x'] },
      { InfrastructureReady: 'False WaitingOnInfrastructureReady', Available: 'False WaitingOnInfrastructureReady' },
    ],
    [
      'routes are asked for',
      { routes: { services: ['Ignition'], areServed: true } },
      { RoutesPublished: 'True AsExpected', Available: 'True AsExpected' },
    ],
    [
      'routes are asked for where there are none',
      { routes: { services: ['OAuthServer', 'Ignition'], areServed: false } },
      { RoutesPublished: 'False RouteAPINotServed', Available: 'True AsExpected' },
    ],
    ['there is no kubeconfig', { hasKubeconfig: false }, { Available: 'False KubeconfigWaitingForCreate' }],
    [
      'a component is not there yet',
      { components: [component('a', false)] },
      { Available: 'False ComponentsNotAvailable', Degraded: 'False AsExpected' },
    ],
    [
      'a component is no longer there',
      { components: [component('a', false)], wasAvailable: true },
      { Available: 'True AsExpected', Degraded: 'True ComponentsNotAvailable' },
    ],
    [
      'a component cannot be made',
      { components: [component('a', true, 'ReconciliationError')] },
      { Degraded: 'True ReconcileError' },
    ],
    ['components are not known', { components: undefined }, { Available: 'False StatusUnknown' }],
    [
      'the release is none',
      { releaseError: new ReleaseError('NotFound', 'x') },
      { ValidReleaseInfo: 'False InvalidImage', Available: 'True AsExpected' },
    ],
    [
      'the registry is away',
      { releaseError: new ReleaseError('Unreachable', 'x') },
      { ValidReleaseInfo: 'Unknown StatusUnknown' },
    ],
    [
      'something is wrong with the spec',
      { invalid: ['a', 'b'] },
      { ValidHostedControlPlaneConfiguration: 'False InvalidConfiguration' },
    ],
  ])('when %s', (_, findings, expected) => {
    expect(conditions(findings)).toMatchObject(expected);
  });
});

describe('a control plane goes', () => {
  const plane = (annotations: Record<string, string>, conditions: object[]): HostedControlPlane =>
    ({
      apiVersion: 'hypershift.openshift.io/v1beta1',
      kind: 'HostedControlPlane',
      metadata: { name: 'one', namespace: 'ns', uid: 'u', annotations },
      status: { conditions },
    }) as unknown as HostedControlPlane;
  const CLEAN = { 'hypershift.openshift.io/cleanup-cloud-resources': 'true' };
  const UP = { type: 'KubeAPIServerAvailable', status: 'True' };
  const running = (hcp: HostedControlPlane, deletionTimestamp?: string): KubeObject => {
    const deployment = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'd' } };
    const object = controlPlaneOwner(ownerOf(hcp)).mark(deployment) as unknown as KubeObject;
    return deletionTimestamp === undefined
      ? object
      : { ...object, metadata: { ...object.metadata, deletionTimestamp } };
  };
  const decide = (hcp: HostedControlPlane, ...workloads: KubeObject[]): string => {
    const snapshot = new Snapshot();
    for (const each of workloads) snapshot.put(DEPLOYMENTS, each);
    return decideEnd(hcp, snapshot, ownerOf(hcp)).do;
  };

  it('when what runs has ended', () => {
    const hcp = plane({}, [UP]);
    expect(decide(hcp, running(hcp))).toBe('end-workloads');
    expect(decide(hcp, running(hcp, 'now'))).toBe('await-workloads');
    expect(decide(hcp)).toBe('release');
    const foreign: KubeObject = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'mine' } };
    expect(decide(hcp, foreign)).toBe('release');
  });

  it('after its guest has let go of the cloud, where that is asked for and can be', () => {
    const asked = plane(CLEAN, [UP]);
    expect(decide(asked, running(asked))).toBe('await-cleanup');
    const done = plane(CLEAN, [UP, { type: 'CloudResourcesDestroyed', status: 'True' }]);
    expect(decide(done, running(done))).toBe('end-workloads');
    const down = plane(CLEAN, [{ ...UP, status: 'False' }]);
    expect(decide(down, running(down))).toBe('end-workloads');
  });
});

describe('services are published', () => {
  const spec = (strategy: object, more: object = {}): HostedControlPlaneSpec =>
    ({
      etcd: { managementType: 'Managed' },
      services: [{ service: 'APIServer', servicePublishingStrategy: strategy }],
      ...more,
    }) as unknown as HostedControlPlaneSpec;
  const apiService = (of: HostedControlPlaneSpec): KubeObject | undefined =>
    servicesOf(of).find(({ metadata }) => metadata.name === 'kube-apiserver');

  it.each<[object, object, object]>([
    [{ type: 'LoadBalancer' }, {}, { type: 'LoadBalancer', ports: [{ port: 6443, targetPort: 'client' }] }],
    [
      { type: 'LoadBalancer' },
      { networking: { apiServer: { port: 7443, allowedCIDRBlocks: ['10.0.0.0/8'] } } },
      { loadBalancerSourceRanges: ['10.0.0.0/8'], ports: [{ port: 7443 }] },
    ],
    [
      { type: 'NodePort', nodePort: { address: 'x', port: 30_443 } },
      {},
      { type: 'NodePort', ports: [{ nodePort: 30_443 }] },
    ],
    [{ type: 'Route', route: { hostname: 'api.example.com' } }, {}, { type: 'ClusterIP' }],
  ])('%j with %j', (strategy, more, expected) => {
    expect(apiService(spec(strategy, more))).toMatchObject({ spec: expected });
  });

  it('a router carries named routes, and etcd of others has no Service', () => {
    const names = (of: HostedControlPlaneSpec): unknown[] => servicesOf(of).map(({ metadata }) => metadata.name);
    expect(names(spec({ type: 'Route', route: { hostname: 'x' } }))).toContain('router');
    expect(names(spec({ type: 'Route' }))).not.toContain('router');
    expect(names(spec({ type: 'Route' }, { etcd: { managementType: 'Unmanaged' } }))).not.toContain('etcd-client');
  });
});

describe('settings', () => {
  it('come from flags and the environment', () => {
    expect(
      readSettings({
        env: { MY_NAMESPACE: 'ns' },
        flags: { 'registry-overrides': '=', 'image-overrides': 'a=b,c=d=e' },
      }),
    ).toEqual({
      namespace: 'ns',
      registryOverrides: new Map(),
      imageOverrides: new Map([
        ['a', 'b'],
        ['c', 'd=e'],
      ]),
    });
    expect(() => readSettings({ env: {}, flags: { 'registry-overrides': 'x' } })).toThrow(
      '--registry-overrides: "x" is not of the form name=value',
    );
  });

  it.each([
    ['quay.io/a/b:1', 'mirror/a/b:1'],
    ['quay.io/a@sha256:1', 'special@sha256:1'],
    ['quay.iox/a:1', 'quay.iox/a:1'],
  ])('%s is found at %s', (image, found) => {
    const overrides = new Map([
      ['quay.io', 'mirror'],
      ['quay.io/a@sha256:1', 'special@sha256:1'],
    ]);
    expect(overridden(image, overrides)).toBe(found);
  });
});
