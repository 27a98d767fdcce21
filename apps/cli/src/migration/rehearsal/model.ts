import type { HostedCluster } from '@capstan/api/hypershift';
import type { KubeObject } from '@capstan/meta';
import type { CopiedObject } from '@capstan/simulation';

/** A hosted cluster as it was read from a management cluster or from a folder. */
export interface SourceCluster {
  readonly hostedCluster: HostedCluster;
  /** Everything of it but the HostedCluster. */
  readonly objects: readonly CopiedObject[];
  /** What could not be read, for the user. */
  readonly leftOut: readonly string[];
}

/** What was read of a management cluster. */
export interface SourceFleet {
  readonly clusters: readonly SourceCluster[];
  readonly crds: readonly KubeObject[];
}

/** Which hosted clusters are rehearsed. */
export type ClusterFilter = (cluster: KubeObject) => boolean;

/** Never copied: recorded many times, derived from others, or without meaning where no pod runs. */
export const SKIPPED: ReadonlySet<string> = new Set([
  'apps/controllerrevisions',
  'apps/replicasets',
  '/bindings',
  'coordination.k8s.io/leases',
  'discovery.k8s.io/endpointslices',
  '/endpoints',
  '/events',
  'events.k8s.io/events',
  'metrics.k8s.io/pods',
  '/pods',
]);

const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';
const REDACTED = /^redacted, (\d{1,9}) bytes$/;

/** A Secret with zeros in place of its values, as many as there were; any other object as it is. */
export function withoutSecrets(object: KubeObject): KubeObject {
  if (object.kind !== 'Secret') return object;
  const { [LAST_APPLIED]: _, ...annotations } = object.metadata.annotations ?? {};
  const { data, stringData: _text, ...rest } = object as KubeObject & { readonly data?: Record<string, unknown> };
  const zeros = Object.entries(data ?? {}).map(([key, value]) => [key, zerosLike(String(value))]);
  const metadata = { ...object.metadata, annotations };
  return { ...rest, metadata, data: Object.fromEntries(zeros) as Record<string, string> } as KubeObject;
}

function zerosLike(value: string): string {
  const redacted = REDACTED.exec(value)?.[1];
  const bytes = redacted === undefined ? Buffer.from(value, 'base64').length : Number(redacted);
  return Buffer.alloc(bytes).toString('base64');
}

/** Whether a NodePool is of the HostedCluster with that name, which shares its namespace with others. */
export function isPoolOf(pool: KubeObject, cluster: string): boolean {
  return (pool['spec'] as { readonly clusterName?: string } | undefined)?.clusterName === cluster;
}

/** `clusters/a`: how users name a hosted cluster. */
export function clusterId({ metadata: { name = '', namespace = '' } }: KubeObject): string {
  return `${namespace}/${name}`;
}
