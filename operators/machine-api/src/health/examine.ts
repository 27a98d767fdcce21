/** How a machine is, by a health check of Cluster API: as its controller decides it, for machines of either API. Pure. */
import { maxOf, minOf } from '@capstan/meta';
import type { JsonObject, KubeObject, LabelSelector } from '@capstan/meta';
import type { Authored } from '../shared/model.js';
import { isLiving, recordAt, sourceOf } from '../shared/model.js';

/** A condition that makes a machine unhealthy when it lasts. */
interface UnhealthyCondition {
  readonly type: string;
  readonly status: string;
  readonly timeoutSeconds?: number;
}

/** A health check of Cluster API, as far as it is read here. */
export interface HealthCheck extends KubeObject {
  readonly spec?: {
    readonly clusterName?: string;
    readonly selector?: LabelSelector;
    readonly checks?: {
      readonly nodeStartupTimeoutSeconds?: number;
      readonly unhealthyNodeConditions?: readonly UnhealthyCondition[];
      readonly unhealthyMachineConditions?: readonly UnhealthyCondition[];
    };
    readonly remediation?: {
      readonly triggerIf?: {
        readonly unhealthyLessThanOrEqualTo?: number | string;
        readonly unhealthyInRange?: string;
      };
      readonly templateRef?: { readonly kind?: string };
    };
  };
}

/** A machine by its copies, of which there is at least one, what controls it in Cluster API, and its node. */
export interface CheckedMachine {
  readonly capi?: KubeObject | undefined;
  readonly mapi?: Authored | undefined;
  /** The set that controls the copy in Cluster API; undefined where it has none there. */
  readonly set?: KubeObject | undefined;
  /** Undefined while the machine names none; `missing` when the one that it names does not exist. */
  readonly node?: KubeObject | 'missing' | undefined;
}

/** What is found of a machine. */
export type Finding =
  | { readonly health: 'healthy' }
  /** Neither healthy nor unhealthy long enough; again in `againInMs`, when that is known. */
  | { readonly health: 'pending'; readonly againInMs?: number }
  | { readonly health: 'unhealthy'; readonly why: string };

const SECOND_MS = 1000;
const DEFAULT_STARTUP_SECONDS = 600;
const REMEDIATE_ANNOTATION = 'cluster.x-k8s.io/remediate-machine';
const CONTROL_PLANE_LABEL = 'cluster.x-k8s.io/control-plane';

/** The conditions of an object. */
export function conditionsOf(object: KubeObject, ...path: readonly string[]): readonly JsonObject[] {
  const found = recordAt(object, 'status', ...path)['conditions'];
  return Array.isArray(found) ? (found as readonly JsonObject[]) : [];
}

const conditionOf = (object: KubeObject, type: string): JsonObject | undefined =>
  conditionsOf(object).find((each) => each['type'] === type);
const isTrue = (object: KubeObject, type: string): boolean => conditionOf(object, type)?.['status'] === 'True';
const timeOf = (condition: JsonObject | undefined): number => Date.parse(String(condition?.['lastTransitionTime']));

/** The copies that there are. */
export function copiesOf({ capi, mapi }: CheckedMachine): readonly KubeObject[] {
  return [capi, mapi].filter((copy) => copy !== undefined);
}

/** The name of its node, by the copy that is authoritative: the other one may be behind. */
export function nodeNameOf({ capi, mapi }: CheckedMachine): string | undefined {
  const authority = mapi !== undefined && (capi === undefined || sourceOf(mapi) === 'MachineAPI') ? mapi : capi;
  const { name } = recordAt(authority, 'status', 'nodeRef');
  return typeof name === 'string' && name !== '' ? name : undefined;
}

/** Before the cluster and its control plane are there, nothing can be expected of a machine. */
function isTooEarly(cluster: KubeObject, { capi }: CheckedMachine): boolean {
  if (!isTrue(cluster, 'InfrastructureReady')) return true;
  return !isTrue(cluster, 'ControlPlaneInitialized') && capi?.metadata.labels?.[CONTROL_PLANE_LABEL] === undefined;
}

