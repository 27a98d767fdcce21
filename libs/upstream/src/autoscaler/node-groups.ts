import { compareBytes } from '@capstan/meta';
import type { JsonObject, KubeObject } from '@capstan/meta';
import type { Node } from '@capstan/cluster';
import { isAllowed } from './auto-discovery.js';
import type { DiscoveryRule } from './auto-discovery.js';
import type { GroupNames } from './group-api.js';

const PAUSED_ANNOTATION = 'cluster.x-k8s.io/paused';

/** A machine, with the fields that the autoscaler reads. */
export interface MachineObject extends KubeObject {
  readonly spec?: { readonly providerID?: string };
  readonly status?: { readonly nodeRef?: { readonly name?: string }; readonly phase?: string };
}

/** Something that can be scaled: a MachineSet or a MachineDeployment. */
export interface Scalable extends KubeObject {
  readonly spec?: {
    readonly replicas?: number;
    readonly template?: { readonly spec?: JsonObject; readonly metadata?: JsonObject };
  };
}

/** Everything the group's resources hold. */
export interface GroupObjects {
  readonly machines: readonly MachineObject[];
  readonly machineSets: readonly Scalable[];
  readonly machineDeployments: readonly Scalable[];
}

/** Machines that are alike and come and go together. */
export interface NodeGroup {
  /** `Kind/namespace/name`. */
  readonly id: string;
  readonly object: Scalable;
  readonly min: number;
  readonly max: number;
  /** How many there are to be. */
  readonly target: number;
  readonly machines: readonly MachineObject[];
}

/** The last part of a provider ID, by which machines and nodes are matched. */
export function normalizedProviderID(providerID: string): string {
  if (providerID.startsWith('azure://') && providerID.includes('virtualMachineScaleSets')) return providerID;
  return providerID.slice(providerID.lastIndexOf('/') + 1);
}

/** The scaling bounds of a group; undefined when they are absent or invalid. */
export function boundsOf(
  annotations: Readonly<Record<string, string>>,
  { maxSize, minSize }: GroupNames,
): { readonly min: number; readonly max: number } | undefined {
  const read = (key: string): number => (/^-?\d+$/.test(annotations[key] ?? '0') ? Number(annotations[key] ?? 0) : -1);
  const min = read(minSize);
  const max = read(maxSize);
  return min < 0 || max < min || max === 0 ? undefined : { min, max };
}

function ownerName({ metadata }: KubeObject, kind: string): string | undefined {
  return metadata.ownerReferences?.find((owner) => owner.kind === kind)?.name;
}

const keyOf = (kind: string, namespace = '', name = ''): string => `${kind}/${namespace}/${name}`;

/** Finds the groups; machines belong by their owners. */
export function nodeGroupsOf(
  { machineDeployments, machineSets, machines }: GroupObjects,
  names: GroupNames,
  rules: readonly DiscoveryRule[],
  canScaleFromZero: (object: Scalable) => boolean,
): readonly NodeGroup[] {
  const groupOfSet = new Map<string, string>();
  for (const set of machineSets) {
    const { name = '', namespace = '' } = set.metadata;
    const deployment = ownerName(set, 'MachineDeployment');
    const own = keyOf('MachineSet', namespace, name);
    groupOfSet.set(own, deployment === undefined ? own : keyOf('MachineDeployment', namespace, deployment));
  }
  const members = new Map<string, MachineObject[]>();
  for (const machine of machines) {
    const set = keyOf('MachineSet', machine.metadata.namespace, ownerName(machine, 'MachineSet'));
    const group = groupOfSet.get(set) ?? '';
    members.set(group, [...(members.get(group) ?? []), machine]);
  }
  const standalone = machineSets.filter((set) => ownerName(set, 'MachineDeployment') === undefined);
  return [...machineDeployments, ...standalone]
    .filter(
      (object) => isAllowed(object, rules, names) && object.metadata.annotations?.[PAUSED_ANNOTATION] === undefined,
    )
    .flatMap((object): NodeGroup[] => {
      const { annotations = {}, name, namespace } = object.metadata;
      const bounds = boundsOf(annotations, names);
      const target = object.spec?.replicas ?? 0;
      if (bounds === undefined || (target === 0 && !canScaleFromZero(object))) return [];
      const id = keyOf(object.kind, namespace, name);
      return [{ id, object, ...bounds, target, machines: members.get(id) ?? [] }];
    })
    .sort((a, b) => compareBytes(a.id, b.id));
}

/** The group and the machine of a node. */
export interface Membership {
  readonly group: NodeGroup;
  readonly machine: MachineObject;
}

/** Which node is of which group. */
export function membershipOf(nodes: readonly Node[], groups: readonly NodeGroup[]): ReadonlyMap<string, Membership> {
  const byProviderID = new Map<string, Membership>();
  for (const group of groups)
    for (const machine of group.machines) {
      const providerID = machine.spec?.providerID ?? '';
      if (providerID !== '') byProviderID.set(normalizedProviderID(providerID), { group, machine });
    }
  const found = new Map<string, Membership>();
  for (const node of nodes) {
    const providerID = (node.spec?.['providerID'] ?? '') as string;
    const membership = providerID === '' ? undefined : byProviderID.get(normalizedProviderID(providerID));
    if (membership !== undefined) found.set(node.metadata.name ?? '', membership);
  }
  return found;
}

/** Whether the machine is going. */
export function isLeaving({ metadata }: MachineObject): boolean {
  return metadata.deletionTimestamp != null;
}

/**
 * How many a group is to have after the marked machines are gone. A group may already want fewer than there are: then so
 * many marks have been counted before, by a request whose answer was lost or a process that is gone.
 */
export function sizeWithoutMarked(
  replicas: number,
  machines: readonly MachineObject[],
  marked: ReadonlySet<string>,
): number {
  const staying = machines.filter((machine) => !isLeaving(machine));
  const markedStaying = staying.filter(({ metadata }) => marked.has(metadata.uid ?? '')).length;
  const alreadyCounted = Math.max(0, staying.length - replicas);
  return replicas - Math.max(0, markedStaying - alreadyCounted);
}
