import { HOSTED_CONTROL_PLANES, MANAGED_BY_LABEL } from '@capstan/hosting';
import type { ControllerOptions, Manager, Request, ResourceRef, Selection, Source } from '@capstan/kube';
import { changedExceptStatus, NAMESPACE_INDEX, requestFor } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import { DEPLOYMENTS, SECRETS } from '../kinds.js';
import { MANAGER } from '../objects/ownership.js';
import { MADE_OF } from './gather.js';

const WORKERS = 10;
/** Workloads become ready one by one, and each brings up the whole control plane. */
const GATHER_MS = 250;
const OWN_GROUP = 'hypershift.openshift.io';
const PULL_SECRET = { fieldSelector: 'metadata.name=pull-secret', labelSelector: '' };

/** What is kept of a resource: of what others make as well, only what this operator makes or waits for. */
export function selectionIn(namespace: string | undefined): (resource: ResourceRef) => Selection {
  return ({ group, plural }) => {
    if (group === OWN_GROUP) return { namespace };
    // Deployments of other operators count where those are components.
    const labelSelector = plural === DEPLOYMENTS.plural ? MANAGED_BY_LABEL : `${MANAGED_BY_LABEL}=${MANAGER}`;
    return { namespace, labelSelector };
  };
}

/** The Secret with which the images of a control plane are pulled, from a cache of such Secrets alone. */
export function pullSecrets({ cache }: Manager): (namespace: string) => KubeObject | undefined {
  const informer = cache.informer<KubeObject>(SECRETS, PULL_SECRET);
  return (namespace) => informer.store.get(`${namespace}/pull-secret`);
}

/** Watches control planes and all they are made of. */
export function watchControlPlanes(manager: Manager, reconcile: ControllerOptions['reconcile'], routes: Source): void {
  const planes = manager.cache.informer<KubeObject>(HOSTED_CONTROL_PLANES);
  const inNamespace = ({ metadata }: KubeObject): Request[] =>
    [...planes.store.byIndex(NAMESPACE_INDEX, metadata.namespace ?? '')].map((plane) => requestFor(plane));
  const controller = manager.controller({
    name: 'hosted-control-plane',
    maxConcurrent: WORKERS,
    gatherMs: GATHER_MS,
    reconcile,
  });
  // The node count is written by another operator, whenever a node registers.
  controller.for(HOSTED_CONTROL_PLANES, { predicates: [changedExceptStatus('nodeCount')] });
  for (const kind of MADE_OF) controller.watches(kind, inNamespace);
  controller.watches(SECRETS, inNamespace, PULL_SECRET);
  controller.from(routes, inNamespace);
}
