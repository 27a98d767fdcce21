import { apiErrors, goQuote } from '@capstan/meta';
import type { Call } from '../verbs/context.js';
import type { PodParts } from './locate.js';

interface ServiceParts {
  readonly spec?: { readonly ports?: readonly { readonly name?: string; readonly port: number }[] };
}

interface EndpointsParts {
  readonly subsets?: readonly {
    readonly addresses?: readonly EndpointAddress[];
    readonly ports?: readonly { readonly name?: string; readonly port: number }[];
  }[];
}

interface EndpointAddress {
  readonly ip: string;
  readonly targetRef?: { readonly kind?: string; readonly namespace?: string; readonly name?: string };
}

/** One pod behind a service. */
export interface ServiceEndpoint {
  readonly pod: string;
  readonly ip: string;
  readonly port: number;
}

/** Any ready pod behind the service; `id` is how the request spelled it. */
export function findServiceEndpoint(
  call: Call,
  { name, port }: { readonly name: string; readonly port: string },
  id: string,
): ServiceEndpoint {
  const { core, namespace } = call;
  const portName = /^\d+$/.test(port) ? portNameOf(call, name, Number(port)) : port;
  const stored = core.store.get('/endpoints', namespace, name);
  if (stored === undefined) {
    const kind = core.store.get('/services', namespace, name) === undefined ? 'services' : 'endpoints';
    throw apiErrors.notFound({ group: '', resource: kind }, name);
  }
  const { subsets = [] } = stored.object() as EndpointsParts;
  if (subsets.length === 0) throw apiErrors.serviceUnavailable(`no endpoints available for service ${goQuote(name)}`);
  const found: ServiceEndpoint[] = subsets.flatMap(({ addresses = [], ports = [] }) => {
    const chosen = ports.find((each) => (each.name ?? '') === portName);
    if (chosen === undefined) return [];
    return addresses.flatMap((address) => {
      const pod = podOf(call, address);
      return pod === undefined ? [] : [{ pod, ip: address.ip, port: chosen.port }];
    });
  });
  const endpoint = found[found.length === 0 ? 0 : core.below(found.length)];
  if (endpoint === undefined) throw apiErrors.serviceUnavailable(`no endpoints available for service ${goQuote(id)}`);
  return endpoint;
}

function portNameOf({ core, namespace }: Call, name: string, port: number): string {
  const service = core.store.get('/services', namespace, name);
  if (service === undefined) throw apiErrors.notFound({ group: '', resource: 'services' }, name);
  const found = (service.object() as ServiceParts).spec?.ports?.find((each) => each.port === port);
  if (found === undefined)
    throw apiErrors.serviceUnavailable(`no service port ${port} found for service ${goQuote(name)}`);
  return found.name ?? '';
}

/** Requests are passed only to real pods: permission to write endpoints must not reach elsewhere by them. */
function podOf({ core, namespace }: Call, { ip, targetRef }: EndpointAddress): string | undefined {
  if (targetRef?.name === undefined || targetRef.namespace !== namespace) return undefined;
  const pod = core.store.get('/pods', namespace, targetRef.name);
  const ips = (pod?.object() as PodParts | undefined)?.status?.podIPs ?? [];
  return ips.some((each) => each.ip === ip) ? targetRef.name : undefined;
}
