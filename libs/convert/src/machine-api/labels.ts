/**
 * Labels of machines: two places in Machine API, one in Cluster API. All of them keep their names, so that a selector
 * means the same on both sides; roles, which are values in Machine API, are node role labels in Cluster API besides.
 */
import { hashText, setOwn } from '@capstan/meta';
import {
  CLUSTER_NAME_LABEL,
  CONTROL_PLANE_LABEL,
  CONTROL_PLANE_ROLE,
  INSTANCE_TYPE_LABEL,
  MACHINE_API_PREFIX,
  NODE_ROLE_PREFIX,
  REGION_LABEL,
  ROLE_LABEL,
  SET_NAME_LABEL,
  TYPE_LABEL,
  WORKER_ROLE,
  ZONE_LABEL,
} from './names.js';
import type { MachineTraits } from './platform.js';
import type { TextConversion, Texts } from './texts.js';

/** What labels depend on apart from labels. */
export interface LabelFacts {
  readonly clusterName: string;
  /** The MachineSet that a Cluster API machine belongs to. */
  readonly setName?: string | undefined;
  /** Of one machine: labels that Machine API's programs write from its provider spec. Absent for sets and templates. */
  readonly traits?: MachineTraits | undefined;
  /** The failure domain in Cluster API, where Machine API has only the label for it. */
  readonly zone?: string | undefined;
}

const traitLabels = [
  ['instanceType', INSTANCE_TYPE_LABEL],
  ['region', REGION_LABEL],
  ['zone', ZONE_LABEL],
] as const;

/** The node roles that role and type stand for. */
function derivedRoles(labels: Texts): string[] {
  const [role, type] = [labels[ROLE_LABEL], labels[TYPE_LABEL]];
  const roles = typeof role === 'string' && role !== '' ? [role] : [];
  if (typeof type === 'string' && type !== '' && type !== role) roles.push(type);
  return roles;
}

/** Role and type of a machine that has node role labels alone; `undefined` where these do not determine them. */
function rolesOf(labels: Texts): { readonly role: string; readonly type: string } | undefined {
  const names = Object.keys(labels)
    .filter((key) => key.startsWith(NODE_ROLE_PREFIX) && labels[key] === '')
    .map((key) => key.slice(NODE_ROLE_PREFIX.length));
  if (labels[CONTROL_PLANE_LABEL] !== undefined) return { role: CONTROL_PLANE_ROLE, type: CONTROL_PLANE_ROLE };
  const [first, second] = names;
  if (first === undefined || names.length > 2) return undefined;
  if (second === undefined) return { role: first, type: first };
  if (!names.includes(WORKER_ROLE)) return undefined;
  return { role: first === WORKER_ROLE ? second : first, type: WORKER_ROLE };
}

const LABEL_VALUE = /^(?:[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?$/;

/** The name of a set as a label: as it is, or by its hash where it cannot be one. */
function setLabel(name: string): string {
  if (LABEL_VALUE.test(name)) return name;
  return `hash_${Buffer.from(hashText(name), 'hex').toString('base64url')}_z`;
}

/** Labels on their way to Cluster API and back. */
export const labelConversion: TextConversion<LabelFacts> = {
  toClusterApi(places, { clusterName, setName }) {
    const labels: Record<string, unknown> = {};
    for (const place of places) for (const key of Object.keys(place)) setOwn(labels, key, place[key]);
    for (const role of derivedRoles(labels)) labels[`${NODE_ROLE_PREFIX}${role}`] = '';
    labels[CLUSTER_NAME_LABEL] = clusterName;
    if (setName !== undefined) labels[SET_NAME_LABEL] = setLabel(setName);
    if (labels[ROLE_LABEL] === CONTROL_PLANE_ROLE) labels[CONTROL_PLANE_LABEL] = '';
    return labels;
  },

  toMachineApi(labels, { traits, zone }, count) {
    const own = ordinary(labels);
    const forNodes: Record<string, unknown> = {};
    for (const key of Object.keys(own)) if (!key.startsWith(MACHINE_API_PREFIX)) setOwn(forNodes, key, own[key]);
    const hasPair = own[ROLE_LABEL] !== undefined || own[TYPE_LABEL] !== undefined;
    const roles = hasPair ? undefined : rolesOf(labels);
    if (roles !== undefined) {
      own[ROLE_LABEL] = roles.role;
      own[TYPE_LABEL] = roles.type;
    }
    for (const [trait, label] of traitLabels) {
      if (traits?.[trait] !== undefined) own[label] ??= traits[trait];
    }
    if (zone !== undefined) own[ZONE_LABEL] = zone;
    return count > 1 ? [own, forNodes] : [own];
  },
};

/** Labels that are no consequence of others. */
function ordinary(labels: Texts): Record<string, unknown> {
  const roles = derivedRoles(labels);
  const made: Record<string, unknown> = {};
  for (const key of Object.keys(labels)) {
    const isRole =
      labels[key] === '' && key.startsWith(NODE_ROLE_PREFIX) && roles.includes(key.slice(NODE_ROLE_PREFIX.length));
    if (!isRole && !derivedLabels.has(key)) setOwn(made, key, labels[key]);
  }
  return made;
}

/** Labels of Cluster API that follow from the cluster, the owner and the role. */
const derivedLabels: ReadonlySet<string> = new Set([CLUSTER_NAME_LABEL, SET_NAME_LABEL, CONTROL_PLANE_LABEL]);
