/** What of an existing counterpart stays as it is when a conversion is written over it. */
import { cloneJson, deepEqual, stringifyJson } from '@capstan/meta';
import type { JsonObject } from '@capstan/meta';
import { getAt, isRecord, setAt } from '../../engine/path.js';
import type { Path } from '../../engine/path.js';
import { CLUSTER_API_MEMBER, MACHINE_API_MEMBER, controlPlaneSide } from '../control-plane.js';
import type { ConversionIssue } from '../converter.js';
import { objectName } from '../converter.js';
import { OtherOwners } from './field-ownership.js';

/** The object to write, and what of it the server will not take. */
export interface Retained {
  readonly object: JsonObject;
  /** What is wanted and cannot be had while the existing object is there. */
  readonly conflicts: readonly ConversionIssue[];
}

/** Who writes. */
export interface RetainOptions {
  /** The field managers of the writer, now and in the past: what they alone own and no longer want is removed. */
  readonly managers: readonly string[];
}

/** Metadata of the object that is there, whatever is wanted. Finalizers are moved one by one, never with the object. */
const IDENTITY = [
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'managedFields',
  'selfLink',
  'generateName',
  'finalizers',
];

/** Keys with an effect on controllers: a counterpart has those of its original, and no others. */
const RESERVED = /(?:^|\.)(?:machine\.openshift\.io|kubernetes\.io|k8s\.io|metal3\.io)\//;
const isReserved = (key: string): boolean => RESERVED.test(key) || key.includes('cluster.x-k8s.io/');

/** Owners that a conversion has its own of: an old one of these is not kept. */
const OWN_OWNERS: ReadonlySet<unknown> = new Set(['MachineSet', 'ControlPlaneMachineSet', 'Machine']);

function entriesToWrite(
  field: 'labels' | 'annotations',
  { desired, existing }: Copies,
  others: OtherOwners,
): JsonObject | undefined {
  const wanted = getAt(desired, ['metadata', field]);
  const there = getAt(existing, ['metadata', field]);
  const made: JsonObject = {};
  if (isRecord(there)) {
    for (const key of Object.keys(there)) {
      if (!isReserved(key) && (!others.isKnown || others.owns(field, key))) made[key] = there[key];
    }
  }
  if (isRecord(wanted)) Object.assign(made, wanted);
  return Object.keys(made).length === 0 ? undefined : made;
}

interface Copies {
  readonly desired: JsonObject;
  readonly existing: JsonObject;
}

const listAt = (object: JsonObject, name: string): readonly unknown[] => {
  const found = getAt(object, ['metadata', name]);
  return Array.isArray(found) ? found : [];
};

/** Those wanted, and those that others set. An object has one controller. */
function ownersToWrite({ desired, existing }: Copies): readonly unknown[] {
  const wanted = listAt(desired, 'ownerReferences');
  const isWanted = (owner: JsonObject): boolean =>
    wanted.some((each) => isRecord(each) && each['kind'] === owner['kind'] && each['name'] === owner['name']);
  const kept = listAt(existing, 'ownerReferences').filter(
    (owner) => isRecord(owner) && !OWN_OWNERS.has(owner['kind']) && owner['controller'] !== true && !isWanted(owner),
  );
  return [...wanted, ...kept];
}

/** Fields that the counterpart has for itself: which API is authoritative is asked for on the one of Machine API only. */
const OWN_FIELDS = [
  ['spec', 'authoritativeAPI'],
  ['spec', 'template', 'spec', 'authoritativeAPI'],
];
const OWN_CONTROL_PLANE_FIELD = ['spec', 'template', MACHINE_API_MEMBER, 'spec', 'authoritativeAPI'];

const SELECTOR = ['spec', 'selector'];
const CONTROL_PLANE = 'ControlPlaneMachineSet';

/** The template of machines in a set: of one kind it is a union with a member for each API. */
function templateIn(set: JsonObject): Path {
  const at = ['spec', 'template'];
  if (set['kind'] !== CONTROL_PLANE) return at;
  return [...at, controlPlaneSide(set) === 'cluster-api' ? CLUSTER_API_MEMBER : MACHINE_API_MEMBER];
}

