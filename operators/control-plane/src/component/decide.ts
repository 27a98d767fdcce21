import type { ControlPlaneComponent } from '@capstan/api/hypershift';
import { isRolledOut } from '@capstan/hosting';
import type { Workload } from '@capstan/hosting';
import type { ComponentDefinition, ComponentInputs } from './definition.js';
import { dependenciesOf, unmetDependencies } from './dependencies.js';
import { resourcesOf, workloadKind } from './objects.js';
import type { ComponentResource } from './objects.js';
import { operandsMissing } from './operands.js';
import { PROGRESS_DEADLINE_MS } from './rollout-progress.js';
import type { ComponentFindings } from './status.js';

/** A component of one control plane. */
export interface PlannedComponent {
  readonly definition: ComponentDefinition;
  /** Components it waits for. */
  readonly dependencies: readonly string[];
  readonly resources: readonly ComponentResource[];
}

/** The components of a control plane for given inputs; rebuilt only when those change. */
export interface ComponentPlan {
  readonly inputs: ComponentInputs;
  readonly components: readonly PlannedComponent[];
  readonly names: ReadonlySet<string>;
}

/** Plans each of these components for the inputs. */
export function planOf(inputs: ComponentInputs, definitions: readonly ComponentDefinition[]): ComponentPlan {
  const names = new Set(definitions.map(({ name }) => name));
  const components = definitions.map((definition) => ({
    definition,
    dependencies: dependenciesOf(definition, names),
    resources: resourcesOf(definition, inputs),
  }));
  return { inputs, components, names };
}

/** What a reconcile of a component writes. */
export interface ComponentDecision {
  /** Dependencies that are not there, not available or not at the version. */
  readonly unmet: readonly string[];
  /** While dependencies are unmet, the objects stay as they are, but for the API proxy of the workload. */
  readonly write: 'objects' | 'proxy';
}

/** Decides about a component by the components there are. */
export function decideComponent(
  { dependencies }: Pick<PlannedComponent, 'dependencies'>,
  found: (name: string) => ControlPlaneComponent | undefined,
  version: string,
): ComponentDecision {
  const unmet = unmetDependencies(dependencies, found, version);
  return { unmet, write: unmet.length > 0 ? 'proxy' : 'objects' };
}

/** What was observed of a component once its objects were written. */
export interface Observed {
  readonly unmet: readonly string[];
  readonly workload: Workload | undefined;
  /** Since when its rollout has made no progress; undefined without a workload. */
  readonly sinceMs: number | undefined;
  /** Deployments that the component manages. */
  readonly operands: readonly Workload[];
  /** What went wrong with its objects. */
  readonly problem: string | undefined;
  readonly nowMs: number;
}

/** What its status is made of. */
export function findingsOf(
  { definition, resources }: PlannedComponent,
  { nowMs, operands, problem, sinceMs, unmet, workload }: Observed,
  { generation, version }: { readonly version: string; readonly generation: number },
): ComponentFindings {
  return {
    name: definition.name,
    hasWorkload: workloadKind(definition) !== undefined,
    workload,
    ...progressOf(workload, sinceMs, nowMs),
    unmet,
    problem,
    operandsMissing: definition.hasOperands === true ? operandsMissing(operands, version) : undefined,
    resources,
    version,
    observedGeneration: generation,
  };
}

/** Whether a StatefulSet is stuck, or when it will be unless it makes progress. Deployments report that themselves. */
export function progressOf(
  workload: Workload | undefined,
  sinceMs: number | undefined,
  nowMs: number,
): Pick<ComponentFindings, 'isStuck' | 'progressDueMs'> {
  if (workload?.kind !== 'StatefulSet' || sinceMs === undefined || isRolledOut(workload))
    return { isStuck: false, progressDueMs: undefined };
  const dueMs = sinceMs + PROGRESS_DEADLINE_MS;
  return nowMs >= dueMs ? { isStuck: true, progressDueMs: undefined } : { isStuck: false, progressDueMs: dueMs };
}
