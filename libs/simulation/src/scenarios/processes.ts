import {
  DeploymentController,
  GarbageCollector,
  Kubelet,
  MemoryLink,
  NamespaceController,
  nodeAddresses,
  PodRuntime,
  ReplicaSetController,
  Scheduler,
  SharedInformers,
} from '@capstan/cluster';
import type { Controller } from '@capstan/cluster';
import type { ProcessContext, ProcessDefinition } from '../engine/process.js';

/** A process of controllers that share their caches. */
export function controllerProcess(
  name: string,
  make: (context: ProcessContext, informers: SharedInformers) => readonly Controller[],
): ProcessDefinition {
  return {
    name,
    start: async (context) => {
      const controllers = make(context, new SharedInformers(context));
      await Promise.all(controllers.map((controller) => controller.start(context.signal)));
    },
  };
}

/** The controllers of Deployments and ReplicaSets. */
export function deploymentProcess(name = 'deployments'): ProcessDefinition {
  return controllerProcess(name, (context, informers) => {
    const options = { ...context, informers };
    return [new DeploymentController(options), new ReplicaSetController(options)];
  });
}

/** Admission policies name it; what it may do is not the subject of simulations. */
const COLLECTOR = {
  username: 'system:serviceaccount:kube-system:generic-garbage-collector',
  groups: ['system:serviceaccounts', 'system:serviceaccounts:kube-system', 'system:masters', 'system:authenticated'],
};

/** The garbage collector. */
export function collectorProcess(name = 'garbage-collector'): ProcessDefinition {
  return { ...controllerProcess(name, (context) => [new GarbageCollector(context)]), user: COLLECTOR };
}

/** The controller that empties namespaces. */
export function namespaceProcess(name = 'namespaces'): ProcessDefinition {
  return controllerProcess(name, (context) => [new NamespaceController(context)]);
}

/** The scheduler. */
export function schedulerProcess(name = 'scheduler'): ProcessDefinition {
  return controllerProcess(name, (context, informers) => [new Scheduler({ ...context, informers })]);
}

/** A node whose pods have their network in memory. */
export function nodeProcess(index = 0): ProcessDefinition {
  const name = `node-${index}`;
  const { nodeIp: ip, podCidr } = nodeAddresses(index);
  const process = controllerProcess(name, (context, informers) => {
    const runtime = new PodRuntime({ ...context, informers, link: new MemoryLink() });
    return [new Kubelet(runtime, { name, ip, podCidr })];
  });
  return { ...process, isPartOfEnvironment: true };
}
