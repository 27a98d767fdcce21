import { controlPlaneNamespace, HOSTED_CLUSTERS, HOSTED_CONTROL_PLANES, NODE_POOLS } from '@capstan/hosting';
import type { ResourceRef } from '@capstan/kube';
import type { Condition, JsonObject, KubeObject } from '@capstan/meta';
import { testPlatform } from '@capstan/provider/testing';
import type { SendEvent } from '@capstan/simulation';
import { HOME } from '@capstan/tools/hosting';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { settledCluster } from './settled.js';
import type { HostedSimulation } from './settled.js';

type Status = JsonObject & { readonly conditions?: readonly (Condition & JsonObject)[] };
type ObjectWithStatus = KubeObject & { readonly status?: Status };

const PLATFORM = testPlatform();
const NAME = 'red';
const OPERATORS = /^operator$|\/(?:control-plane-operator|hosted-cluster-config-operator)$/;
/** The longest interval at which a controller corrects a detail, and the time of a reconcile. */
const PUT_RIGHT_MS = 15_000;

let hosted: HostedSimulation;
beforeAll(async () => {
  hosted = await settledCluster(PLATFORM, NAME);
}, 120_000);
afterAll(() => hosted.simulation.end());

/** The status without the times of its conditions. */
function timeless({ status = {} }: ObjectWithStatus): JsonObject {
  const conditions = (status.conditions ?? []).map((condition) => ({ ...condition, lastTransitionTime: '' }));
  return { ...status, conditions: conditions.toSorted((a, b) => (a.type < b.type ? -1 : 1)) };
}

function writesSince(sinceMs: number): string[] {
  return hosted.simulation.log.events
    .filter(
      (event): event is SendEvent => event.type === 'send' && event.at >= sinceMs && OPERATORS.test(event.process),
    )
    .filter(({ method, target }) => method !== 'GET' && !target.includes('/leases'))
    .map(({ method, process, target }) => `${process}: ${method} ${target}`);
}

const negated = (type: string) => (status: Status) => ({
  conditions: (status.conditions ?? []).map((each) =>
    each.type === type ? { ...each, status: each.status === 'True' ? 'False' : 'True', reason: 'Lie' } : each,
  ),
});

it.each<[string, ResourceRef, string, (status: Status) => object]>([
  ['a false Available condition of a HostedCluster', HOSTED_CLUSTERS, NAME, negated('Available')],
  ['an empty list of conditions of a HostedCluster', HOSTED_CLUSTERS, NAME, () => ({ conditions: [] })],
  ['another kubeconfig of a HostedCluster', HOSTED_CLUSTERS, NAME, () => ({ kubeconfig: { name: 'another' } })],
  ['a false Available condition of a HostedControlPlane', HOSTED_CONTROL_PLANES, NAME, negated('Available')],
  [
    'a wrong condition for the ClusterVersion of a HostedControlPlane',
    HOSTED_CONTROL_PLANES,
    NAME,
    negated('ClusterVersionAvailable'),
  ],
  ['another count of nodes of a HostedControlPlane', HOSTED_CONTROL_PLANES, NAME, () => ({ nodeCount: 99 })],
  ['a false Ready condition of a NodePool', NODE_POOLS, 'pool', negated('Ready')],
  ['another count of nodes of a NodePool', NODE_POOLS, 'pool', () => ({ replicas: 99 })],
])(
  '%s that another client wrote is corrected within seconds',
  { timeout: 120_000 },
  async (_what, ref, name, change) => {
    const { client, simulation } = hosted;
    const namespace = ref.plural === HOSTED_CONTROL_PLANES.plural ? controlPlaneNamespace(HOME, NAME) : HOME;
    const read = (): Promise<ObjectWithStatus> => client.get<ObjectWithStatus>(ref, name, { namespace });
    const before = await read();
    const { status = {} } = before;
    await client.update<ObjectWithStatus>(
      ref,
      { ...before, status: { ...status, ...change(status) } as Status },
      { subresource: 'status' },
    );
    expect(timeless(await read())).not.toEqual(timeless(before));
    await simulation.runUntil(hosted.elapsed + PUT_RIGHT_MS);
    expect(timeless(await read())).toEqual(timeless(before));
    const since = hosted.elapsed;
    await simulation.runUntil(since + 600_000);
    expect(writesSince(since)).toEqual([]);
  },
);
