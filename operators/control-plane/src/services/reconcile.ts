import type { HostedControlPlaneSpec } from '@capstan/api/hypershift';
import { publishedEndpoint, publishingOf, routedEndpoint } from '@capstan/hosting';
import type { Endpoint, PublishedEndpoint, PublishedServiceName } from '@capstan/hosting';
import { compareBytes } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { NETWORK_POLICIES, ROUTES, SERVICES } from '../kinds.js';
import { networkPoliciesOf } from './network-policies.js';
import type { Settled } from '../objects/settled.js';
import type { OwnedObjects } from '../objects/owned-objects.js';
import type { Snapshot } from '../objects/snapshot.js';
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

/** What Services are made with. */
export interface ServicesScope {
  readonly spec: HostedControlPlaneSpec;
  readonly objects: OwnedObjects;
  readonly settled: Settled;
  /** Names the control plane among those that are settled. */
  readonly owner: string;
  /** Identifies the spec: equal keys mean equal specs. */
  readonly key: string;
}

/** Ensures the Services of a control plane, and the NetworkPolicies of its pods. */
export async function ensureServices({ key, objects, owner, settled, spec }: ServicesScope): Promise<void> {
  const there = (): KubeObject[] =>
    [SERVICES, NETWORK_POLICIES].flatMap((kind) => objects.snapshot.list(kind).toSorted(byName));
  if (settled.until(owner, 'services', { key, objects: there(), nowMs: 0 }) !== undefined) return;
  for (const policy of networkPoliciesOf(spec)) await objects.ensure(NETWORK_POLICIES, policy);
  for (const service of servicesOf(spec)) await objects.ensure(SERVICES, service);
  const made = there();
  if (objects.areAsDesired(made)) settled.settle(owner, 'services', { key, objects: made });
}

function byName(a: KubeObject, b: KubeObject): number {
  return compareBytes(a.metadata.name ?? '', b.metadata.name ?? '');
}

/** Makes the Routes that the spec asks for; gives what they publish, and whether there can be any. */
export async function ensureRoutes(
  { objects, spec }: Pick<ServicesScope, 'objects' | 'spec'>,
  there: () => Promise<readonly KubeObject[] | undefined>,
): Promise<PublishedRoutes | undefined> {
  const wanted = routesOf(spec);
  if (wanted.size === 0) return undefined;
  const found = await there();
  const published = { services: [...wanted.keys()], areServed: found !== undefined };
  for (const route of found ?? []) objects.snapshot.put(ROUTES, route);
  if (found !== undefined) for (const route of wanted.values()) await objects.ensure(ROUTES, route);
  return published;
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
