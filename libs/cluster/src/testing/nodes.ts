import type { Node } from '../daemon-set/placement.js';
import { readyCondition } from '../node-lifecycle/decide.js';
import { LEASES, NODES, PODS } from '../workload/resources.js';
import type { Pod } from '../workload/resources.js';
import type { ScenarioContext } from './context.js';
import { EVENTS, mustEqual } from './context.js';
import type { Scenario } from './context.js';
import { template, Workloads } from './workloads.js';

const nodeName = (context: ScenarioContext): string => `${context.namespace}-node`;

async function sayReady(context: ScenarioContext): Promise<void> {
  const now = new Date().toISOString().replace(/\.\d+/, '');
  const condition = { type: 'Ready', status: 'True', lastHeartbeatTime: now, lastTransitionTime: now };
  const value = { status: { conditions: [condition] } };
  await context.client.patch(NODES, nodeName(context), { type: 'strategic', value }, { subresource: 'status' });
}

async function createNode(context: ScenarioContext): Promise<void> {
  const name = nodeName(context);
  context.onCleanup(() => context.client.delete(NODES, name));
  await context.client.create(NODES, { apiVersion: 'v1', kind: 'Node', metadata: { name } });
  await sayReady(context);
}

/** A pod on the node that bears its silence for so many seconds; a finalizer keeps it from vanishing. */
async function createPod(context: ScenarioContext, name: string, tolerationSeconds?: number): Promise<void> {
  const seconds = tolerationSeconds === undefined ? {} : { tolerationSeconds };
  const toleration = { key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute', ...seconds };
  context.onCleanup(() => context.release(name, PODS));
  await context.client.create(PODS, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: context.namespace, labels: { app: name }, finalizers: ['capstan.test/hold'] },
    spec: { ...template(name).spec, nodeName: nodeName(context), tolerations: [toleration] },
  });
  await new Workloads(context).readyPods(name, 1);
}

const taints = ({ spec }: Node): string[] => (spec?.taints ?? []).map(({ effect, key }) => `${key}:${effect}`);

function node(context: ScenarioContext, what: string, holds: (node: Node) => boolean): Promise<Node> {
  return context.eventually(what, async () => {
    const found = await context.client.get<Node>(NODES, nodeName(context));
    return holds(found) && found;
  });
}

/** What must become of nodes that fall silent or go, and of what is on them. */
export const nodeScenarios: readonly Scenario[] = [
  {
    name: 'a node that falls silent is tainted, and its pods go when they have borne it long enough',
    async run(context) {
      await createNode(context);
      await node(context, 'the taint of new nodes is gone', (found) => taints(found).length === 0);
      await createPod(context, 'leaves', 0);
      await createPod(context, 'stays');
      const lost = await node(
        context,
        'nobody knows how it is',
        (found) => readyCondition(found)?.status === 'Unknown',
      );
      mustEqual(readyCondition(lost)?.message, 'Kubelet stopped posting node status.', 'message');
      const tainted = await node(context, 'it is tainted', (found) => taints(found).length === 2);
      const key = 'node.kubernetes.io/unreachable';
      mustEqual(taints(tainted), [`${key}:NoSchedule`, `${key}:NoExecute`], 'taints');
      await context.eventually('the pod is being deleted', async () => {
        const pod = (await context.mustLive('leaves', PODS)) as Pod;
        const target = pod.status?.conditions?.find(({ type }) => type === 'DisruptionTarget');
        return pod.metadata.deletionTimestamp != null && target?.status === 'True';
      });
      const stays = (await context.mustLive('stays', PODS)) as Pod;
      mustEqual(stays.metadata.deletionTimestamp, undefined, 'deletion of the pod that stays');
      await context.eventually('it is not ready', async () => {
        const pod = (await context.mustLive('stays', PODS)) as Pod;
        return pod.status?.conditions?.find(({ type }) => type === 'Ready')?.status === 'False';
      });
    },
  },
  {
    name: 'a lease that is renewed keeps a node alive',
    async run(context) {
      await createNode(context);
      const name = nodeName(context);
      const namespace = 'kube-node-lease';
      context.onCleanup(() => context.client.delete(LEASES, name, { namespace }));
      const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name, namespace } };
      await context.client.create(LEASES, lease);
      for (let round = 0; round < 8; round += 1) {
        const value = { spec: { renewTime: new Date().toISOString().replace('Z', '000Z') } };
        await context.client.patch(LEASES, name, { type: 'merge', value }, { namespace });
        await context.settle(200);
        const found = await context.client.get<Node>(NODES, name);
        mustEqual(readyCondition(found)?.status, 'True', 'ready');
      }
      await node(context, 'it is missed', (found) => readyCondition(found)?.status === 'Unknown');
      await sayReady(context);
      await node(
        context,
        'it is back',
        (found) => readyCondition(found)?.status === 'True' && taints(found).length === 0,
      );
    },
  },
  {
    name: 'the pods of a node that is gone are removed',
    async run(context) {
      await createNode(context);
      await createPod(context, 'left', 600);
      await context.client.delete(NODES, nodeName(context));
      await context.eventually('the pod has failed', async () => {
        const pod = (await context.mustLive('left', PODS)) as Pod;
        return pod.status?.phase === 'Failed' && pod.metadata.deletionTimestamp != null;
      });
      await context.release('left', PODS);
      await context.gone('left', PODS);
    },
  },
  {
    name: 'an event that is not observed again is deleted',
    async run(context) {
      // Events elsewhere are kept, so that other scenarios find theirs.
      const namespace = `capstan-ttl-${context.suffix}`;
      await context.createNamespace(namespace);
      const event = (name: string, lastTimestamp: string) => ({
        apiVersion: 'v1',
        kind: 'Event',
        metadata: { name, namespace },
        involvedObject: { kind: 'Pod', namespace, name: 'p' },
        lastTimestamp,
      });
      await context.client.create(EVENTS, event('old', '2020-01-01T00:00:00Z'));
      await context.client.create(EVENTS, event('later', '2099-01-01T00:00:00Z'));
      await context.eventually('the old event is gone', async () => {
        const { items } = await context.client.list(EVENTS, { namespace });
        return items.map(({ metadata }) => metadata.name).join() === 'later';
      });
    },
  },
];
