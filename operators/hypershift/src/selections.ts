import { COMPONENT_LABEL, CONTROL_PLANE_DEPLOYMENTS } from '@capstan/hosting';
import type { OperatorMode } from '@capstan/hosting';
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
  NETWORK_POLICIES,
  POD_MONITORS,
  ROLES,
  ROLE_BINDINGS,
  ROUTES,
  SERVICES,
  SERVICE_ACCOUNTS,
} from './kinds.js';
import { isMachine, trimMachine } from './node-pool/machines/trim.js';
import { PROXY_SELECTOR } from './sidecar/surroundings.js';

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

/** Proxies are also in Deployments of the control plane operator, whose network is opened here. */
const PROXIED: Selection = {
  labelSelector: `${COMPONENT_LABEL} in (${[...OWN_COMPONENTS, ...CONTROL_PLANE_DEPLOYMENTS].join(',')})`,
};
const CHOSEN_ON_PRIVATE: typeof CHOSEN = [
  [DEPLOYMENTS, PROXIED],
  [NETWORK_POLICIES, { labelSelector: PROXY_SELECTOR }],
  [POD_MONITORS, { labelSelector: PROXY_SELECTOR }],
];

type Kept = Pick<CacheOptions, 'selectionOf' | 'transform'>;

/** How little of the management cluster this operator keeps in memory. */
export function cacheOf({ kind }: OperatorMode): Kept {
  const chosen = kind === 'private' ? [...CHOSEN, ...CHOSEN_ON_PRIVATE] : CHOSEN;
  const selections = new Map(chosen.map(([{ group, plural }, selection]) => [`${plural}.${group}`, selection]));
  return {
    transform: (object) => (isMachine(object) ? trimMachine(object) : withoutManagedFields(object)),
    selectionOf: ({ group, plural }) => selections.get(`${plural}.${group}`) ?? {},
  };
}

/** That of an operator on standard types. */
export const CACHE: Kept = cacheOf({ kind: 'standard' });
