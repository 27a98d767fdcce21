import { COMPONENT_LABEL } from '@capstan/hosting';
import { withoutManagedFields } from '@capstan/kube';
import type { CacheOptions, ResourceRef, Selection } from '@capstan/kube';
import { OWN_COMPONENTS } from './hosted-cluster/desired/own-components.js';
import { IGNITION_SERVICE } from './hosted-cluster/gather.js';
import {
  CLUSTER_ROLES,
  CLUSTER_ROLE_BINDINGS,
  DEFINITIONS,
  DEPLOYMENTS,
  NAMESPACES,
  ROLES,
  ROLE_BINDINGS,
  ROUTES,
  SERVICES,
  SERVICE_ACCOUNTS,
} from './kinds.js';
import { isMachine, trimMachine } from './node-pool/machines/trim.js';

const OWN: Selection = { labelSelector: `${COMPONENT_LABEL} in (${OWN_COMPONENTS.join(',')})` };
const IGNITION: Selection = { fieldSelector: `metadata.name=${IGNITION_SERVICE}` };
const NAMES: Selection = { metadataOnly: true };

const CHOSEN: readonly (readonly [ResourceRef, Selection])[] = [
  [NAMESPACES, NAMES],
  [DEFINITIONS, NAMES],
  [SERVICES, IGNITION],
  [ROUTES, IGNITION],
  [DEPLOYMENTS, OWN],
  [SERVICE_ACCOUNTS, OWN],
  [ROLES, OWN],
  [ROLE_BINDINGS, OWN],
  [CLUSTER_ROLES, OWN],
  [CLUSTER_ROLE_BINDINGS, OWN],
];
const SELECTIONS = new Map(CHOSEN.map(([{ group, plural }, selection]) => [`${plural}.${group}`, selection]));

/** How little of the management cluster this operator keeps in memory. */
export const CACHE: Pick<CacheOptions, 'selectionOf' | 'transform'> = {
  transform: (object) => (isMachine(object) ? trimMachine(object) : withoutManagedFields(object)),
  selectionOf: ({ group, plural }) => SELECTIONS.get(`${plural}.${group}`) ?? {},
};
