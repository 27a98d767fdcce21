import { Heartbeat, SharedInformers } from '@capstan/cluster';
import type { Pod } from '@capstan/cluster';
import { timestamp } from '@capstan/kube';
import type { Informer } from '@capstan/kube';
import { isConflict, isNotFound } from '@capstan/meta';
import type { Cloud, Instance } from '@capstan/upstream';
import type { ProcessContext, ProcessDefinition } from '../engine/process.js';
import { PODS } from './resources.js';

/** What an instance offers to pods. */
export const NODE_CAPACITY = { cpu: '4', memory: '16Gi', pods: '30', 'ephemeral-storage': '100Gi' };

/** What kubelets need to run in. */
export type NodesContext = Pick<ProcessContext, 'client' | 'clock' | 'logger' | 'random' | 'signal'>;

/** Kubelets of all instances of a cloud, as a process of a simulation. */
export function machineNodes(cloud: Cloud): ProcessDefinition {
  return { name: 'nodes', isReliable: true, start: (context) => runMachineNodes(cloud, context) };
}

/** Kubelets of all instances of a cloud, without the ceremony of certificates: they join, beat, and run pods in name. */
export async function runMachineNodes(cloud: Cloud, context: NodesContext): Promise<void> {
  const running = new Map<string, AbortController>();
  const follow = (instance: Instance): void => {
    const isRunning = running.has(instance.id);
    if (instance.state === 'running' && !isRunning) {
      const stop = new AbortController();
      running.set(instance.id, stop);
      void join(context, instance, stop.signal);
    } else if (instance.state !== 'running' && isRunning) {
      running.get(instance.id)?.abort();
      running.delete(instance.id);
    }
  };
  const leave = cloud.subscribe(({ instance }) => {
    if (instance !== undefined) follow(instance);
  });
  context.signal.addEventListener('abort', () => {
    leave();
    for (const stop of running.values()) stop.abort();
  });
  const isAlive = (node: string): boolean =>
    cloud.instances.some(({ hostname, id }) => hostname === node && running.has(id));
  await runPods(context, isAlive);
}

async function join({ client, clock, logger }: NodesContext, instance: Instance, signal: AbortSignal): Promise<void> {
  const { address: ip = '' } = instance.addresses.find(({ type }) => type === 'InternalIP') ?? {};
  const description = {
    name: instance.hostname,
    ip,
    podCidr: ip.replace(/^10\.\d+\.(\d+)\.(\d+)$/, '10.$1.$2.0/24'),
    providerId: instance.providerId,
    addresses: instance.addresses,
    capacity: NODE_CAPACITY,
    labels: { 'node.kubernetes.io/instance-type': instance.type, 'topology.kubernetes.io/zone': instance.zone },
  };
  const heartbeat = new Heartbeat({ client, clock, logger, description, isLost: () => signal.aborted });
  await heartbeat.register();
  await heartbeat.run(signal);
}

/** Pods run as soon as they are on a living node, and are gone as soon as they are deleted. */
async function runPods(context: NodesContext, isAlive: (node: string) => boolean): Promise<void> {
  const { client, clock, signal } = context;
  const pods: Informer<Pod> = new SharedInformers(context).of<Pod>(PODS);
  const settle = async (pod: Pod): Promise<void> => {
    const { deletionTimestamp, name = '', namespace, uid } = pod.metadata;
    if (!isAlive(pod.spec?.nodeName ?? '')) return;
    try {
      if (deletionTimestamp != null)
        await client.delete(PODS, name, { namespace, gracePeriodSeconds: 0, preconditions: { uid } });
      else if (pod.status?.phase === 'Pending')
        await client.update(PODS, started(pod, timestamp(clock)), { subresource: 'status' });
    } catch (error) {
      if (!isNotFound(error) && !isConflict(error)) throw error;
    }
  };
  pods.addHandler({ add: (pod) => void settle(pod), update: (_, pod) => void settle(pod) });
  await pods.run(signal);
}

function started(pod: Pod, now: string): Pod {
  const conditions = ['Initialized', 'Ready', 'ContainersReady', 'PodScheduled'].map((type) => ({
    type,
    status: 'True',
    lastTransitionTime: now,
  }));
  return { ...pod, status: { ...pod.status, phase: 'Running', conditions, startTime: now } };
}
