import { apiErrors } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import type { Call } from '../verbs/context.js';
import type { KubeletAddress } from '../verbs/connectors.js';

/** What is looked at of a pod. */
export interface PodParts {
  readonly spec?: {
    readonly nodeName?: string;
    readonly containers?: readonly NamedContainer[];
    readonly initContainers?: readonly NamedContainer[];
    readonly ephemeralContainers?: readonly NamedContainer[];
  };
  readonly status?: { readonly podIP?: string; readonly podIPs?: readonly { readonly ip?: string }[] };
}

interface NamedContainer {
  readonly name: string;
  readonly ports?: readonly { readonly containerPort: number }[];
}

interface NodeParts {
  readonly status?: {
    readonly addresses?: readonly { readonly type: string; readonly address: string }[];
    readonly daemonEndpoints?: { readonly kubeletEndpoint?: { readonly Port?: number } };
  };
}

const PODS = '/pods';
const NODES = '/nodes';
const DEFAULT_KUBELET_PORT = 10_250;
/** The order in which the real server tries them. */
const ADDRESS_TYPES = ['Hostname', 'InternalDNS', 'InternalIP', 'ExternalDNS', 'ExternalIP'];

/** The pod of a request. */
export function findPod({ core, namespace }: Call, name: string): KubeObject & PodParts {
  const stored = core.store.get(PODS, namespace, name);
  if (stored === undefined) throw apiErrors.notFound({ group: '', resource: 'pods' }, name);
  return stored.object() as KubeObject & PodParts;
}

/** The container that is meant: the named one, or the only one. */
export function findContainer({ metadata, spec }: KubeObject & PodParts, name: string): string {
  const { containers = [], initContainers = [], ephemeralContainers = [] } = spec ?? {};
  const names = [...initContainers, ...containers, ...ephemeralContainers].map((container) => container.name);
  const pod = metadata.name ?? '';
  if (name !== '') {
    if (names.includes(name)) return name;
    throw apiErrors.badRequest(`container ${name} is not valid for pod ${pod}`);
  }
  const [only] = containers;
  if (only !== undefined && containers.length === 1) return only.name;
  throw apiErrors.badRequest(`a container name must be specified for pod ${pod}, choose one of: [${names.join(' ')}]`);
}

/** Where the kubelet of a node listens; an unknown node is reported as the request's own resource. */
export function findKubelet(call: Call, node: string): KubeletAddress {
  const stored = call.core.store.get(NODES, '', node);
  if (stored === undefined) throw apiErrors.notFound(call.served.groupResource, node);
  const { addresses = [], daemonEndpoints } = (stored.object() as NodeParts).status ?? {};
  for (const type of ADDRESS_TYPES) {
    const found = addresses.find((address) => address.type === type);
    if (found === undefined) continue;
    const port = daemonEndpoints?.kubeletEndpoint?.Port ?? 0;
    return { node, host: found.address, port: port > 0 ? port : DEFAULT_KUBELET_PORT };
  }
  const known = addresses.map(({ type, address }) => `{${type} ${address}}`).join(' ');
  throw apiErrors.unclassified(`no preferred addresses found; known addresses: [${known}]`);
}

/** Host and port as URLs have them. */
export function hostPort(host: string, port: number | string): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}
