import { requestFor } from '@capstan/kube';
import type { EventChannel, Manager, Reconcile, Request } from '@capstan/kube';
import type { CompatibilityRequirement } from '@capstan/api/apiextensions';
import type { KubeObject } from '@capstan/meta';
import { DEFINITIONS, REQUIREMENTS, VALIDATING_WEBHOOKS } from '../kinds.js';
import type { Requirements } from '../requirement-cache/requirements.js';

const WORKERS = 4;

/** Watches requirements, the CRDs they are about, and their webhook configurations. */
export function watchRequirements(
  manager: Manager,
  reconcile: Reconcile,
  {
    changes,
    requirements,
  }: { readonly requirements: Requirements; readonly changes: EventChannel<CompatibilityRequirement> },
): void {
  const about = ({ metadata: { name } }: KubeObject): Request[] =>
    [...requirements.all()].filter(({ status }) => status?.crdName === name).map((each) => requestFor(each));
  const named = ({ metadata: { name = '' } }: KubeObject): Request[] => {
    const requirement = requirements.get(name);
    return requirement === undefined ? [] : [requestFor(requirement)];
  };
  manager
    .controller({ name: 'requirements', maxConcurrent: WORKERS, reconcile })
    .for(REQUIREMENTS)
    .watches(DEFINITIONS, about, { metadataOnly: true })
    .watches(VALIDATING_WEBHOOKS, named)
    .from(changes, (requirement) => [requestFor(requirement)]);
}
