import { CONTROL_PLANE_COMPONENTS, MANAGED_BY_LABEL } from '@capstan/hosting';
import type { Workload } from '@capstan/hosting';
import { errorText } from '@capstan/kube';
import { DEPLOYMENTS } from '../kinds.js';
import type { OwnedObjects } from '../objects/owned-objects.js';
import { decideComponent, findingsOf } from './decide.js';
import type { Observed, PlannedComponent } from './decide.js';
import { workloadKind } from './objects.js';
import type { ComponentResult, ComponentScope } from './scope.js';
import { convergeProxy } from './steps/converge-proxy.js';
import { ensureObjects } from './steps/ensure-objects.js';
import { writeStatus } from './steps/write-status.js';

/** Reconciles a component: dependencies, objects, and one status. */
export async function reconcileComponent(planned: PlannedComponent, scope: ComponentScope): Promise<ComponentResult> {
  const { definition, resources } = planned;
  const { generation, objects, inputs } = scope;
  const { version } = inputs;
  const { unmet, write } = decideComponent(
    planned,
    (name) => objects.snapshot.get(CONTROL_PLANE_COMPONENTS, name),
    version,
  );
  if (write === 'proxy') await convergeProxy(definition.name, scope);
  const error = write === 'objects' ? await ensureObjects(definition, resources, scope) : undefined;
  const problem = error === undefined ? undefined : errorText(error);
  const observed = { ...observe(planned, scope), unmet, problem };
  const { component, dueMs } = await writeStatus(findingsOf(planned, observed, { version, generation }), scope);
  return { component, dueMs, error };
}

/** Reads what there is of a component, and notes the progress of its rollout. */
function observe(
  { definition }: PlannedComponent,
  { clock, objects, owner, progress }: ComponentScope,
): Pick<Observed, 'nowMs' | 'operands' | 'sinceMs' | 'workload'> {
  const { name } = definition;
  const kind = workloadKind(definition);
  const workload = kind === undefined ? undefined : objects.snapshot.get<Workload>(kind, name);
  const nowMs = clock.now();
  const sinceMs = workload?.kind === 'StatefulSet' ? progress.since(owner, name, workload, nowMs) : undefined;
  return { nowMs, workload, sinceMs, operands: definition.hasOperands === true ? operandsOf(name, objects) : [] };
}

function operandsOf(name: string, { snapshot }: OwnedObjects): readonly Workload[] {
  return snapshot.list<Workload>(DEPLOYMENTS).filter(({ metadata }) => metadata.labels?.[MANAGED_BY_LABEL] === name);
}
