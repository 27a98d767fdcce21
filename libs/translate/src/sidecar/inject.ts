import type { JsonObject, KubeObject } from '@capstan/meta';
import { SidecarError } from './errors.js';
import { proxySidecar } from './sidecar.js';
import type { Sidecar, SidecarOptions } from './sidecar.js';

/** How a sidecar gets into a workload. */
export interface InjectOptions extends SidecarOptions {
  /** The containers that are to speak through the proxy. Default: all there are. */
  readonly containers?: readonly string[] | undefined;
}

interface Container extends JsonObject {
  readonly name: string;
  readonly ports?: readonly { readonly containerPort?: number }[];
  readonly env?: readonly Named[];
  readonly volumeMounts?: readonly (JsonObject & { readonly mountPath: string })[];
}

interface Named extends JsonObject {
  readonly name: string;
}

interface PodTemplate extends JsonObject {
  readonly metadata?: JsonObject & { readonly annotations?: Readonly<Record<string, string>> };
  readonly spec: JsonObject & {
    readonly containers: readonly Container[];
    readonly volumes?: readonly Named[];
    readonly automountServiceAccountToken?: boolean;
  };
}

/** Kinds that run a pod for as long as they are there; a sidecar would keep a Job from ever being done. */
const WORKLOADS: ReadonlySet<string> = new Set(['DaemonSet', 'Deployment', 'ReplicaSet', 'StatefulSet']);
const TOKEN_VOLUME = 'kube-apiserver-proxy-token';
const TOKEN_FOLDER = '/var/run/secrets/kubernetes.io/serviceaccount';

/** Whether an object has pods that a sidecar can be put into. */
export function takesSidecar({ kind }: KubeObject): boolean {
  return kind === 'Pod' || WORKLOADS.has(kind);
}

/** A workload or pod with the proxy in it. What has one already gets this one in its place. */
export function withSidecar(workload: KubeObject, options: InjectOptions): KubeObject {
  if (workload.kind === 'Pod') return injected(workload as KubeObject & PodTemplate, workload, options);
  const spec = workload['spec'] as JsonObject & { readonly template: PodTemplate };
  return { ...workload, spec: { ...spec, template: injected(spec.template, workload, options) } };
}

/** The same as a strategic merge patch of a workload, for those whose containers are named. */
export function sidecarPatch({ containers = [], ...options }: InjectOptions): JsonObject {
  const { annotations, container, env, volume, volumeMount } = proxySidecar(options);
  const users = containers.map((name) => ({ name, env: [env], volumeMounts: [volumeMount] }));
  return {
    spec: {
      template: {
        metadata: { annotations },
        spec: { containers: [...users, container], volumes: [volume] },
      },
    },
  };
}

function injected<T extends PodTemplate>(template: T, workload: KubeObject, options: InjectOptions): T {
  const sidecar = proxySidecar(options);
  const { annotations, container, env, volume, volumeMount } = sidecar;
  const others = template.spec.containers.filter(({ name }) => name !== container.name);
  check(others, sidecar, workload, options);
  const speaks = (name: string): boolean => options.containers?.includes(name) ?? true;
  const users = others.map((each) =>
    speaks(each.name)
      ? {
          ...each,
          env: replaced(each.env, env, ({ name }) => name),
          volumeMounts: replaced(each.volumeMounts, volumeMount, ({ mountPath }) => mountPath),
        }
      : each,
  );
  // Without a token of the pod's own the proxy brings one along, for itself alone.
  const isBare = template.spec.automountServiceAccountToken === false;
  const proxy = isBare ? { ...container, volumeMounts: [TOKEN_MOUNT] } : container;
  const volumes = replaced(template.spec.volumes, volume, ({ name }) => name);
  return {
    ...template,
    metadata: { ...template.metadata, annotations: { ...template.metadata?.annotations, ...annotations } },
    spec: {
      ...template.spec,
      // First: kubelets start containers in their order.
      containers: [proxy, ...users],
      volumes: isBare ? replaced(volumes, tokenVolume(), ({ name }) => name) : volumes,
    },
  };
}

const TOKEN_MOUNT = { name: TOKEN_VOLUME, mountPath: TOKEN_FOLDER, readOnly: true };

/** What the kubelet gives every pod that does not refuse it. */
function tokenVolume(): Named {
  const namespace = { path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } };
  return {
    name: TOKEN_VOLUME,
    projected: {
      sources: [
        { serviceAccountToken: { path: 'token', expirationSeconds: 3607 } },
        { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
        { downwardAPI: { items: [namespace] } },
      ],
    },
  };
}

function check(
  others: readonly Container[],
  { container }: Sidecar,
  { kind, metadata }: KubeObject,
  { containers = [], port = 8080 }: InjectOptions,
): void {
  const where = `${kind} ${metadata.name ?? ''}`;
  const wanted = [port, ...container.ports.map(({ containerPort }) => containerPort)];
  for (const { name, ports = [] } of others)
    for (const { containerPort = 0 } of ports)
      if (wanted.includes(containerPort))
        throw new SidecarError('bad-options', `${where}: port ${containerPort} is that of container ${name}`);
  const missing = containers.find((name) => others.every((other) => other.name !== name));
  if (missing !== undefined) throw new SidecarError('bad-options', `${where}: there is no container ${missing}`);
}

function replaced<T>(list: readonly T[] | undefined, item: T, key: (of: T) => string): readonly T[] {
  return [...(list ?? []).filter((each) => key(each) !== key(item)), item];
}
