import { CLUSTER_API_RULES, GroupMapping } from '@capstan/translate';

/** The group of Cluster API's core, as programs and the platform name it. */
export const CORE = 'cluster.x-k8s.io';
/** Of infrastructure. */
export const INFRASTRUCTURE = `infrastructure.${CORE}`;

/** Under which names hosted clusters keep their groups. */
export const MAPPING = new GroupMapping(CLUSTER_API_RULES);

/** The core's group as hosted clusters have it. */
export const HOSTED_CORE = MAPPING.swap(CORE);
/** The same of infrastructure. */
export const HOSTED_INFRASTRUCTURE = MAPPING.swap(INFRASTRUCTURE);
