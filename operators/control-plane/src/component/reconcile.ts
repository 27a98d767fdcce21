import type { ControlPlaneComponent } from '@capstan/api/hypershift';
import { CONTROL_PLANE_COMPONENTS, isRolledOut, MANAGED_BY_LABEL } from '@capstan/hosting';
import type { Workload } from '@capstan/hosting';
import { errorText } from '@capstan/kube';
import { DEPLOYMENTS } from '../kinds.js';
import type { OwnedObjects } from '../objects/owned-objects.js';
import type { PlannedComponent } from './decide.js';
import { unmetDependencies } from './dependencies.js';
import { workloadKind } from './objects.js';
import { operandsMissing } from './operands.js';
import { PROGRESS_DEADLINE_MS } from './rollout-progress.js';
import type { ComponentResult, ComponentScope } from './scope.js';
import type { ComponentFindings } from './status.js';
import { convergeProxy } from './steps/converge-proxy.js';
import { ensureObjects } from './steps/ensure-objects.js';
import { writeStatus } from './steps/write-status.js';

/** Reconciles a component: dependencies, objects, and one status. */
export async function reconcileComponent(
  { definition, dependencies, resources }: PlannedComponent,
  scope: ComponentScope,
): Promise<ComponentResult> {
  const { generation, objects, inputs } = scope;
  const { name } = definition;
  const { snapshot } = objects;
  const found = (of: string): ControlPlaneComponent | undefined => snapshot.get(CONTROL_PLANE_COMPONENTS, of);
  const unmet = unmetDependencies(dependencies, found, inputs.version);
  if (unmet.length > 0) await convergeProxy(name, scope);
  const error = unmet.length > 0 ? undefined : await ensureObjects(definition, resources, scope);
  const kind = workloadKind(definition);
  const workload = kind === undefined ? undefined : snapshot.get<Workload>(kind, name);
  const { component, dueMs } = await writeStatus(
    {
      name,
      hasWorkload: kind !== undefined,
      workload,
      ...progressOf(name, workload, scope),
      unmet,
      problem: error === undefined ? undefined : errorText(error),
      operandsMissing:
        definition.hasOperands === true ? operandsMissing(operandsOf(name, objects), inputs.version) : undefined,
      resources,
      version: inputs.version,
      observedGeneration: generation,
    },
    scope,
  );
  return { component, dueMs, error };
}

function operandsOf(name: string, { snapshot }: OwnedObjects): readonly Workload[] {
  return snapshot.list<Workload>(DEPLOYMENTS).filter(({ metadata }) => metadata.labels?.[MANAGED_BY_LABEL] === name);
}

/** Whether a StatefulSet is stuck, or when it will be unless it makes progress. Deployments report that themselves. */
export function progressOf(
  name: string,
  workload: Workload | undefined,
  { clock, owner, progress }: ComponentScope,
): Pick<ComponentFindings, 'isStuck' | 'progressDueMs'> {
  if (workload?.kind !== 'StatefulSet') return { isStuck: false, progressDueMs: undefined };
  const dueMs = progress.since(owner, name, workload, clock.now()) + PROGRESS_DEADLINE_MS;
  if (isRolledOut(workload)) return { isStuck: false, progressDueMs: undefined };
  return clock.now() >= dueMs ? { isStuck: true, progressDueMs: undefined } : { isStuck: false, progressDueMs: dueMs };
}
