/**
 * What a health check of Cluster API comes to for machines that Cluster API leaves alone. Its controller skips paused
 * machines, and a set that is paused deletes none: this operator completes both, and nothing else. Pure.
 */
import { controllerOf, cutText, minOf } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import type { Authority } from '../shared/model.js';
import { isDeleting, isLiving, sourceOf } from '../shared/model.js';
import { hasOwnPause, hasPause } from '../shared/pause.js';
import { conditionsOf, copiesOf, examine } from './examine.js';
import type { CheckedMachine, Finding, HealthCheck } from './examine.js';

export interface HealthInputs {
  readonly check: HealthCheck;
  readonly cluster: KubeObject;
  readonly machines: readonly CheckedMachine[];
  readonly nowMs: number;
}

/** A machine that is deleted by its authoritative copy. */
export interface Remediation {
  readonly machine: CheckedMachine;
  readonly by: Authority;
  readonly object: KubeObject;
  readonly why: string;
}

export interface HealthDecision {
  readonly remediations: readonly Remediation[];
  /** Why nothing is deleted although machines are unhealthy. */
  readonly problem?: { readonly reason: string; readonly message: string } | undefined;
  /** When a machine may be unhealthy that is not yet. */
  readonly againInMs?: number | undefined;
}

/** Of the names in an event. */
const NAMES_LENGTH = 80;
const SKIP_ANNOTATION = 'cluster.x-k8s.io/skip-remediation';

/** The pause of a user, or the wish to leave it alone, is one for either API. */
export function isSkipped(machine: CheckedMachine): boolean {
  return copiesOf(machine).some(
    (copy) => copy.metadata.annotations?.[SKIP_ANNOTATION] !== undefined || (hasPause(copy) && !hasOwnPause(copy)),
  );
}

const nameOf = (machine: CheckedMachine): string => copiesOf(machine)[0]?.metadata.name ?? '';

const isFalse = (object: KubeObject, type: string): boolean =>
  [[], ['v1beta2'], ['deprecated', 'v1beta1']].some((path) =>
    conditionsOf(object, ...path).some((each) => each['type'] === type && each['status'] === 'False'),
  );

/** Whether Cluster API's own health check has asked the owner of the machine to delete it. */
const isAskedFor = (capi: KubeObject): boolean =>
  isFalse(capi, 'HealthCheckSucceeded') && isFalse(capi, 'OwnerRemediated');

/** By which copy this operator deletes an unhealthy machine; undefined where another controller does, or nobody should. */
export function remediatedBy({ capi, mapi, set }: CheckedMachine): Authority | undefined {
  // What has no owner is not replaced.
  if (mapi === undefined || isDeleting(mapi) || isDeleting(capi) || controllerOf(mapi) === undefined) return undefined;
  const source = sourceOf(mapi);
  // Without a copy, for example because it cannot be converted, there is nobody else either.
  if (capi === undefined) return source === 'MachineAPI' ? source : undefined;
  if (hasOwnPause(capi)) return source;
  return source === 'ClusterAPI' && isOwnerIdle(capi, set) && isAskedFor(capi) ? source : undefined;
}

/** Whether the owner in Cluster API deletes no machine that it is asked to. */
function isOwnerIdle(capi: KubeObject, set: KubeObject | undefined): boolean {
  return controllerOf(capi)?.kind === 'ControlPlaneMachineSet' || (set !== undefined && hasOwnPause(set));
}

/** Whether machines may be deleted: too many unhealthy ones are a fault of more than machines. */
export function isAllowed({ spec }: HealthCheck, total: number, healthy: number): boolean {
  const { unhealthyInRange = '', unhealthyLessThanOrEqualTo: most = '100%' } = spec?.remediation?.triggerIf ?? {};
  const unhealthy = total - healthy;
  if (unhealthyInRange !== '') {
    const range = /^\[(\d+)-(\d+)\]$/.exec(unhealthyInRange);
    return range !== null && unhealthy >= Number(range[1]) && unhealthy <= Number(range[2]);
  }
  const limit = /^(\d+)(%?)$/.exec(String(most));
  if (limit === null) return false;
  return unhealthy <= (limit[2] === '%' ? Math.floor((Number(limit[1]) * total) / 100) : Number(limit[1]));
}

/** Decides about all machines of a check. Each counts once, whichever API acts on it. */
export function decideHealth({ check, cluster, machines, nowMs }: HealthInputs): HealthDecision {
  const examined = machines
    .filter((machine) => !isSkipped(machine))
    .map((machine) => ({ machine, finding: examine(check, cluster, machine, nowMs) }));
  const remediations = examined.flatMap(({ finding, machine }): readonly Remediation[] => {
    const by = finding.health === 'unhealthy' ? remediatedBy(machine) : undefined;
    const object = by === 'MachineAPI' ? machine.mapi : machine.capi;
    if (finding.health !== 'unhealthy' || by === undefined || object === undefined) return [];
    return [{ machine, by, object, why: finding.why }];
  });
  const findings = examined.map(({ finding }) => finding);
  const again = { againInMs: nextLook(findings) };
  if (remediations.length === 0) return { remediations, ...again };
  const names = cutText(remediations.map(({ machine }) => nameOf(machine)).join(', '), NAMES_LENGTH);
  if ((check.spec?.remediation?.templateRef?.kind ?? '') !== '') {
    const message = `Machine API acts on ${names}, and remediation templates are for machines of Cluster API: switch them to Cluster API, or delete them`;
    return { remediations: [], problem: { reason: 'RemediationSkipped', message }, ...again };
  }
  const healthy = findings.filter(({ health }) => health === 'healthy').length;
  if (isAllowed(check, examined.length, healthy)) return { remediations, ...again };
  const message = `${names} of ${examined.length} machines in both APIs, of which ${examined.length - healthy} are not healthy, is not deleted: that is more than the check allows`;
  return { remediations: [], problem: { reason: 'RemediationRestricted', message }, ...again };
}

function nextLook(findings: readonly Finding[]): number | undefined {
  const times = findings.flatMap((each) => (each.health === 'pending' ? [each.againInMs ?? Infinity] : []));
  const first = minOf(times);
  return Number.isFinite(first) ? first : undefined;
}

/** Whether the check decides at all: it is of Cluster API now, and neither it nor the cluster is paused. */
export function isActing(check: HealthCheck, counterpart: KubeObject | undefined, cluster: KubeObject): boolean {
  const { spec } = cluster as { readonly spec?: { readonly paused?: boolean } };
  return (
    isLiving(check) &&
    !hasPause(check) &&
    !hasPause(cluster) &&
    spec?.paused !== true &&
    (counterpart as { status?: { authoritativeAPI?: string } } | undefined)?.status?.authoritativeAPI === 'ClusterAPI'
  );
}
