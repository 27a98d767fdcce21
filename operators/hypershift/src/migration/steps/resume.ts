import { patchFrom } from '@capstan/kube';
import type { MovedObject } from '@capstan/migration';
import { readBaseline } from '../checks/baseline.js';
import { findWorse } from '../checks/checks.js';
import { healthOf } from '../checks/health.js';
import { deploymentProblems, observeWorkloads } from '../checks/workloads.js';
import type { FailedCheck, Migration, StepAction, Waiting } from '../model.js';
import { MigrationFailure } from '../reasons.js';
import {
  clusterApiDeployments,
  isControlPlaneOperator,
  isOfControlPlaneOperator,
  isScaledDown,
  scaledBack,
  writeDeployment,
} from '../workloads/deployments.js';
import type { Deployment } from '../workloads/deployments.js';
import { openProxies } from '../workloads/proxies.js';
import { withOverride } from './cpo-image.js';
import { controlPlaneOf, lockControlPlane, nameOf, unpaused, waitFor } from './hold.js';

/** Puts the proxy into the Deployments of this operator: none runs before its template has it. */
export const sidecars: StepAction = async (migration) => {
  for (const before of await clusterApiDeployments(migration))
    if (!isOfControlPlaneOperator(before) && !migration.parts.sidecar.has(before)) {
      const current = isControlPlaneOperator(before) ? withOverride(before, migration) : before;
      await writeDeployment(migration, before, migration.parts.sidecar.add(current) as typeof before);
    }
  return undefined;
};

/** Starts the control plane operator first; it gives its own components their sidecars, and those start after that. */
export const scaleUp: StepAction = async (migration) => {
  await lockControlPlane(migration, undefined);
  const waiting: string[] = [];
  const deployments = await clusterApiDeployments(migration);
  const operator = deployments.find(isControlPlaneOperator);
  const scaled: Deployment[] = [];
  for (const before of deployments) {
    const isHeld = before !== operator && operator !== undefined && isOfControlPlaneOperator(before);
    if (isHeld && !migration.parts.sidecar.has(before)) {
      waiting.push(`${nameOf(before)} has no sidecar yet`);
      continue;
    }
    scaled.push(isScaledDown(before) ? await writeDeployment(migration, before, scaledBack(before)) : before);
  }
  // Kubelets are let in by every network, so that Deployments are available without this.
  await openProxies(migration, await controlPlaneOf(migration));
  const problems = [...(await unavailable(migration, scaled)), ...waiting];
  return problems.length === 0 ? undefined : waitFor('Deployments', problems);
};

/** What keeps Deployments from being as available as they were before the migration. */
export async function unavailable(
  migration: Migration,
  deployments: readonly Deployment[],
): Promise<readonly string[]> {
  return deploymentProblems((await readBaseline(migration))?.workloads ?? {}, deployments);
}

/** Lets the private controllers act: only what the migration itself has paused goes on. */
export const unpause: StepAction = async (migration) => {
  await unpauseAll(migration, await migration.inventory.private());
  return undefined;
};

/** Takes the pause of the migration off every object that has it. */
export async function unpauseAll(
  { inventory, parts, signal }: Migration,
  objects: readonly MovedObject[],
): Promise<void> {
  for (const { kind, object: before } of objects)
    await patchFrom(parts.client, kind.source, { before, after: unpaused(before) }, { optimisticLock: true, signal });
  inventory.forget();
}

/** Waits until nothing is worse than before for a while without a break. */
export const verify: StepAction = async (migration) => {
  const { memory, parts } = migration;
  const problems = await problemsOf(migration);
  const now = parts.clock.monotonic();
  if (problems.length > 0) {
    memory.restarts = undefined;
    memory.failed = problems;
    return waitForHealth(problems);
  }
  memory.healthySince ??= now;
  const leftMs = parts.settings.healthyForMs - (now - memory.healthySince);
  if (leftMs <= 0) return undefined;
  const earlier =
    memory.failed.length === 0 ? '' : `; not healthy before that: ${messagesOf(memory.failed).join(', ')}`;
  return {
    message: `healthy; committing after ${Math.ceil(leftMs / 1000)} s more of that${earlier}`,
    afterMs: Math.min(leftMs, parts.settings.pollMs),
    isHealthy: true,
    reason: memory.failed[0]?.reason,
  };
};

/** What hides the proxies alone does not make the cluster less healthy: it is only not known. */
function waitForHealth(failed: readonly FailedCheck[]): Waiting {
  const [first] = failed;
  const what =
    first?.reason === 'proxy-unreachable' ? 'an answer of proxies' : 'the cluster to be as healthy as before';
  return { ...waitFor(what, messagesOf(failed)), reason: first?.reason };
}

function messagesOf(failed: readonly FailedCheck[]): readonly string[] {
  return failed.map(({ message }) => message);
}

async function problemsOf(migration: Migration): Promise<readonly FailedCheck[]> {
  const before = await readBaseline(migration);
  if (before === undefined) throw new MigrationFailure('baseline-lost', 'the baseline of this migration was deleted');
  const health = healthOf(await migration.inventory.private(), await controlPlaneOf(migration));
  return findWorse(before, { ...health, workloads: await observeWorkloads(migration) });
}
