import type { JsonObject, KubeObject } from '@capstan/meta';
import { addSidecar } from './add.js';
import type { AddOptions } from './add.js';
import { SidecarError } from './errors.js';
import type { PodTemplate } from './pod.js';
import { removeSidecar } from './remove.js';
import { proxySidecar } from './sidecar.js';

/** Kinds that run a pod for as long as they are there; a sidecar would keep a Job from ever being done. */
const WORKLOADS: ReadonlySet<string> = new Set(['DaemonSet', 'Deployment', 'ReplicaSet', 'StatefulSet']);

/** Whether an object has pods that a sidecar can be put into. */
export function takesSidecar({ kind }: KubeObject): boolean {
  return kind === 'Pod' || WORKLOADS.has(kind);
}

/** A workload or pod with the proxy in it. */
export function withSidecar<T extends KubeObject>(workload: T, options: AddOptions): T {
  return changed(workload, (template) => addSidecar(template, options));
}

/** A workload or pod as it was before the proxy was added to it. */
export function withoutSidecar<T extends KubeObject>(workload: T): T {
  return changed(workload, removeSidecar);
}

function changed<T extends KubeObject>(workload: T, change: (template: PodTemplate) => PodTemplate): T {
  const { kind, metadata } = workload;
  try {
    if (kind === 'Pod') return change(workload as unknown as PodTemplate) as unknown as T;
    const spec = workload['spec'] as JsonObject & { readonly template: PodTemplate };
    const template = change(spec.template);
    return template === spec.template ? workload : { ...workload, spec: { ...spec, template } };
  } catch (error) {
    if (!(error instanceof SidecarError)) throw error;
    throw new SidecarError(error.code, `${kind} ${metadata.name ?? ''}: ${error.message}`);
  }
}

/**
 * The proxy as a strategic merge patch of a workload, for those whose containers are named. What the workload has is not
 * known here, so nothing is recorded, and {@link withoutSidecar} does not take it out again.
 */
export function sidecarPatch({ containers = [], ...options }: AddOptions): JsonObject {
  const { annotations, container, env, volume, volumeMount } = proxySidecar(options);
  const users = containers.map((name) => ({ name, env: [env], volumeMounts: [volumeMount] }));
  const pod = options.native
    ? { initContainers: [container], ...(users.length === 0 ? {} : { containers: users }) }
    : { containers: [...users, container] };
  return { spec: { template: { metadata: { annotations }, spec: { ...pod, volumes: [volume] } } } };
}
