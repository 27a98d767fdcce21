/** One resource with two copies, as commands show it. Pure. */
import { HANDOVER, SYNCHRONIZED } from '@capstan/machine-api';
import { controllerOf } from '@capstan/meta';
import type { Condition, KubeObject } from '@capstan/meta';

/** Kinds with two copies. */
export type MirroredKind = 'ControlPlaneMachineSet' | 'Machine' | 'MachineHealthCheck' | 'MachineSet';

/** Who is authoritative. */
export type Authority = 'ClusterAPI' | 'MachineAPI';

/** A resource, both its copies, and what it waits for. */
export interface ResourceStatus {
  readonly kind: MirroredKind;
  readonly name: string;
  /** The MachineSet that controls it. */
  readonly set?: string | undefined;
  /** Phase or replicas of the copy; absent where there is none. */
  readonly machineAPI?: string | undefined;
  readonly clusterAPI?: string | undefined;
  /** Undefined before anybody has taken it on. */
  readonly authority?: Authority | 'Migrating' | undefined;
  readonly wanted: Authority;
  readonly isSynchronized: boolean;
  readonly isDeleting: boolean;
  /** Why it is not synchronized, or why its authority does not move. */
  readonly waitsFor?: { readonly reason: string; readonly message: string; readonly since: string } | undefined;
}

interface Copy extends KubeObject {
  readonly spec?: { readonly authoritativeAPI?: string; readonly replicas?: number };
  readonly status?: {
    readonly phase?: string;
    readonly readyReplicas?: number;
    readonly currentHealthy?: number;
    readonly expectedMachines?: number;
    readonly authoritativeAPI?: string;
    readonly synchronizedAPI?: string;
    readonly conditions?: readonly Condition[];
  };
}

/** The two copies; one may be missing. */
export interface Copies {
  readonly kind: MirroredKind;
  readonly machineApi?: KubeObject | undefined;
  readonly clusterApi?: KubeObject | undefined;
}

const conditionOf = ({ status }: Copy, type: string): Condition | undefined =>
  status?.conditions?.find((each) => each.type === type);

const readyOf = ({ spec, status }: Copy): string => `${status?.readyReplicas ?? 0}/${spec?.replicas ?? 0} ready`;

/** What a copy reports, in a word. */
const SUMMARIES: Readonly<Record<MirroredKind, (copy: Copy) => string>> = {
  Machine: ({ status }) => status?.phase ?? 'Pending',
  MachineSet: readyOf,
  ControlPlaneMachineSet: readyOf,
  MachineHealthCheck: ({ status }) => `${status?.currentHealthy ?? 0}/${status?.expectedMachines ?? 0} healthy`,
};

function waitingOf(copy: Copy): ResourceStatus['waitsFor'] {
  const waits = [conditionOf(copy, HANDOVER), conditionOf(copy, SYNCHRONIZED)].find(
    (each) => each !== undefined && each.status !== 'True',
  );
  if (waits === undefined) return undefined;
  return { reason: waits.reason ?? '', message: waits.message ?? '', since: waits.lastTransitionTime ?? '' };
}

/** The MachineSet that controls a machine, by the name that either copy has for it. */
function setOf(copies: readonly Copy[]): string | undefined {
  const owners = copies.map((each) => controllerOf(each));
  return owners.find((each) => each?.kind === 'MachineSet')?.name;
}

/** Without a copy in Machine API, Cluster API is alone. */
function authorityOf(
  mapi: Copy | undefined,
): Pick<ResourceStatus, 'authority' | 'isSynchronized' | 'waitsFor' | 'wanted'> {
  if (mapi === undefined) return { authority: 'ClusterAPI', wanted: 'ClusterAPI', isSynchronized: false };
  return {
    authority: mapi.status?.authoritativeAPI as ResourceStatus['authority'],
    wanted: mapi.spec?.authoritativeAPI === 'ClusterAPI' ? 'ClusterAPI' : 'MachineAPI',
    isSynchronized: conditionOf(mapi, SYNCHRONIZED)?.status === 'True',
    waitsFor: waitingOf(mapi),
  };
}

/** What is known of a resource from its copies. */
export function resourceStatus({ clusterApi, kind, machineApi }: Copies): ResourceStatus {
  const [mapi, capi] = [machineApi as Copy | undefined, clusterApi as Copy | undefined];
  const copies = [mapi, capi].filter((each) => each !== undefined);
  return {
    kind,
    name: copies[0]?.metadata.name ?? '',
    set: setOf(copies),
    machineAPI: mapi && SUMMARIES[kind](mapi),
    clusterAPI: capi && SUMMARIES[kind](capi),
    ...authorityOf(mapi),
    isDeleting: copies.some(({ metadata }) => metadata.deletionTimestamp != null),
  };
}

/** Whether it has a copy in both APIs. */
export function isPair({ clusterAPI, machineAPI }: ResourceStatus): boolean {
  return clusterAPI !== undefined && machineAPI !== undefined;
}

/** Whether authority is where it was asked to be, and both copies agree. What is in Cluster API alone has no other copy. */
export function isSettled({ authority, clusterAPI, isSynchronized, machineAPI, wanted }: ResourceStatus): boolean {
  if (machineAPI === undefined) return true;
  return clusterAPI !== undefined && authority === wanted && isSynchronized;
}
