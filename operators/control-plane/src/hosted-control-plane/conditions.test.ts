import type { ControlPlaneComponent } from '@capstan/api/hypershift';
import type { Workload } from '@capstan/hosting';
import { ReleaseError } from '@capstan/release';
import { describe, expect, it } from 'vitest';
import { conditionsOf } from './conditions.js';
import type { Findings } from './conditions.js';

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
  regenerated: [],
  wereRegenerated: false,
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
