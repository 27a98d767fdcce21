import type { Reconcile, Result } from '@capstan/kube';
import { controllerOf } from '@capstan/meta';
import { NotConnected } from '../guest-clusters.js';
import { isControlPlane, isGoing } from '../machines.js';
import { annotations, finalizers, labels } from '../names.js';
import { coreOwner, referenceTo, withOwner } from '../owners.js';
import { markHealth } from '../machine-health-check/health.js';
import { alwaysFinish, doAll, MissingCluster } from '../controller-context.js';
import type { ControllerContext, Step } from '../controller-context.js';
import type { Cluster, Machine, MachineDeployment, MachineSet } from '../types.js';
import { editable } from '../writing/core-objects.js';
import { ensureFinalizer } from '../writing/finalizer.js';
import { reconcileDeletion } from './deletion.js';
import { factList, factsLeft, factsOf } from './facts.js';
import type { MachineFacts } from './facts.js';
import { findHealth } from './health.js';
import { reconcileNode } from './node.js';
import { reconcileBootstrap, reconcileInfrastructure } from './references.js';
import { keyOf, OWNED_CONDITIONS } from './scope.js';
import type { MachineScope, MachineWork } from './scope.js';
import { markOldReady, updateStatus } from './status.js';

/** Brings a Machine to what it should be. */
export function reconcileMachine(work: MachineWork): Reconcile {
  const { context } = work;
  return async ({ namespace, name }, { signal }) => {
    const machine = await context.objects.look<Machine>('Machine', namespace, name);
    if (machine === undefined) {
      work.deferred.delete(`${namespace}/${name}`);
      work.looks.forget(`${namespace}/${name}`);
      return;
    }
    const wait = (work.deferred.get(keyOf(machine)) ?? 0) - context.clock.now();
    if (wait > 0) return { requeueAfterMs: wait };
    work.deferred.delete(keyOf(machine));
    const cluster = await context.cluster(namespace, machine.spec.clusterName);
    if (cluster === undefined) throw new MissingCluster(namespace, machine.spec.clusterName);
    const scope: MachineScope = { cluster, machine, ...(await ownersOf(context, machine)) };
    const found = await factsOf(work, scope);
    const rest = work.looks.restOf(keyOf(machine), factList(found));
    return rest ?? look(work, { ...scope, machine: editable(machine) }, found, signal);
  };
}

async function look(
  work: MachineWork,
  scope: MachineScope,
  found: MachineFacts,
  signal: AbortSignal,
): Promise<Result | undefined> {
  const { context } = work;
  const { cluster, machine } = scope;
  if (await ensureFinalizer(context.objects, 'Machine', machine, finalizers.machine)) return undefined;
  const helper = context.helper('Machine', machine);
  if (await context.stopsForPause('Machine', cluster, machine)) return undefined;
  const result = await alwaysFinish(
    () => doAll(stepsFor(work, scope), scope),
    async (isObserved) => {
      let next: Result = {};
      const setStatus = (): void => void (next = finishStatus(work, scope));
      await helper.patch(machine, { isObserved, signal, setStatus, ...OWNED_CONDITIONS });
      return next;
    },
  ).catch(untilConnected);
  const left = factsLeft(found, scope, helper.version);
  if (left !== undefined && !work.deferred.has(keyOf(machine)))
    work.looks.remember(keyOf(machine), factList(left), result);
  return result;
}

/** The connection listener enqueues the object; until then there is nothing to try again. */
function untilConnected(error: unknown): Result {
  if (!(error instanceof NotConnected)) throw error;
  return { requeueAfterMs: NOT_CONNECTED_MS };
}

/** In case no event arrives. */
const NOT_CONNECTED_MS = 60_000;

function finishStatus({ context, remoteConditionsGraceMs: graceMs }: MachineWork, scope: MachineScope): Result {
  const view = { probe: context.guests.probeState(scope.cluster), nowMs: context.clock.now(), graceMs };
  if (scope.isWell === true) markHealth(scope.machine, { health: 'healthy' }, context.now());
  const result = updateStatus(scope, view, context.now());
  markOldReady(scope.machine, context.now());
  return result;
}

function stepsFor(work: MachineWork, { machine }: MachineScope): Step<MachineScope>[] {
  const always: Step<MachineScope>[] = [
    claim,
    (scope) => reconcileBootstrap(work, scope),
    (scope) => reconcileInfrastructure(work, scope),
    (scope) => reconcileNode(work, scope),
    (scope) => findHealth(work, scope),
    takeCertificateExpiry,
  ];
  return isGoing(machine) ? [...always, (scope) => reconcileDeletion(work, scope)] : always;
}

/** The set and the deployment a machine belongs to. */
async function ownersOf(
  { objects }: ControllerContext,
  machine: Machine,
): Promise<{ set?: MachineSet | undefined; deployment?: MachineDeployment | undefined }> {
  const { namespace = '' } = machine.metadata;
  const owner = coreOwner(machine, ['MachineSet']);
  if (owner === undefined) return {};
  const set = await objects.look<MachineSet>('MachineSet', namespace, owner.name);
  if (set === undefined) throw new MissingOwner(`there is no MachineSet ${namespace}/${owner.name}`);
  const name = set.metadata.labels?.[labels.deploymentName];
  if (name === undefined) return { set };
  const deployment = await objects.look<MachineDeployment>('MachineDeployment', namespace, name);
  if (deployment === undefined) throw new MissingOwner(`there is no MachineDeployment ${namespace}/${name}`);
  return { set, deployment };
}

/** An owner a machine names is not there. */
export class MissingOwner extends Error {
  override readonly name = 'MissingOwner';
}

const CLAIMS: readonly string[] = [labels.setName, labels.machinePoolName, labels.controlPlaneName];

/** A machine without an owner, which no owner is about to claim, belongs to the cluster. */
export function isStandalone(machine: Machine): boolean {
  if (controllerOf(machine) !== undefined || coreOwner(machine, ['Cluster']) !== undefined) return false;
  return CLAIMS.every((label) => machine.metadata.labels?.[label] === undefined);
}

function claim({ machine, cluster }: { machine: Machine; cluster: Cluster }): void {
  const { metadata } = machine;
  if (isStandalone(machine)) metadata.ownerReferences = withOwner(metadata.ownerReferences, referenceTo(cluster));
  const { clusterName } = machine.spec;
  if (metadata.labels?.[labels.clusterName] !== clusterName)
    metadata.labels = { ...metadata.labels, [labels.clusterName]: clusterName };
}

/** When the certificates of a control plane machine expire, from its own annotation or that of its bootstrap config. */
function takeCertificateExpiry({ machine, bootstrap }: MachineScope): void {
  if (!isControlPlane(machine)) return;
  const expiry =
    machine.metadata.annotations?.[annotations.certificatesExpiry] ??
    bootstrap?.object.metadata.annotations?.[annotations.certificatesExpiry];
  const { certificatesExpiryDate: _, ...status } = machine.status ?? {};
  if (expiry !== undefined) machine.status = { ...status, certificatesExpiryDate: expiry };
  else if (machine.status?.certificatesExpiryDate !== undefined) machine.status = status;
}
