import type { Result } from '@capstan/kube';
import { formatApiVersion, looseGvk, withControllerReference } from '@capstan/meta';
import type { KubeObject, OwnerReference } from '@capstan/meta';
import { ObjectLost } from '../cluster/references.js';
import { markOld, oldFalse, oldMirror, oldTrue } from '../conditions/old-conditions.js';
import {
  addressesOf,
  dataSecretName,
  failureOf,
  isDataSecretCreated,
  isProvisioned,
  providerIdOf,
  specFailureDomain,
  statusFailureDomain,
} from '../external/contract.js';
import type { External } from '../external/external-objects.js';
import { isDefined } from '../external/external-objects.js';
import { isControlPlane, isGoing } from '../machines.js';
import { CORE_GROUP, labels } from '../names.js';
import { controllerReferenceTo, hasExactOwner } from '../owners.js';
import type { Cluster, Machine, Reference } from '../types.js';
import { keyOf } from './scope.js';
import type { MachineScope, MachineWork } from './scope.js';

const LOOK_FOR_OBJECT_MS = 30_000;
const AWAIT_PROVIDER_ID_MS = 5_000;

/** The kind that owned an object before its machine existed. */
function isFirstOwner({ apiVersion, kind }: OwnerReference, cluster: Cluster, machine: Machine): boolean {
  const { group } = looseGvk(apiVersion, kind);
  if (group === CORE_GROUP && kind === 'MachineSet') return true;
  const controlPlane = cluster.spec?.controlPlaneRef;
  return (
    isControlPlane(machine) && isDefined(controlPlane) && group === controlPlane.apiGroup && kind === controlPlane.kind
  );
}

/** A provider's object with its machine as controller. */
export function claimed(object: KubeObject, cluster: Cluster, machine: Machine): KubeObject {
  const owners = (object.metadata.ownerReferences ?? []).filter((owner) => !isFirstOwner(owner, cluster, machine));
  const labelled = { ...object.metadata.labels, [labels.clusterName]: machine.spec.clusterName };
  const owned = { ...object, metadata: { ...object.metadata, ownerReferences: owners, labels: labelled } };
  return { ...owned, metadata: { ...owned.metadata, ownerReferences: withControllerReference(owned, machine) } };
}

/** Finds a provider's object, watches its kind, and makes the machine its controller. */
async function claim(work: MachineWork, scope: MachineScope, reference: Reference): Promise<External | undefined> {
  const { cluster, machine } = scope;
  const { external } = work.context;
  const found = await external.get(reference, machine.metadata.namespace ?? '');
  if (found === undefined) return undefined;
  external.watch(found.ref, work.foreign);
  const { object, ref } = found;
  const owners = object.metadata.ownerReferences ?? [];
  const isClaimed =
    !owners.some((owner) => isFirstOwner(owner, cluster, machine)) &&
    hasExactOwner(object, controllerReferenceTo(machine)) &&
    object.metadata.labels?.[labels.clusterName] === machine.spec.clusterName;
  if (isClaimed) return noteFailure(machine, found);
  const owned = claimed(object, cluster, machine);
  const patched = await external.patch(ref, object, owned);
  return noteFailure(machine, { ...found, object: { ...patched, apiVersion: object.apiVersion, kind: object.kind } });
}

function noteFailure(machine: Machine, found: External): External {
  const { reason, message } = failureOf(found.object);
  if (reason === '' && message === '') return found;
  const where = `${formatApiVersion(found.ref)}, Kind=${found.object.kind} with name "${found.object.metadata.name ?? ''}"`;
  setFailure(machine, {
    ...(reason === '' ? {} : { failureReason: reason }),
    ...(message === '' ? {} : { failureMessage: `Failure detected from referenced resource ${where}: ${message}` }),
  });
  return found;
}

function setFailure(machine: Machine, failure: { failureReason?: string; failureMessage?: string }): void {
  const { deprecated } = machine.status ?? {};
  machine.status = {
    ...machine.status,
    deprecated: { ...deprecated, v1beta1: { ...deprecated?.v1beta1, ...failure } },
  };
}

function initialize(machine: Machine, field: 'infrastructureProvisioned' | 'bootstrapDataSecretCreated'): void {
  const { initialization } = machine.status ?? {};
  if (initialization?.[field] === true) return;
  machine.status = { ...machine.status, initialization: { ...initialization, [field]: true } };
}

