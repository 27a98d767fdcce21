import {
  compareBytes,
  compileLabelSelector,
  controllerOf,
  formatLabelSelector,
  isControlledBy,
  lookUp,
} from '@capstan/meta';
import type { LabelSelector } from '@capstan/meta';
import { timeMs } from '../machine/decide.js';
import { DELETE_MACHINE_ANNOTATION, OLD_DELETE_MACHINE_ANNOTATION } from '../names.js';
import { MACHINES, readyCondition } from '../resources.js';
import type { Machine, MachineSet, MachineSetStatus, NodeObject } from '../resources.js';

/** What is wrong with a set, for people; undefined when nothing is. */
export function setProblem({ metadata, spec }: MachineSet): string | undefined {
  const { deletePolicy = '', replicas, selector = {}, template } = spec ?? {};
  const { name = '' } = metadata;
  const failed = `${JSON.stringify(name)} machineset validation failed`;
  if (isEmpty(selector)) return `${failed}: spec.selector: empty selector is not valid for MachineSet.`;
  if (!matches(selector, template?.metadata?.labels ?? {}))
    return `${failed}: spec.template.metadata.labels: \`selector\` does not match template \`labels\``;
  if (replicas === undefined)
    return `the Replicas field in Spec for machineset ${name} is nil, this should not be allowed`;
  return policyProblem(deletePolicy);
}

function policyProblem(policy: string): string | undefined {
  if (policy === '' || lookUp(PRIORITIES, policy) !== undefined) return undefined;
  return `unsupported delete policy ${policy}, must be one of 'Random', 'Newest', or 'Oldest'`;
}

function isEmpty({ matchExpressions, matchLabels }: LabelSelector): boolean {
  return (matchExpressions ?? []).length + Object.keys(matchLabels ?? {}).length === 0;
}

/** Whether a selector takes the labels; an empty one takes nothing. */
export function matches(selector: LabelSelector, labels: Readonly<Record<string, string>>): boolean {
  return !isEmpty(selector) && compileLabelSelector(selector).matches(labels);
}

/** The machines a set counts: matching, not going, and not another's. Those without owner are to be adopted. */
export function membersOf(set: MachineSet, machines: readonly Machine[]): readonly Machine[] {
  return machines
    .filter((machine) => {
      const { deletionTimestamp, labels = {}, namespace } = machine.metadata;
      if (deletionTimestamp != null || namespace !== set.metadata.namespace) return false;
      if (controllerOf(machine) !== undefined && !isControlledBy(machine, set)) return false;
      return matches(set.spec?.selector ?? {}, labels);
    })
    .sort((a, b) => compareBytes(a.metadata.name ?? '', b.metadata.name ?? ''));
}

/** What brings a set to its size. */
export interface Scaling {
  readonly create: number;
  readonly remove: readonly Machine[];
}

/** Compares what there is with what is wanted. */
export function decideScaling(set: MachineSet, members: readonly Machine[], nowMs: number): Scaling {
  const wanted = set.spec?.replicas ?? 0;
  const surplus = members.length - wanted;
  if (surplus <= 0) return { create: wanted - members.length, remove: [] };
  return { create: 0, remove: deletionOrder(set.spec?.deletePolicy, members, nowMs).slice(0, surplus) };
}

const MUST = 100;
const BETTER = 50;
const PREFER = 40;
const COULD = 20;
const HUNDRED_DAYS_S = 8_640_000;

type Priority = (machine: Machine, nowMs: number) => number;

function isMarked({ metadata: { annotations = {} }, status }: Machine): boolean {
  const mark = annotations[DELETE_MACHINE_ANNOTATION] || annotations[OLD_DELETE_MACHINE_ANNOTATION];
  return Boolean(mark) || status?.errorReason !== undefined || status?.errorMessage !== undefined;
}

/** Rises with age towards the better half, so that a machine marked for deletion always goes first. */
const oldest: Priority = (machine, nowMs) => {
  if (isMarked(machine)) return MUST;
  const { creationTimestamp } = machine.metadata;
  const ageS = creationTimestamp == null ? -1 : (nowMs - timeMs(creationTimestamp)) / 1000;
  return ageS < 0 ? 0 : BETTER * (1 - Math.exp(-ageS / HUNDRED_DAYS_S));
};

const PRIORITIES: Readonly<Record<string, Priority>> = {
  Oldest: oldest,
  Newest: (machine, nowMs) => (isMarked(machine) ? MUST : MUST - oldest(machine, nowMs)),
  Random: (machine) => {
    if (isMarked(machine)) return BETTER;
    // Nothing runs yet on a machine without a node.
    return machine.status?.nodeRef === undefined ? PREFER : COULD;
  },
};

/** Who goes first. Of equals the first by name, so that deciding again from an old view picks the same. */
export function deletionOrder(policy = '', machines: readonly Machine[], nowMs: number): readonly Machine[] {
  const priority = lookUp(PRIORITIES, policy === '' ? 'Random' : policy) ?? (() => 0);
  return machines
    .map((machine) => ({ machine, rank: priority(machine, nowMs) }))
    .sort((a, b) => b.rank - a.rank)
    .map(({ machine }) => machine);
}

/** A new machine of a set; the server names it. */
export function newMachine(set: MachineSet): Machine {
  const { apiVersion, kind, metadata, spec } = set;
  const { labels, annotations } = spec?.template?.metadata ?? {};
  const { name = '', namespace, uid = '' } = metadata;
  return {
    apiVersion: `${MACHINES.group}/${MACHINES.version}`,
    kind: MACHINES.kind,
    metadata: {
      generateName: `${name}-`,
      ...(namespace === undefined ? {} : { namespace }),
      ...(labels === undefined ? {} : { labels }),
      ...(annotations === undefined ? {} : { annotations }),
      ownerReferences: [{ apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true }],
    },
    spec: spec?.template?.spec ?? {},
  };
}

type FindNode = (name: string) => NodeObject | undefined;

/** The status of a set for its machines. Zeroes are written too: a scale client reads them. */
export function nextSetStatus(
  set: MachineSet,
  members: readonly Machine[],
  findNode: FindNode,
  nowMs: number,
): MachineSetStatus {
  const template = Object.entries(set.spec?.template?.metadata?.labels ?? {});
  const isFullyLabeled = ({ metadata }: Machine): boolean =>
    template.every(([key, value]) => metadata.labels?.[key] === value);
  const readySince = members.flatMap((machine) => {
    const node = findNode(machine.status?.nodeRef?.name ?? '');
    const ready = node === undefined ? undefined : readyCondition(node);
    return ready?.status === 'True' ? [timeMs(ready.lastTransitionTime ?? '')] : [];
  });
  const minReadyMs = (set.spec?.minReadySeconds ?? 0) * 1000;
  return {
    ...set.status,
    replicas: members.length,
    fullyLabeledReplicas: members.filter(isFullyLabeled).length,
    readyReplicas: readySince.length,
    availableReplicas: readySince.filter((since) => minReadyMs === 0 || since + minReadyMs <= nowMs).length,
    labelSelector: formatLabelSelector(set.spec?.selector),
    observedGeneration: set.metadata.generation ?? 0,
  };
}
