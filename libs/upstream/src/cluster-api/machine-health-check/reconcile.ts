import type { EventChannel, Reconcile, Result } from '@capstan/kube';
import { parseApiVersion, minOf } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { conditionOf, isTrue, mark } from '../conditions/conditions.js';
import { markOld, oldCondition, oldFalse, oldTrue } from '../conditions/old-conditions.js';
import { cloneOf, kindOfClone } from '../external/clone.js';
import { pluralOf } from '../plural.js';
import { isGoing } from '../machines.js';
import { labels } from '../names.js';
import { referenceTo, withOwner } from '../owners.js';
import { alwaysFinish, MissingCluster, throwAll } from '../controller-context.js';
import type { Announce, ControllerContext } from '../controller-context.js';
import type { Cluster, Machine, MachineHealthCheck, Node } from '../types.js';
import type { PatchHelper } from '../writing/patch-helper.js';
import { isPaused } from '../writing/paused.js';
import { allowance, examine, isSkipped, markHealth, matcherOf } from './health.js';
import type { Finding, Target } from './health.js';

export interface HealthCheckWork {
  readonly context: ControllerContext;
  readonly announce: Announce;
  readonly nodes: EventChannel<Node>;
}

interface Examined {
  readonly target: Target;
  readonly finding: Finding;
  readonly helper: PatchHelper<Machine>;
}

const OWNED = { owned: ['Paused', 'RemediationAllowed'], ownedOld: ['RemediationAllowed'] } as const;
const OWNED_OF_MACHINE = { owned: ['HealthCheckSucceeded'], ownedOld: ['HealthCheckSucceeded'] } as const;

/** Checks the machines of a MachineHealthCheck, and marks those to be replaced. */
export function reconcileHealthCheck(work: HealthCheckWork): Reconcile {
  const { context } = work;
  return async ({ namespace, name }, { signal }) => {
    const check = await context.objects.get<MachineHealthCheck>('MachineHealthCheck', namespace, name);
    if (check === undefined) return;
    const cluster = await context.cluster(namespace, check.spec.clusterName);
    if (cluster === undefined) throw new MissingCluster(namespace, check.spec.clusterName);
    const helper = context.helper('MachineHealthCheck', check);
    if (await context.stopsForPause('MachineHealthCheck', cluster, check)) return;
    return alwaysFinish(
      () => examineAll(work, cluster, check),
      async (isObserved) => {
        await helper.patch(check, { ...OWNED, isObserved, signal });
      },
    );
  };
}

async function examineAll(work: HealthCheckWork, cluster: Cluster, check: MachineHealthCheck): Promise<Result> {
  const { context } = work;
  const { metadata, spec } = check;
  metadata.labels = { ...metadata.labels, [labels.clusterName]: spec.clusterName };
  metadata.ownerReferences = withOwner(metadata.ownerReferences, referenceTo(cluster));
  const targets = await findTargets(work, cluster, check);
  const nowMs = context.clock.now();
  const examined = targets.map((target): Examined => {
    const helper = context.helper('Machine', target.machine);
    const finding = examine(check, cluster, target, nowMs);
    markHealth(target.machine, finding, context.now());
    return { target, finding, helper };
  });
  const healthy = examined.filter(({ finding }) => finding.health === 'healthy');
  const unhealthy = examined.filter(({ finding }) => finding.health === 'unhealthy');
  const counts = { total: targets.length, healthy: healthy.length, unhealthy: unhealthy.length };
  const { isAllowed, count, message } = allowance(check, counts);
  check.status = {
    ...check.status,
    expectedMachines: counts.total,
    currentHealthy: counts.healthy,
    remediationsAllowed: isAllowed ? count : 0,
    targets: targets.map(({ machine }) => machine.metadata.name ?? ''),
  };
  markAllowance(context, check, isAllowed, message);
  if (!isAllowed) {
    if (unhealthy.length > 0) work.announce(check, { type: 'Warning', reason: 'RemediationRestricted', message });
    await saveAll([...healthy, ...unhealthy]);
    return {};
  }
  const errors: unknown[] = [];
  await remediateAll(work, { cluster, check, unhealthy }).catch((error: unknown) => errors.push(error));
  await recoverAll(work, check, healthy).catch((error: unknown) => errors.push(error));
  throwAll(errors);
  const times = examined.flatMap(({ finding }) => (finding.health === 'pending' ? [finding.againInMs] : []));
  return times.length === 0 ? {} : { requeueAfterMs: minOf(times) };
}

async function findTargets(work: HealthCheckWork, cluster: Cluster, check: MachineHealthCheck): Promise<Target[]> {
  const { objects, guests } = work.context;
  const isReachable = isTrue(cluster, 'ControlPlaneInitialized');
  const guest = isReachable ? guests.require(cluster) : undefined;
  if (isReachable) guests.watchNodes(cluster, work.nodes);
  const machines = await objects.list<Machine>('Machine', check.metadata.namespace ?? '', matcherOf(check));
  return machines
    .filter((machine) => !isSkipped(machine))
    .map((machine) => {
      const name = machine.status?.nodeRef?.name;
      const node = name === undefined ? undefined : guest?.nodes.get(name);
      return { machine, node, isNodeMissing: guest !== undefined && name !== undefined && node === undefined };
    });
}

