import type { KubeObject } from '@capstan/meta';
import type { Store } from '../store/index.js';
import type { ServiceAddress, ServiceResolver, WebhookService } from './call.js';

const SERVICES = '/services';
const SLICES = 'discovery.k8s.io/endpointslices';
const SERVICE_LABEL = 'kubernetes.io/service-name';
const DEFAULT_PORT = 443;

interface ServiceSpec {
  readonly type?: string;
  readonly ports?: readonly { readonly name?: string; readonly port: number }[];
  readonly ipFamilies?: readonly string[];
}

interface Slice extends KubeObject {
  readonly addressType?: string;
  readonly ports?: readonly { readonly name?: string; readonly port?: number }[] | null;
  readonly endpoints?:
    | readonly { readonly addresses: readonly string[]; readonly conditions?: { readonly ready?: boolean } }[]
    | null;
}

/** The port a call to a Service goes to. */
export function servicePort(service: WebhookService): number {
  return service.port === undefined || service.port === 0 ? DEFAULT_PORT : service.port;
}

/**
 * Finds Services in the store, as a server that dials endpoints itself does: there is no network here that would know
 * cluster addresses.
 */
export function storedServices(store: Store): ServiceResolver {
  return (service) => {
    const { namespace, name } = service;
    const stored = store.get(SERVICES, namespace, name);
    if (stored === undefined) return `service ${JSON.stringify(name)} not found`;
    const spec = (stored.object()['spec'] ?? {}) as ServiceSpec;
    if (spec.type === 'ExternalName') return `unsupported service type "ExternalName"`;
    const wanted = servicePort(service);
    const port = spec.ports?.find((each) => each.port === wanted);
    if (port === undefined) return `no service port ${wanted} found for service ${JSON.stringify(name)}`;
    const address = readyEndpoint(slicesOf(store, service, spec.ipFamilies?.[0]), port.name ?? '');
    return address ?? `no endpoints available for service ${JSON.stringify(name)}`;
  };
}

/** Those of the service's first address family come first. */
function slicesOf(store: Store, { namespace, name }: WebhookService, family: string | undefined): Slice[] {
  const { items } = store.list(SLICES, {
    namespace,
    filter: (stored) => stored.object().metadata.labels?.[SERVICE_LABEL] === name,
  });
  const slices = items.map((item) => item.object() as Slice);
  const [preferred, others] = [[] as Slice[], [] as Slice[]];
  for (const slice of slices) (slice.addressType === family ? preferred : others).push(slice);
  return [...preferred, ...others];
}

function readyEndpoint(slices: readonly Slice[], portName: string): ServiceAddress | undefined {
  for (const slice of slices) {
    const port = slice.ports?.find((each) => (each.name ?? '') === portName && each.port !== undefined)?.port;
    const host = slice.endpoints?.find(({ conditions }) => conditions?.ready !== false)?.addresses[0];
    if (port !== undefined && host !== undefined) return { host, port };
  }
  return undefined;
}
