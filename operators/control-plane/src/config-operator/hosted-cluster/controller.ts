import type { HostedControlPlane } from '@capstan/api/hypershift';
import { HOSTED_CONTROL_PLANES } from '@capstan/hosting';
import { cacheSource, changedExceptStatus, or, OwnWrites, requestFor } from '@capstan/kube';
import type { Manager, Predicate, Request } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import type { Guest } from '../guest/guest.js';
import { CLUSTER_ROLE_BINDINGS, CLUSTER_VERSIONS, NODES } from '../kinds.js';
import { GATHER_MS } from '../timing.js';
import { reconcileGuest } from './reconcile.js';

/** How long the node count may be out of date: nothing waits for it. */
const COUNT_MS = 10_000;

/** Watches HostedControlPlanes, and what is reported of the inside of their hosted cluster; `only`: the one of that name. */
export function addHostedClusterController(manager: Manager, guest: Guest, only: string | undefined): void {
  const { cache, client, clock } = manager;
  const planes = cache.informer<KubeObject>(HOSTED_CONTROL_PLANES);
  const all = (): Request[] =>
    [...planes.store.list()].filter(({ metadata }) => only === undefined || metadata.name === only).map(requestFor);
  const nodeCountWrites = new OwnWrites<HostedControlPlane>(({ status }) => status?.nodeCount);
  const controller = manager.controller({
    name: 'hosted-cluster',
    gatherMs: GATHER_MS,
    reconcile: reconcileGuest({ client, cache, clock, guest, nodeCountWrites }),
  });
  const isOurs: Predicate = ({ object }) => only === undefined || object.metadata.name === only;
  // Without the node count written here, which would reconcile again at once.
  controller.for<HostedControlPlane>(HOSTED_CONTROL_PLANES, {
    predicates: [isOurs, or(changedExceptStatus('nodeCount'), nodeCountWrites.changedByOthers)],
  });
  controller.from(cacheSource(guest.cache, CLUSTER_VERSIONS, {}), all);
  controller.from(cacheSource(guest.cache, CLUSTER_ROLE_BINDINGS, {}), all);
  // Only creations and deletions, since only their number is reported.
  controller.from(cacheSource(guest.cache, NODES, {}), all, [({ type }) => type !== 'update'], COUNT_MS);
}