function markAllowance(
  context: ControllerContext,
  check: MachineHealthCheck,
  isAllowed: boolean,
  message: string,
): void {
  const type = 'RemediationAllowed';
  const now = context.now();
  markOld(check, isAllowed ? oldTrue(type) : oldFalse(type, 'TooManyUnhealthy', 'Warning', message), now);
  mark(
    check,
    isAllowed ? { type, status: 'True', reason: type } : { type, status: 'False', reason: 'TooManyUnhealthy', message },
    now,
  );
}

async function saveAll(examined: readonly Examined[]): Promise<void> {
  const errors: unknown[] = [];
  for (const { helper, target } of examined)
    await helper.patch(target.machine, OWNED_OF_MACHINE).catch((error: unknown) => errors.push(error));
  throwAll(errors);
}

interface Remediation {
  readonly cluster: Cluster;
  readonly check: MachineHealthCheck;
  readonly unhealthy: readonly Examined[];
}

/** Has unhealthy machines replaced: by their owner, or by the controller of the template's kind. */
async function remediateAll(work: HealthCheckWork, { cluster, check, unhealthy }: Remediation): Promise<void> {
  const errors: unknown[] = [];
  for (const each of unhealthy) {
    const { machine } = each.target;
    try {
      if (!isPaused(cluster, machine)) {
        if (check.spec.remediation?.templateRef?.kind === undefined) askOwner(work.context, machine);
        else if (!(await askOthers(work, check, machine))) continue;
      }
      await saveAll([each]);
      const { namespace = '', name = '' } = machine.metadata;
      const by = `${check.metadata.namespace ?? ''}/${check.metadata.name ?? ''}`;
      const message = `Machine ${namespace}/${name} has been marked as unhealthy by ${by}`;
      work.announce(machine, { type: 'Normal', reason: 'MachineMarkedUnhealthy', message });
    } catch (error) {
      errors.push(error);
    }
  }
  throwAll(errors);
}

function askOwner(context: ControllerContext, machine: Machine): void {
  const type = 'OwnerRemediated';
  const reason = 'WaitingForRemediation';
  if (isGoing(machine)) return;
  if (oldCondition(machine, type)?.status !== 'False')
    markOld(machine, oldFalse(type, reason, 'Warning'), context.now());
  if (conditionOf(machine, type)?.status !== 'False' && conditionOf(machine, type)?.status !== 'Unknown')
    mark(machine, { type, status: 'False', reason, message: 'Waiting for remediation' }, context.now());
}

interface RequestPlace {
  readonly ref: { group: string; version: string; plural: string; namespaced: true };
  readonly kind: string;
}

function requestPlace({ spec }: MachineHealthCheck, isTemplate: boolean): RequestPlace {
  const { apiVersion = '', kind = '' } = spec.remediation?.templateRef ?? {};
  const wanted = isTemplate ? kind : kindOfClone(kind);
  const plural = pluralOf(wanted.toLowerCase());
  return { ref: { ...parseApiVersion(apiVersion), plural, namespaced: true }, kind: wanted };
}

/** Asks by an object made from the template; false when that was asked before. */
async function askOthers({ context }: HealthCheckWork, check: MachineHealthCheck, machine: Machine): Promise<boolean> {
  const { external, client } = context;
  const { namespace = '', name = '' } = machine.metadata;
  const request = requestPlace(check, false);
  if ((await external.read(request.ref, namespace, name)) !== undefined) return false;
  const type = 'ExternallyRemediated';
  const place = requestPlace(check, true);
  const { name: templateName = '', apiVersion = '' } = check.spec.remediation?.templateRef ?? {};
  const template = await external.read(place.ref, namespace, templateName);
  if (template === undefined) {
    const message = `Error retrieving remediation template ${place.kind} ${namespace}/${templateName}`;
    mark(machine, { type, status: 'False', reason: 'RemediationTemplateNotFound', message }, context.now());
    throw new MissingRemediation(message);
  }
  const object: KubeObject = cloneOf({
    template: { ...template, apiVersion, kind: place.kind },
    namespace,
    name,
    clusterName: machine.spec.clusterName,
    owner: referenceTo(machine),
  });
  await client.create(request.ref, object, { namespace });
  mark(machine, { type, status: 'False', reason: 'WaitingForRemediation' }, context.now());
  return true;
}

/** The template of a remediation is not there. */
export class MissingRemediation extends Error {
  override readonly name = 'MissingRemediation';
}

/** Machines that are well need no request any more. */
async function recoverAll(
  work: HealthCheckWork,
  check: MachineHealthCheck,
  healthy: readonly Examined[],
): Promise<void> {
  const { external } = work.context;
  if (check.spec.remediation?.templateRef?.kind !== undefined) {
    const { ref } = requestPlace(check, false);
    for (const { target } of healthy) {
      const { namespace = '', name = '' } = target.machine.metadata;
      const request = await external.read(ref, namespace, name);
      if (request !== undefined) await external.remove({ ref, object: request });
    }
  }
  await saveAll(healthy);
}
