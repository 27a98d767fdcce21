import type { Reconcile, Result } from '@capstan/kube';
import { isDefined } from '../external/external-objects.js';
import { claimTemplate } from '../machine-deployment/scope.js';
import { isGoing } from '../machines.js';
import { annotations, finalizers, labels } from '../names.js';
import { coreOwner, referenceTo, withOwner } from '../owners.js';
import { alwaysFinish, MissingCluster, sooner, throwAll } from '../controller-context.js';
import type { Step } from '../controller-context.js';
import type { MachineDeployment, MachineSet, Reference } from '../types.js';
import { dropFinalizer, ensureFinalizer } from '../writing/finalizer.js';
import { apiErrors } from '@capstan/meta';
import { remediate } from './remediation.js';
import { syncReplicas } from './replicas.js';
import { findMachines } from './scope.js';
import type { SetScope, SetWork } from './scope.js';
import { nextCount, updateOldStatus, updateStatus } from './status.js';
import { syncMachines } from './sync-machines.js';

const OWNED = {
  owned: ['Paused', 'ScalingUp', 'ScalingDown', 'MachinesReady', 'MachinesUpToDate', 'Remediating', 'Deleting'],
  ownedOld: ['Ready', 'MachinesCreated', 'Resized', 'MachinesReady'],
} as const;

/** Brings a MachineSet to what it should be. */
export function reconcileSet(work: SetWork): Reconcile {
  const { context } = work;
  return async ({ namespace, name }, { signal }) => {
    const set = await context.objects.get<MachineSet>('MachineSet', namespace, name);
    if (set === undefined) return;
    const cluster = await context.cluster(namespace, set.spec.clusterName);
    if (cluster === undefined) throw new MissingCluster(namespace, set.spec.clusterName);
    if (await ensureFinalizer(context.objects, 'MachineSet', set, finalizers.machineSet)) return;
    const helper = context.helper('MachineSet', set);
    if (await context.stopsForPause('MachineSet', cluster, set)) return;
    const scope: SetScope = { cluster, set };
    return alwaysFinish(
      () => runSteps(work, scope, signal),
      async (isObserved) => {
        const setStatus = (): void => finishStatus(work, scope);
        await helper.patch(set, { ...OWNED, isObserved, signal, setStatus });
        return isObserved && !isGoing(set) ? { requeueAfterMs: nextCount(set) } : {};
      },
    );
  };
}

function finishStatus({ context }: SetWork, scope: SetScope): void {
  const nowMs = context.clock.now();
  updateStatus(scope, nowMs, context.now());
  const nodes = context.guests.find(scope.cluster)?.nodes;
  const nodeOf: Parameters<typeof updateOldStatus>[1]['nodeOf'] = ({ status }) =>
    status?.nodeRef === undefined ? undefined : nodes?.get(status.nodeRef.name);
  updateOldStatus(scope, { nodeOf, nowMs, now: context.now() });
}

/** The steps in order. A set whose machines cannot be listed or brought up to date neither grows nor shrinks. */
async function runSteps(work: SetWork, scope: SetScope, signal: AbortSignal): Promise<Result> {
  const { set } = scope;
  await findDeployment(work, scope);
  const first: Step<SetScope>[] = [
    () => claim(scope),
    () => claimInfrastructure(work, scope),
    () => claimBootstrap(work, scope),
    () => findMachines(work, scope),
  ];
  const then: Step<SetScope>[] = isGoing(set)
    ? [() => removeMachines(work, scope)]
    : [() => remediate(work, scope), () => syncMachines(work, scope), () => syncReplicas(work, scope, signal)];
  const errors: unknown[] = [];
  let result: Result = {};
  for (const step of [...first, ...then]) {
    try {
      result = sooner(result, await step(scope));
    } catch (error) {
      errors.push(error);
      if (then.includes(step)) break;
    }
  }
  throwAll(errors);
  return result;
}

async function findDeployment({ context }: SetWork, scope: SetScope): Promise<void> {
  const { namespace = '', labels: own = {} } = scope.set.metadata;
  const name = own[labels.deploymentName];
  if (name === undefined) return;
  scope.deployment = await context.objects.get<MachineDeployment>('MachineDeployment', namespace, name);
  if (scope.deployment === undefined)
    throw apiErrors.notFound({ group: 'cluster.x-k8s.io', resource: 'machinedeployments' }, name);
}

/** A set that belongs to no deployment belongs to the cluster. */
function claim({ set, cluster }: SetScope): void {
  const { metadata, spec } = set;
  const own = { [labels.clusterName]: spec.clusterName };
  metadata.labels = { ...metadata.labels, ...own };
  const isChild = metadata.labels[labels.deploymentName] !== undefined;
  if (!isChild && coreOwner(set, ['MachineDeployment', 'Cluster']) === undefined)
    metadata.ownerReferences = withOwner(metadata.ownerReferences, referenceTo(cluster));
  spec.selector = { ...spec.selector, matchLabels: { ...spec.selector.matchLabels, ...own } };
  const template = spec.template.metadata ?? {};
  spec.template = { ...spec.template, metadata: { ...template, labels: { ...template.labels, ...own } } };
}

async function claimInfrastructure({ context }: SetWork, scope: SetScope): Promise<void> {
  const reference = scope.set.spec.template.spec.infrastructureRef;
  if (!isDefined(reference) || (await claimTemplate(context, scope.cluster, reference))) return;
  scope.isInfrastructureMissing = true;
  refuseMissing(scope, reference);
}

async function claimBootstrap({ context }: SetWork, scope: SetScope): Promise<void> {
  const reference = scope.set.spec.template.spec.bootstrap?.configRef;
  if (!isDefined(reference) || (await claimTemplate(context, scope.cluster, reference))) return;
  scope.isBootstrapMissing = true;
  refuseMissing(scope, reference);
}

/** A set that makes no more machines can do without its templates. */
function refuseMissing({ set, deployment }: SetScope, { apiGroup = '', kind = '', name = '' }: Reference): void {
  const revision = set.metadata.annotations?.[annotations.revision];
  const isOld = deployment !== undefined && deployment.metadata.annotations?.[annotations.revision] !== revision;
  if (isGoing(set) || isOld) return;
  throw apiErrors.notFound({ group: apiGroup, resource: kind }, name);
}

async function removeMachines({ context }: SetWork, { set, machines }: SetScope): Promise<void> {
  if (machines === undefined) return;
  if (machines.length === 0) dropFinalizer(set, finalizers.machineSet);
  for (const machine of machines) if (!isGoing(machine)) await context.objects.remove('Machine', machine);
}
