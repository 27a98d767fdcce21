import type { HostedControlPlaneSpec } from '@capstan/api/hypershift';
import { publishedEndpoint, publishingOf, routedEndpoint } from '@capstan/hosting';
import type { Endpoint, PublishedEndpoint, PublishedServiceName } from '@capstan/hosting';
import type { ResourceKind } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import { NETWORK_POLICIES, ROUTES, SERVICES } from '../kinds.js';
import type { Snapshot } from '../objects/snapshot.js';
import { networkPoliciesOf } from './network-policies.js';
import { routeOf, routesOf } from './routes.js';
import { PUBLISHED, servicesOf } from './services.js';

/** Where what is published is reached, and what is waited for. */
export interface PublishedEndpoints {
  readonly endpoints: Readonly<Partial<Record<PublishedServiceName, Endpoint>>>;
  readonly waitingFor: readonly string[];
}

/** What is published by routes. */
export interface PublishedRoutes {
  readonly services: readonly PublishedServiceName[];
  /** Whether the management cluster knows what a Route is. */
  readonly areServed: boolean;
}

/** The Services of a control plane, and before them the NetworkPolicies of its pods. */
export function wantedServices(spec: HostedControlPlaneSpec): readonly (readonly [ResourceKind, KubeObject])[] {
  return [
    ...networkPoliciesOf(spec).map((policy) => [NETWORK_POLICIES, policy] as const),
    ...servicesOf(spec).map((service) => [SERVICES, service] as const),
  ];
}

/** The Routes that are to be ensured, and what they publish. */
export interface RoutesDecision {
  readonly wanted: readonly KubeObject[];
  readonly published: PublishedRoutes;
}

/** Decides about the Routes by those there are, which is undefined where the API is not served; undefined without any. */
export function decideRoutes(
  spec: HostedControlPlaneSpec,
  found: readonly KubeObject[] | undefined,
): RoutesDecision | undefined {
  const wanted = routesOf(spec);
  if (wanted.size === 0) return undefined;
  const areServed = found !== undefined;
  return { wanted: areServed ? [...wanted.values()] : [], published: { services: [...wanted.keys()], areServed } };
}

/** Where the published services are reached, as far as they have an address. */
export function endpointsOf(
  spec: HostedControlPlaneSpec,
  snapshot: Snapshot,
  routes: PublishedRoutes | undefined,
): PublishedEndpoints {
  const endpoints: Partial<Record<PublishedServiceName, Endpoint>> = {};
  const waitingFor: string[] = [];
  for (const [name, service] of Object.entries(PUBLISHED) as [PublishedServiceName, string][]) {
    const strategy = publishingOf(spec.services, name);
    const found = snapshot.get(SERVICES, service);
    if (found === undefined && strategy === undefined) continue;
    const route = routes?.areServed === true ? routeOf(spec, name) : undefined;
    const published = route === undefined ? publishedEndpoint(strategy, found) : routed(route, snapshot);
    if ('endpoint' in published) endpoints[name] = published.endpoint;
    else waitingFor.push(`${name}: ${published.waitingFor}`);
  }
  return { endpoints, waitingFor };
}

function routed({ metadata: { name = '' } }: KubeObject, snapshot: Snapshot): PublishedEndpoint {
  return routedEndpoint(name, snapshot.get(ROUTES, name));
}