/** What makes the machine unhealthy whatever its node reports. */
function reasonOf({ mapi }: CheckedMachine): string | undefined {
  // Cluster API knows no such phase; in Machine API it is final, and machines without node would wait in it for ever.
  const isFailed = mapi !== undefined && sourceOf(mapi) === 'MachineAPI' && mapi.status?.['phase'] === 'Failed';
  return isFailed ? 'it is in phase Failed' : undefined;
}

/** How the machine is. */
export function examine(check: HealthCheck, cluster: KubeObject, machine: CheckedMachine, nowMs: number): Finding {
  if (machine.capi?.metadata.annotations?.[REMEDIATE_ANNOTATION] !== undefined)
    return { health: 'unhealthy', why: `annotation ${REMEDIATE_ANNOTATION} asks for it` };
  const hasNode = machine.node !== undefined && machine.node !== 'missing';
  const quiet: Finding = { health: hasNode && copiesOf(machine).every(isLiving) ? 'healthy' : 'pending' };
  if (isTooEarly(cluster, machine)) return quiet;
  const why = reasonOf(machine);
  if (why !== undefined) return { health: 'unhealthy', why };
  const findings = [...machineFindings(check, machine, nowMs), ...nodeFindings(check, cluster, machine, nowMs)];
  return findings.find((each) => each?.health === 'unhealthy') ?? earliest(findings) ?? quiet;
}

/** When one of them is to be looked at again. */
function earliest(findings: readonly (Finding | undefined)[]): Finding | undefined {
  const againInMs = minOf(findings.flatMap((each) => (each?.health === 'pending' ? [each.againInMs ?? Infinity] : [])));
  return Number.isFinite(againInMs) ? { health: 'pending', againInMs } : undefined;
}

function machineFindings(
  check: HealthCheck,
  { capi }: CheckedMachine,
  nowMs: number,
): readonly (Finding | undefined)[] {
  if (capi === undefined) return [];
  return (check.spec?.checks?.unhealthyMachineConditions ?? []).map((each) => lasting(each, capi, nowMs));
}

function nodeFindings(
  check: HealthCheck,
  cluster: KubeObject,
  machine: CheckedMachine,
  nowMs: number,
): readonly (Finding | undefined)[] {
  const { node } = machine;
  if (node === undefined) return [startup(check, cluster, machine, nowMs)];
  if (node === 'missing')
    return [{ health: 'unhealthy', why: `its node ${String(nodeNameOf(machine))} does not exist` }];
  return (check.spec?.checks?.unhealthyNodeConditions ?? []).map((each) => lasting(each, node, nowMs));
}

/** Until a time; a second later, because times are written in whole seconds. */
function until(timeMs: number, nowMs: number, why: string): Finding {
  const leftMs = timeMs - nowMs;
  return leftMs < 0 ? { health: 'unhealthy', why } : { health: 'pending', againInMs: leftMs + SECOND_MS };
}

function lasting(check: UnhealthyCondition, object: KubeObject, nowMs: number): Finding | undefined {
  const { status, timeoutSeconds = 0, type } = check;
  const condition = conditionOf(object, type);
  if (condition?.['status'] !== status) return undefined;
  const since = timeOf(condition);
  if (Number.isNaN(since)) return { health: 'pending' };
  const why = `condition ${type} of ${object.kind} ${object.metadata.name ?? ''} is ${status} for more than ${timeoutSeconds}s`;
  return until(since + timeoutSeconds * SECOND_MS, nowMs, why);
}

/** A machine has a while to get its node, from when all that it needs was there. */
function startup(check: HealthCheck, cluster: KubeObject, machine: CheckedMachine, nowMs: number): Finding | undefined {
  const seconds = check.spec?.checks?.nodeStartupTimeoutSeconds ?? DEFAULT_STARTUP_SECONDS;
  if (seconds === 0) return undefined;
  const ready = [
    conditionOf(cluster, 'ControlPlaneInitialized'),
    conditionOf(cluster, 'InfrastructureReady'),
    machine.capi && conditionOf(machine.capi, 'InfrastructureReady'),
  ].filter((condition) => condition?.['status'] === 'True');
  const created = copiesOf(machine).map(({ metadata }) => Date.parse(metadata.creationTimestamp ?? ''));
  const since = maxOf([...ready.map(timeOf), ...created].filter((time) => !Number.isNaN(time)));
  return until(since + seconds * SECOND_MS, nowMs, `it has no node after ${seconds}s`);
}
