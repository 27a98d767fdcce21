import type { ResourceDefinition } from '@capstan/api/kubernetes';
import type { ComputedResource } from '@capstan/apiserver';
import { parseQuantity, scaledQuantity } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';

interface Pod extends KubeObject {
  readonly spec?: {
    readonly nodeName?: string;
    readonly containers?: readonly Container[];
    readonly initContainers?: readonly Container[];
  };
  readonly status?: {
    readonly containerStatuses?: readonly Status[];
    readonly initContainerStatuses?: readonly Status[];
  };
}

interface Container {
  readonly name: string;
  readonly resources?: { readonly requests?: Readonly<Record<string, string>> };
}

interface Status {
  readonly name: string;
  readonly state?: { readonly running?: object };
}

interface Usage {
  readonly milliCpu: bigint;
  readonly bytes: bigint;
}

/** What a container uses that requests nothing. */
const LEAST: Usage = { milliCpu: 1n, bytes: 16n * 1024n * 1024n };
const NOTHING: Usage = { milliCpu: 0n, bytes: 0n };
const GROUP = 'metrics.k8s.io';
const WINDOW = '30s';
const MILLI = -3;

/** Where pods and nodes are read, and what time it is. */
export interface UsageSource {
  readonly pods: () => readonly KubeObject[];
  readonly nodes: () => readonly KubeObject[];
  readonly now: () => string;
}

/** The resources of metrics.k8s.io: containers share a process, so each is reported to use what it requests. */
export function usageResources(source: UsageSource): readonly ComputedResource[] {
  return [
    {
      definition: definition('nodes', 'NodeMetrics', false),
      list: () => nodeUsage(source.nodes(), source.pods(), source.now()),
    },
    {
      definition: definition('pods', 'PodMetrics', true),
      list: (namespace) =>
        podUsage(
          source.pods().filter(({ metadata }) => namespace === '' || metadata.namespace === namespace),
          source.now(),
        ),
    },
  ];
}

/** Lets those who may view, edit or administer a namespace read what its pods use, as metrics-server does. */
export function usageRole(): KubeObject {
  const labels = ['view', 'edit', 'admin'].map((role) => [`rbac.authorization.k8s.io/aggregate-to-${role}`, 'true']);
  return {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: {
      name: 'system:aggregated-metrics-reader',
      labels: Object.fromEntries(labels) as Record<string, string>,
    },
    rules: [{ apiGroups: [GROUP], resources: ['pods', 'nodes'], verbs: ['get', 'list'] }],
  };
}

/** The usage of every pod that has a running container. */
export function podUsage(pods: readonly KubeObject[], timestamp: string): KubeObject[] {
  return pods.flatMap((pod: Pod) => {
    const containers = running(pod).map((container) => ({ name: container.name, usage: printed(usageOf(container)) }));
    if (containers.length === 0) return [];
    return [measured('PodMetrics', pod, timestamp, { containers })];
  });
}

/** The usage of every node: the sum of its pods. */
export function nodeUsage(nodes: readonly KubeObject[], pods: readonly KubeObject[], timestamp: string): KubeObject[] {
  const sums = new Map<string, Usage>();
  for (const pod of pods as readonly Pod[]) {
    const { nodeName = '' } = pod.spec ?? {};
    sums.set(
      nodeName,
      running(pod)
        .map(usageOf)
        .reduce(sum, sums.get(nodeName) ?? NOTHING),
    );
  }
  return nodes.map((node) => {
    const usage = printed(sums.get(node.metadata.name ?? '') ?? NOTHING);
    return measured('NodeMetrics', node, timestamp, { usage });
  });
}

function definition(plural: string, kind: string, namespaced: boolean): ResourceDefinition {
  return {
    group: GROUP,
    version: 'v1beta1',
    kind,
    listKind: `${kind}List`,
    plural,
    singular: '',
    shortNames: [],
    categories: [],
    namespaced,
    verbs: ['get', 'list'],
    subresources: [],
  };
}

function measured(kind: string, { metadata }: KubeObject, timestamp: string, rest: object): KubeObject {
  const { labels, name, namespace } = metadata;
  return {
    apiVersion: `${GROUP}/v1beta1`,
    kind,
    metadata: {
      name,
      ...(namespace === undefined ? {} : { namespace }),
      creationTimestamp: timestamp,
      ...(labels === undefined ? {} : { labels }),
    },
    timestamp,
    window: WINDOW,
    ...rest,
  } as KubeObject;
}

/** Sidecars run as containers do. */
function running({ spec, status }: Pod): readonly Container[] {
  const statuses = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])];
  const names = new Set(statuses.filter(({ state }) => state?.running !== undefined).map(({ name }) => name));
  return [...(spec?.initContainers ?? []), ...(spec?.containers ?? [])].filter(({ name }) => names.has(name));
}

function usageOf({ resources }: Container): Usage {
  const { cpu, memory } = resources?.requests ?? {};
  return {
    milliCpu: cpu === undefined ? LEAST.milliCpu : scaledQuantity(parseQuantity(cpu), MILLI),
    bytes: memory === undefined ? LEAST.bytes : scaledQuantity(parseQuantity(memory), 0),
  };
}

function sum(one: Usage, other: Usage): Usage {
  return { milliCpu: one.milliCpu + other.milliCpu, bytes: one.bytes + other.bytes };
}

function printed({ bytes, milliCpu }: Usage): { readonly cpu: string; readonly memory: string } {
  return { cpu: `${milliCpu}m`, memory: `${bytes / 1024n}Ki` };
}
