import type { HostedControlPlaneSpec } from '@capstan/api/hypershift';
import { publishedEndpoint, publishingOf } from '@capstan/provider';
import type { Endpoint, PublishedServiceName } from '@capstan/provider';
import { SERVICES } from '../kinds.js';
import type { OwnedObjects } from '../objects/owned-objects.js';
import type { Snapshot } from '../objects/snapshot.js';
import { PUBLISHED, servicesOf } from './services.js';

/** Where what is published is reached, and what is waited for. */
export interface PublishedEndpoints {
  readonly endpoints: Readonly<Partial<Record<PublishedServiceName, Endpoint>>>;
  readonly waitingFor: readonly string[];
}

/** Makes the Services of a control plane. */
export async function ensureServices(spec: HostedControlPlaneSpec, objects: OwnedObjects): Promise<void> {
  for (const service of servicesOf(spec)) await objects.ensure(SERVICES, service);
}

/** Where the published services are reached, as far as they have an address. */
export function endpointsOf(spec: HostedControlPlaneSpec, snapshot: Snapshot): PublishedEndpoints {
  const endpoints: Partial<Record<PublishedServiceName, Endpoint>> = {};
  const waitingFor: string[] = [];
  for (const [name, service] of Object.entries(PUBLISHED) as [PublishedServiceName, string][]) {
    const strategy = publishingOf(spec.services, name);
    const found = snapshot.get(SERVICES, service);
    if (found === undefined && strategy === undefined) continue;
    const published = publishedEndpoint(strategy, found);
    if ('endpoint' in published) endpoints[name] = published.endpoint;
    else waitingFor.push(`${name}: ${published.waitingFor}`);
  }
  return { endpoints, waitingFor };
}
