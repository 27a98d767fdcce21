import type { HostedControlPlaneSpec } from '@capstan/api/hypershift';
import { compareBytes } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { NETWORK_POLICIES, ROUTES, SERVICES } from '../kinds.js';
import type { OwnedObjects } from '../objects/owned-objects.js';
import type { Settled } from '../objects/settled.js';
import { decideRoutes, wantedServices } from './decide.js';
import type { PublishedRoutes } from './decide.js';
import { routesOf } from './routes.js';

/** What Services are ensured with. */
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
  for (const [kind, object] of wantedServices(spec)) await objects.ensure(kind, object);
  const ensured = there();
  if (objects.areAsDesired(ensured)) settled.settle(owner, 'services', { key, objects: ensured });
}

function byName(a: KubeObject, b: KubeObject): number {
  return compareBytes(a.metadata.name ?? '', b.metadata.name ?? '');
}

/** Ensures the Routes that the spec asks for; returns what they publish, and whether there can be any. */
export async function ensureRoutes(
  { objects, spec }: Pick<ServicesScope, 'objects' | 'spec'>,
  list: () => Promise<readonly KubeObject[] | undefined>,
): Promise<PublishedRoutes | undefined> {
  // Most control planes have none: then none are listed.
  if (routesOf(spec).size === 0) return undefined;
  const found = await list();
  for (const route of found ?? []) objects.snapshot.put(ROUTES, route);
  const decision = decideRoutes(spec, found);
  for (const route of decision?.wanted ?? []) await objects.ensure(ROUTES, route);
  return decision?.published;
}
