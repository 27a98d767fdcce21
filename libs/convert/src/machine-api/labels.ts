/** Labels of machines: two places in Machine API, one in Cluster API; roles are values here and names there. */
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

/** What labels depend on beside labels. */
export interface LabelFacts {
  readonly clusterName: string;
  /** The MachineSet that a Cluster API machine belongs to. */
  readonly setName?: string | undefined;
  /** Of one machine: labels that Machine API's programs write from its provider spec. Absent for sets and templates. */
  readonly traits?: MachineTraits | undefined;
}

const traitLabels = [
  ['instanceType', INSTANCE_TYPE_LABEL],
  ['region', REGION_LABEL],
  ['zone', ZONE_LABEL],
] as const;

/** The roles of a machine that its node role labels alone tell: both the same, or another one beside worker. */
function toldRoles(role: unknown, type: unknown): readonly string[] | undefined {
  if (typeof role !== 'string' || typeof type !== 'string' || role === '' || type === '') return undefined;
  if (role === type) return [role];
  return type === WORKER_ROLE ? [role, type] : undefined;
}

/** Whether a role of these labels stands as a node role label on the other side. */
export function roleNames(labels: Texts): readonly string[] | undefined {
  return toldRoles(labels[ROLE_LABEL], labels[TYPE_LABEL]);
}

/** The reverse: role and type of the node role labels; `undefined` where they do not tell. */
function rolesOf(labels: Texts): { readonly role: string; readonly type: string } | undefined {
  if (labels[ROLE_LABEL] !== undefined || labels[TYPE_LABEL] !== undefined) return undefined;
  const names = nodeRoles(labels);
  const [first, second] = names;
  if (names.length === 0)
    return labels[CONTROL_PLANE_LABEL] === undefined
      ? undefined
      : { role: CONTROL_PLANE_ROLE, type: CONTROL_PLANE_ROLE };
  if (first !== undefined && second === undefined) return { role: first, type: first };
  if (names.length !== 2 || !names.includes(WORKER_ROLE)) return undefined;
  return { role: names.find((name) => name !== WORKER_ROLE) ?? WORKER_ROLE, type: WORKER_ROLE };
}

function nodeRoles(labels: Texts): string[] {
  return Object.keys(labels)
    .filter((key) => key.startsWith(NODE_ROLE_PREFIX) && labels[key] === '')
    .map((key) => key.slice(NODE_ROLE_PREFIX.length));
}

const LABEL_VALUE = /^(?:[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?$/;

/** The name of a set as a label: as it is, or by its hash where it cannot be one. */
function setLabel(name: string): string {
  if (LABEL_VALUE.test(name)) return name;
  const bytes = Buffer.from(hashText(name), 'hex');
  return `hash_${bytes.toString('base64url')}_z`;
}

/** Labels on their way to Cluster API and back. */
export const labelConversion: TextConversion<LabelFacts> = {
  toClusterApi(places, { clusterName, setName, traits }) {
    const merged: Record<string, unknown> = {};
    for (const place of places) for (const key of Object.keys(place)) setOwn(merged, key, place[key]);
    const labels: Record<string, unknown> = { ...merged };
    const roles = roleNames(merged);
    if (roles !== undefined) {
      delete labels[ROLE_LABEL];
      delete labels[TYPE_LABEL];
      for (const role of roles) labels[`${NODE_ROLE_PREFIX}${role}`] = '';
    }
    if (traits !== undefined)
      for (const [trait, label] of traitLabels)
        if (traits[trait] !== undefined && labels[label] === traits[trait]) delete labels[label];
    labels[CLUSTER_NAME_LABEL] = clusterName;
    if (setName !== undefined) labels[SET_NAME_LABEL] = setLabel(setName);
    if (merged[ROLE_LABEL] === CONTROL_PLANE_ROLE) labels[CONTROL_PLANE_LABEL] = '';
    return labels;
  },

  toMachineApi(labels, { traits }, count) {
    const own: Record<string, unknown> = {};
    const roles = rolesOf(labels);
    for (const key of Object.keys(labels)) {
      if (key === CLUSTER_NAME_LABEL || key === SET_NAME_LABEL || key === CONTROL_PLANE_LABEL) continue;
      if (roles !== undefined && key.startsWith(NODE_ROLE_PREFIX) && labels[key] === '') continue;
      setOwn(own, key, labels[key]);
    }
    const forNodes: Record<string, unknown> = {};
    if (count > 1)
      for (const key of Object.keys(own)) if (!key.startsWith(MACHINE_API_PREFIX)) setOwn(forNodes, key, own[key]);
    if (roles !== undefined) {
      own[ROLE_LABEL] = roles.role;
      own[TYPE_LABEL] = roles.type;
    }
    if (traits !== undefined)
      for (const [trait, label] of traitLabels) if (traits[trait] !== undefined) own[label] ??= traits[trait];
    return count > 1 ? [own, forNodes] : [own];
  },
};
