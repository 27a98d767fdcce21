import type { Reconcile, Result } from '@capstan/kube';
import { compileLabelSelector } from '@capstan/meta';
import { isGoing } from '../machines.js';
import { finalizers, labels } from '../names.js';
import { referenceTo, withOwner } from '../owners.js';
import { alwaysFinish, MissingCluster } from '../controller-context.js';
import type { Machine, MachineDeployment, MachineSet } from '../types.js';
import { dropFinalizer, ensureFinalizer } from '../writing/finalizer.js';
import { withClusterName } from './defaults.js';
import { cleanUp, rollOut } from './rollout.js';
import type { RolloutWork } from './rollout.js';
import { findSets, findTemplates } from './scope.js';
import type { DeploymentScope } from './scope.js';
import { markOldStatus, updateStatus } from './status.js';

const OWNED = {
  owned: [
    'Paused',
    'Available',
    'MachinesReady',
    'MachinesUpToDate',
    'RollingOut',
    'ScalingDown',
    'ScalingUp',
    'Remediating',
    'Deleting',
  ],
  ownedOld: ['Ready', 'Available'],
} as const;

/** Brings a MachineDeployment to what it should be. */
export function reconcileDeployment(work: RolloutWork): Reconcile {
  const { context } = work;
  return async ({ namespace, name }, { signal }) => {
    const deployment = await context.objects.get<MachineDeployment>('MachineDeployment', namespace, name);
    if (deployment === undefined) return;
    const cluster = await context.cluster(namespace, deployment.spec.clusterName);
    if (cluster === undefined) throw new MissingCluster(namespace, deployment.spec.clusterName);
    if (await ensureFinalizer(context.objects, 'MachineDeployment', deployment, finalizers.machineDeployment)) return;
    const helper = context.helper('MachineDeployment', deployment);
    if (await context.stopsForPause('MachineDeployment', cluster, deployment)) return;
    const matcher = compileLabelSelector(deployment.spec.selector);
    const machines = await context.objects.list<Machine>('Machine', namespace, matcher);
    const scope: DeploymentScope = { cluster, deployment, machines, missingTemplates: {} };
    return alwaysFinish(
      () => (isGoing(deployment) ? reconcileDeletion(work, scope) : reconcileNormal(work, scope, signal)),
      (isObserved) => {
        const setStatus = (): void => updateStatus(scope, context.clock.now(), context.now());
        return helper.patch(deployment, { ...OWNED, isObserved, signal, setStatus });
      },
    );
  };
}

async function reconcileDeletion(work: RolloutWork, scope: DeploymentScope): Promise<Result> {
  const sets = await findSets(work, scope);
  if (sets.length === 0) dropFinalizer(scope.deployment, finalizers.machineDeployment);
  for (const set of sets) if (!isGoing(set)) await work.context.objects.remove('MachineSet', set);
  return {};
}

async function reconcileNormal(work: RolloutWork, scope: DeploymentScope, signal: AbortSignal): Promise<Result> {
  const { deployment, cluster } = scope;
  const { metadata } = deployment;
  deployment.spec = withClusterName(deployment.spec);
  metadata.labels = { ...metadata.labels, [labels.clusterName]: deployment.spec.clusterName };
  metadata.ownerReferences = withOwner(metadata.ownerReferences, referenceTo(cluster));
  await findTemplates(work, scope);
  const sets = await findSets(work, scope);
  scope.sets = await Promise.all(sets.map((set) => labelled(work, deployment, set)));
  const rolled = await rollOut(work, scope, signal);
  markOldStatus(deployment, rolled, work.context.now());
  if (deployment.spec.paused !== true) await cleanUp(work, scope, rolled.old);
  return {};
}

/** Sets that were taken in are marked as of this deployment. */
async function labelled({ context }: RolloutWork, deployment: MachineDeployment, set: MachineSet): Promise<MachineSet> {
  const { name = '' } = deployment.metadata;
  if (set.metadata.labels?.[labels.deploymentName] === name) return set;
  const metadata = { ...set.metadata, labels: { ...set.metadata.labels, [labels.deploymentName]: name } };
  return context.objects.patch('MachineSet', set, { ...set, metadata });
}