/** What a server lets nobody change on a set of control plane machines. */
function retainControlPlane(object: JsonObject, existing: JsonObject, conflicts: ConversionIssue[]): void {
  const fixed = [
    ['replicas', getAt(existing, ['spec', 'replicas']) !== undefined],
    ['state', getAt(existing, ['spec', 'state']) === 'Active'],
  ] as const;
  for (const [field, isFixed] of fixed) {
    const path = ['spec', field];
    const [wanted, there] = [getAt(object, path), getAt(existing, path)];
    if (!isFixed || wanted === there) continue;
    setAt(object, path, there);
    // Absent means as it is.
    if (wanted === undefined) continue;
    const message = `is ${stringifyJson(wanted)}, and stays ${stringifyJson(there)}: it cannot be changed, create the set again`;
    conflicts.push({ code: 'RefusedByServer', object: objectName(object), path: path.join('.'), message });
  }
}

/** Selectors of sets cannot change; the labels of the template must match the one that is there. */
function retainSelector(object: JsonObject, existing: JsonObject, conflicts: ConversionIssue[]): void {
  const selector = getAt(existing, SELECTOR);
  if (!isRecord(selector) || deepEqual(selector, getAt(object, SELECTOR))) return;
  setAt(object, SELECTOR, selector);
  const wanted = selector['matchLabels'];
  if (!isRecord(wanted)) return;
  const labels = [...templateIn(object), 'metadata', 'labels'];
  for (const key of Object.keys(wanted)) {
    const label = getAt(object, [...labels, key]);
    if (label === undefined) setAt(object, [...labels, key], wanted[key]);
    else if (label !== wanted[key])
      conflicts.push({
        code: 'RefusedByServer',
        object: objectName(object),
        path: `${labels.join('.')}[${key}]`,
        message: `is ${stringifyJson(label)}, which the selector of the existing set does not match (${stringifyJson(wanted[key])}): selectors cannot be changed, create the set again`,
      });
  }
}

/** What of a set cannot change. */
function retainUnchangeable(object: JsonObject, existing: JsonObject): ConversionIssue[] {
  const conflicts: ConversionIssue[] = [];
  const isControlPlane = object['kind'] === CONTROL_PLANE;
  if (isControlPlane || object['kind'] === 'MachineSet') retainSelector(object, existing, conflicts);
  if (isControlPlane) retainControlPlane(object, existing, conflicts);
  return conflicts;
}

function retainAuthority(object: JsonObject, existing: JsonObject): void {
  for (const path of OWN_FIELDS) {
    const value = getAt(existing, path);
    if (value !== undefined) setAt(object, path, value);
  }
  const authority = getAt(existing, OWN_CONTROL_PLANE_FIELD);
  // A template has one member: a set that gets the other one has no place for it.
  if (authority !== undefined && isRecord(getAt(object, OWN_CONTROL_PLANE_FIELD.slice(0, -1))))
    setAt(object, OWN_CONTROL_PLANE_FIELD, authority);
}

/**
 * The object to write over an existing one: all of the desired one with identity, finalizers and authority of the existing,
 * its selector, and the labels, annotations and owners that others added. Neither of the arguments changes.
 */
export function retainOf(desired: JsonObject, existing: JsonObject, { managers }: RetainOptions): Retained {
  const object = cloneJson(desired);
  const metadata: JsonObject = isRecord(object['metadata']) ? object['metadata'] : {};
  object['metadata'] = metadata;
  for (const name of IDENTITY) {
    const value = getAt(existing, ['metadata', name]);
    if (value === undefined) delete metadata[name];
    else metadata[name] = value;
  }
  const copies: Copies = { desired, existing };
  const others = new OtherOwners(existing, managers);
  const owners = ownersToWrite(copies);
  const made = {
    labels: entriesToWrite('labels', copies, others),
    annotations: entriesToWrite('annotations', copies, others),
    ownerReferences: owners.length === 0 ? undefined : owners,
  };
  for (const [name, value] of Object.entries(made)) {
    if (value === undefined) delete metadata[name];
    else metadata[name] = value;
  }
  retainAuthority(object, existing);
  if (existing['status'] !== undefined) object['status'] = existing['status'];
  return { object, conflicts: retainUnchangeable(object, existing) };
}