function mirrorReady(machine: Machine, object: KubeObject, type: string, isReady: boolean): ReturnType<typeof oldTrue> {
  const reason = type === 'BootstrapReady' ? 'WaitingForDataSecret' : 'WaitingForInfrastructure';
  const notReady = oldFalse(type, isGoing(machine) ? 'Deleting' : reason, 'Info');
  return oldMirror(object, type, isReady ? oldTrue(type) : notReady);
}

/** What a provider's object does not yet have, though it reports that it is done. */
export class Incomplete extends Error {
  override readonly name = 'Incomplete';
}

/** The bootstrap data: taken over once it is made. */
export async function reconcileBootstrap(work: MachineWork, scope: MachineScope): Promise<Result | void> {
  const { machine } = scope;
  const reference = machine.spec.bootstrap?.configRef;
  if (!isDefined(reference)) return;
  const found = await claim(work, scope, reference);
  if (found === undefined) {
    scope.isBootstrapMissing = true;
    return isGoing(machine) ? undefined : { requeueAfterMs: LOOK_FOR_OBJECT_MS };
  }
  scope.bootstrap = found;
  const now = work.context.now();
  if (machine.spec.bootstrap?.dataSecretName !== undefined) {
    initialize(machine, 'bootstrapDataSecretCreated');
    markOld(machine, oldTrue('BootstrapReady'), now);
    return;
  }
  const { object, contract } = found;
  const isCreated = isDataSecretCreated(object, contract);
  markOld(machine, mirrorReady(machine, object, 'BootstrapReady', isCreated), now);
  if (isGoing(object) || !isCreated) return;
  const name = dataSecretName(object) ?? '';
  if (name === '') throw new Incomplete(`${object.kind} ${object.metadata.name ?? ''} has no status.dataSecretName`);
  machine.spec.bootstrap = { ...machine.spec.bootstrap, dataSecretName: name };
  initialize(machine, 'bootstrapDataSecretCreated');
}

/** The infrastructure: taken over once it is there. */
export async function reconcileInfrastructure(work: MachineWork, scope: MachineScope): Promise<Result | void> {
  const { machine } = scope;
  const reference = machine.spec.infrastructureRef ?? {};
  const found = await claim(work, scope, reference);
  const was = machine.status?.initialization?.infrastructureProvisioned === true;
  if (found === undefined) {
    scope.isInfrastructureMissing = true;
    return infrastructureLost(machine, reference, was);
  }
  scope.infrastructure = found;
  const { object, contract } = found;
  const provisioned = isProvisioned(object, contract);
  markOld(machine, mirrorReady(machine, object, 'InfrastructureReady', provisioned), work.context.now());
  if (isGoing(object) || (!provisioned && !was)) return;
  const providerID = providerIdOf(object) ?? '';
  if (providerID === '') {
    // The change will arrive as an event; until then there is nothing to see.
    work.deferred.set(keyOf(machine), work.context.clock.now() + AWAIT_PROVIDER_ID_MS);
    return;
  }
  takeInfrastructure(machine, object);
  machine.spec.providerID = providerID;
  initialize(machine, 'infrastructureProvisioned');
}

function takeInfrastructure(machine: Machine, object: KubeObject): void {
  const addresses = addressesOf(object);
  const failureDomain = statusFailureDomain(object);
  machine.status = {
    ...machine.status,
    ...(addresses === undefined ? {} : { addresses }),
    ...(failureDomain === undefined ? {} : { failureDomain }),
  };
  const asked = specFailureDomain(object);
  if (asked !== undefined) machine.spec.failureDomain = asked;
}

function infrastructureLost(machine: Machine, { kind = '', name = '' }: Reference, was: boolean): Result | void {
  if (isGoing(machine)) return;
  if (!was) return { requeueAfterMs: LOOK_FOR_OBJECT_MS };
  const where = `${kind} ${machine.metadata.namespace ?? ''}/${name}`;
  setFailure(machine, {
    failureReason: 'InvalidConfiguration',
    failureMessage: `Machine infrastructure resource ${where} has been deleted after provisioning was completed`,
  });
  throw new ObjectLost(`could not find ${where} for Machine ${keyOf(machine)}`);
}
