/** In which order authority moves: a few machines first, then their set, then all others. Pure. */
import { lookUp } from '@capstan/meta';
import { UsageError } from '../errors.js';
import { nameOf } from './tree.js';
import type { Authority, MirroredKind, ResourceStatus } from './resource.js';

/** What is asked to move together, and waited for before the next step begins. */
export interface SwitchStep {
  readonly title: string;
  readonly resources: readonly ResourceStatus[];
}

/** What a switch is asked for. */
export interface SwitchRequest {
  readonly to: Authority;
  /** How many machines of each set go first. */
  readonly canary: number;
  /** Whether the machines of a set go with it. */
  readonly machines: boolean;
}

/** A resource as it is named on the command line. */
export interface ResourceName {
  readonly kind: MirroredKind;
  readonly name: string;
}

const KINDS: Readonly<Record<string, MirroredKind>> = {
  machine: 'Machine',
  machineset: 'MachineSet',
  machinehealthcheck: 'MachineHealthCheck',
  controlplanemachineset: 'ControlPlaneMachineSet',
};

/** `workers` is a MachineSet; others are `machine/NAME` and `machinehealthcheck/NAME`. */
export function readName(text: string): ResourceName {
  const [first = '', ...rest] = text.split('/');
  if (rest.length === 0) return { kind: 'MachineSet', name: first };
  const kind = lookUp(KINDS, first);
  if (kind === undefined || rest.length > 1 || rest[0] === '')
    throw new UsageError(
      `${JSON.stringify(text)} names no resource`,
      'name a MachineSet as NAME, others as machine/NAME or machinehealthcheck/NAME',
    );
  return { kind, name: rest[0] ?? '' };
}

/** Why a resource cannot be asked to move; undefined when it can. */
export function obstacle(resource: ResourceStatus): string | undefined {
  const { clusterAPI, isDeleting, isSynchronized, machineAPI, waitsFor } = resource;
  const name = nameOf(resource);
  if (machineAPI === undefined) return `${name} has no copy in Machine API`;
  if (isDeleting) return `${name} is being deleted`;
  if (clusterAPI === undefined || !isSynchronized)
    return `${name} is not synchronized${waitsFor === undefined ? '' : `: ${waitsFor.reason}: ${waitsFor.message}`}`;
  return undefined;
}

/** The steps for what was named, without what is there already. */
export function switchSteps(
  named: readonly ResourceStatus[],
  all: readonly ResourceStatus[],
  { canary, machines, to }: SwitchRequest,
): readonly SwitchStep[] {
  const isOpen = ({ authority, wanted }: ResourceStatus): boolean => authority !== to || wanted !== to;
  const of = (set: ResourceStatus): readonly ResourceStatus[] =>
    machines && set.kind === 'MachineSet'
      ? all.filter((each) => each.kind === 'Machine' && each.set === set.name && each.machineAPI !== undefined)
      : [];
  const first = named.flatMap((each) => of(each).slice(0, canary));
  const rest = named.flatMap((each) => of(each).slice(canary));
  const steps: readonly SwitchStep[] = [
    { title: 'canary', resources: first },
    { title: 'named', resources: named },
    { title: 'machines', resources: rest },
  ];
  return steps
    .map(({ resources, title }) => ({ title, resources: resources.filter(isOpen) }))
    .filter(({ resources }) => resources.length > 0);
}
