import type { HostedControlPlaneSpec } from '@capstan/api/hypershift';
import { publishingOf } from '@capstan/hosting';
import type { PublishedServiceName, Publishing } from '@capstan/hosting';
import type { JsonObject, KubeObject } from '@capstan/meta';
import { apiServerPort, hasNamedRoute, hasOAuthServer } from '../spec.js';

interface ServiceRow {
  readonly name: string;
  /** The component whose pods answer; their own name otherwise. */
  readonly app?: string;
  readonly port: number;
  /** Name or number of the port of the pods. */
  readonly target: number | string;
  /** The element of `spec.services` that sets how it is published. */
  readonly published?: PublishedServiceName;
  /** Without an address of its own: its pods are found one by one. */
  readonly isHeadless?: boolean;
  readonly morePorts?: Readonly<Record<string, number>>;
}

/** The Service of each element of `spec.services` that this project publishes. */
export const PUBLISHED: Readonly<Record<PublishedServiceName, string>> = {
  APIServer: 'kube-apiserver',
  Ignition: 'ignition-server',
  Konnectivity: 'konnectivity-server',
  OAuthServer: 'oauth-openshift',
};

function rows(spec: HostedControlPlaneSpec): readonly ServiceRow[] {
  const etcd: readonly ServiceRow[] = [
    { name: 'etcd-client', app: 'etcd', port: 2379, target: 'client', isHeadless: true },
    { name: 'etcd-discovery', app: 'etcd', port: 2380, target: 'peer', isHeadless: true, morePorts: { client: 2379 } },
  ];
  const login: readonly ServiceRow[] = [
    { name: 'oauth-openshift', port: 6443, target: 'https', published: 'OAuthServer' },
    { name: 'openshift-oauth-apiserver', port: 443, target: 'https' },
  ];
  return [
    { name: 'kube-apiserver', port: apiServerPort(spec), target: 'client', published: 'APIServer' },
    { name: 'ignition-server', port: 443, target: 'https', published: 'Ignition' },
    { name: 'ignition-server-proxy', port: 443, target: 'https' },
    { name: 'konnectivity-server', app: 'kube-apiserver', port: 8091, target: 8091, published: 'Konnectivity' },
    { name: 'openshift-apiserver', port: 443, target: 'https' },
    { name: 'packageserver', port: 443, target: 'https' },
    ...(hasOAuthServer(spec) ? login : []),
    ...(spec.etcd.managementType === 'Managed' ? etcd : []),
    ...(hasNamedRoute(spec.services) ? [{ name: 'router', port: 443, target: 'https' }] : []),
  ];
}

/** The Services of a control plane. */
export function servicesOf(spec: HostedControlPlaneSpec): readonly KubeObject[] {
  return rows(spec).map((row) => ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: row.name, labels: { app: row.app ?? row.name } },
    spec: specOf(row, spec),
  }));
}

function specOf(row: ServiceRow, spec: HostedControlPlaneSpec): JsonObject {
  const { app = row.name, isHeadless, morePorts = {}, name, port, published, target } = row;
  const strategy = published === undefined ? undefined : publishingOf(spec.services, published);
  const nodePort = strategy?.type === 'NodePort' ? strategy.nodePort?.port : undefined;
  const first = {
    name: typeof target === 'string' ? target : name,
    port,
    targetPort: target,
    protocol: 'TCP',
    ...(nodePort === undefined || nodePort === 0 ? {} : { nodePort }),
  };
  const more = Object.entries(morePorts).map(([each, number]) => ({
    name: each,
    port: number,
    targetPort: each,
    protocol: 'TCP',
  }));
  return {
    ...typeOf(row, strategy, spec),
    ...(isHeadless === true ? { clusterIP: 'None', publishNotReadyAddresses: true } : {}),
    selector: { app },
    ports: [first, ...more],
  };
}

function typeOf(
  { name }: ServiceRow,
  strategy: Publishing['servicePublishingStrategy'],
  spec: HostedControlPlaneSpec,
): JsonObject {
  // The router carries what is published by routes, so it is what the names of routes stand for.
  const type = name === 'router' ? 'LoadBalancer' : strategy?.type;
  if (type === 'NodePort') return { type };
  if (type !== 'LoadBalancer') return { type: 'ClusterIP' };
  const sources = name === PUBLISHED.APIServer ? (spec.networking?.apiServer?.allowedCIDRBlocks ?? []) : [];
  return { type, ...(sources.length === 0 ? {} : { loadBalancerSourceRanges: sources }) };
}
