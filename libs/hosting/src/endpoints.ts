import type { KubeObject } from '@capstan/meta';

/** Where a service of a hosted control plane is reached. */
export interface Endpoint {
  readonly host: string;
  readonly port: number;
}

/** The names in `spec.services`, as far as this project publishes them. */
export type PublishedServiceName = 'APIServer' | 'Ignition' | 'Konnectivity' | 'OAuthServer';

/** An element of `spec.services` of a HostedCluster or HostedControlPlane. */
export interface Publishing {
  readonly service?: string | undefined;
  readonly servicePublishingStrategy?:
    | {
        readonly type?: string | undefined;
        readonly nodePort?: { readonly address?: string | undefined; readonly port?: number | undefined } | undefined;
        readonly loadBalancer?: { readonly hostname?: string | undefined } | undefined;
        readonly route?: { readonly hostname?: string | undefined } | undefined;
      }
    | undefined;
}

/** An endpoint, or what is waited for until there is one: a sentence without a full stop. */
export type PublishedEndpoint = { readonly endpoint: Endpoint } | { readonly waitingFor: string };

interface Service extends KubeObject {
  readonly spec?: { readonly ports?: readonly { readonly port?: number; readonly nodePort?: number }[] };
  readonly status?: {
    readonly loadBalancer?: { readonly ingress?: readonly { readonly hostname?: string; readonly ip?: string }[] };
  };
}

/** What of a Route is looked at. */
interface Route extends KubeObject {
  readonly spec?: { readonly host?: string };
}

/** TLS is passed through by routers at this port, whatever the one behind it. */
const ROUTE_PORT = 443;

/** How a service is published; undefined when `spec.services` does not say. */
export function publishingOf(
  services: readonly Publishing[] | undefined,
  name: PublishedServiceName,
): Publishing['servicePublishingStrategy'] {
  return services?.find(({ service }) => service === name)?.servicePublishingStrategy;
}

/**
 * Where a published service is reached: by the address of its load balancer, by a node and its port, by the host name of
 * its route; and inside of the management cluster where nothing is published, or a route has been given no name.
 *
 * @param service The Service as it is; undefined until it has been made.
 */
export function publishedEndpoint(
  strategy: Publishing['servicePublishingStrategy'],
  service: KubeObject | undefined,
): PublishedEndpoint {
  if (strategy?.type === 'Route' && given(strategy.route?.hostname))
    return { endpoint: { host: strategy.route.hostname, port: ROUTE_PORT } };
  if (service === undefined) return { waitingFor: 'the Service has not been created yet' };
  return behindService(strategy, service as Service);
}

/** Where a service is reached that its Route publishes, once a router has given that a name. */
export function routedEndpoint(name: string, route: KubeObject | undefined): PublishedEndpoint {
  const { host } = (route as Route | undefined)?.spec ?? {};
  return given(host)
    ? { endpoint: { host, port: ROUTE_PORT } }
    : { waitingFor: `a host name of Route ${name}, which a router gives it` };
}

function behindService(strategy: Publishing['servicePublishingStrategy'], service: Service): PublishedEndpoint {
  if (service.spec?.ports?.[0]?.port === undefined) return { waitingFor: `a port of ${nameOf(service)}` };
  if (strategy?.type === 'LoadBalancer') return balanced(strategy, service);
  if (strategy?.type === 'NodePort') return onNodes(strategy, service);
  const { name = '', namespace = '' } = service.metadata;
  return { endpoint: { host: `${name}.${namespace}.svc`, port: portOf(service) } };
}

type Strategy = NonNullable<Publishing['servicePublishingStrategy']>;

function balanced({ loadBalancer }: Strategy, service: Service): PublishedEndpoint {
  const [ingress] = service.status?.loadBalancer?.ingress ?? [];
  const address = given(ingress?.hostname) ? ingress?.hostname : ingress?.ip;
  // A name of the user's own is no use before there is something it can stand for.
  if (!given(address)) return { waitingFor: `an address of the load balancer of ${nameOf(service)}` };
  const own = loadBalancer?.hostname;
  return { endpoint: { host: given(own) ? own : address, port: portOf(service) } };
}

function onNodes({ nodePort }: Strategy, service: Service): PublishedEndpoint {
  const port = service.spec?.ports?.[0]?.nodePort;
  if (!given(nodePort?.address)) return { waitingFor: 'nodePort.address in spec.services, where nodes are reached' };
  if (port === undefined) return { waitingFor: `a node port of ${nameOf(service)}` };
  return { endpoint: { host: nodePort.address, port } };
}

function portOf({ spec }: Service): number {
  return spec?.ports?.[0]?.port ?? ROUTE_PORT;
}

function nameOf({ metadata }: Service): string {
  return `Service ${metadata.namespace ?? ''}/${metadata.name ?? ''}`;
}

/** `host:port`, without a port that `https` implies; an IPv6 address in brackets. */
export function endpointText({ host, port }: Endpoint): string {
  const bracketed = host.includes(':') ? `[${host}]` : host;
  return port === ROUTE_PORT ? bracketed : `${bracketed}:${port}`;
}

function given(text: string | undefined): text is string {
  return text !== undefined && text !== '';
}
