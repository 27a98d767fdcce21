import type { ControlPlaneComponent } from '@capstan/api/hypershift';
import {
  ACCOUNT_UID_ANNOTATION,
  accountUid,
  CONTROL_PLANE_COMPONENTS,
  MANAGED_BY_LABEL,
  firstStatusDueMs,
} from '@capstan/hosting';
import type { Workload } from '@capstan/hosting';
import { errorText, patchFrom } from '@capstan/kube';
import type { Client, ResourceKind } from '@capstan/kube';
import { apiErrorOf, deepEqual, isConflict } from '@capstan/meta';
import type { Clock, KubeObject } from '@capstan/meta';
import { ControlPlaneError } from '../errors.js';
import { DEPLOYMENTS, SERVICE_ACCOUNTS } from '../kinds.js';
import type { OwnedObjects } from '../objects/owned-objects.js';
import type { Settled } from '../objects/settled.js';
import type { Snapshot } from '../objects/snapshot.js';
import type { ComponentDefinition, ComponentInputs } from './definition.js';
import { unmetDependencies } from './dependencies.js';
import { objectsOf, workloadKind } from './objects.js';
import type { ComponentResource } from './objects.js';
import type { PlannedComponent } from './plan.js';
import { operandsMissing } from './operands.js';
import { componentStatus } from './status.js';
import type { ComponentFindings } from './status.js';

/** What components are reconciled with. */
export interface ComponentScope {
  readonly client: Client;
  readonly objects: OwnedObjects;
  readonly settled: Settled;
  /** Names the control plane among those that are settled. */
  readonly owner: string;
  /** Identifies the inputs: equal keys mean equal inputs. */
  readonly key: string;
  readonly inputs: ComponentInputs;
  /** Of the HostedControlPlane. */
  readonly generation: number;
  readonly now: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** A component after its reconciliation. */
export interface ComponentResult {
  /** With its current status, whether that was written yet or not. */
  readonly component: ControlPlaneComponent;
  /** When its status is to be written, where that was delayed. */
  readonly dueMs?: number | undefined;
  /** What went wrong, to be thrown once everything else was done. */
  readonly error?: unknown;
}

/** Gathers what there is of a component, decides what it should be, makes it so, and writes how far it is. */
export async function reconcileComponent(
  { definition, dependencies, resources }: PlannedComponent,
  scope: ComponentScope,
): Promise<ComponentResult> {
  const { generation, objects, inputs } = scope;
  const { name } = definition;
  const { snapshot } = objects;
  const found = (of: string): ControlPlaneComponent | undefined => snapshot.get(CONTROL_PLANE_COMPONENTS, of);
  const unmet = unmetDependencies(dependencies, found, inputs.version);
  const error = unmet.length > 0 ? undefined : await ensureAll(definition, resources, scope);
  const kind = workloadKind(definition);
  const { component, dueMs } = await writeStatus(
    {
      name,
      hasWorkload: kind !== undefined,
      workload: kind === undefined ? undefined : snapshot.get<Workload>(kind, name),
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

/** Brings the objects of a component to what they should be; gives the error that stands in the way. */
async function ensureAll(
  definition: ComponentDefinition,
  resources: readonly ComponentResource[],
  { key, objects, owner, settled, inputs }: ComponentScope,
): Promise<unknown> {
  const there = (): ReturnType<typeof objects.snapshot.get>[] =>
    resources.map(({ kind, name }) => objects.snapshot.get(kind, name));
  const part = `objects of ${definition.name}`;
  if (settled.until(owner, part, { key, objects: there(), nowMs: 0 }) !== undefined) return undefined;
  try {
    for (const [kind, object] of objectsOf(definition, inputs))
      await objects.ensure(
        kind,
        kind === workloadKind(definition) ? ofAccount(object, kind, objects.snapshot) : object,
      );
  } catch (error) {
    if (!isReported(error)) throw error;
    return error;
  }
  const made = there();
  if (objects.areAsDesired(made)) settled.settle(owner, part, { key, objects: made });
  return undefined;
}

/** A workload whose pods begin anew when their account has been made anew. */
function ofAccount(workload: KubeObject, kind: ResourceKind, snapshot: Snapshot): KubeObject {
  const { name = '' } = workload.metadata;
  const uid = accountUid(snapshot.get(SERVICE_ACCOUNTS, name), snapshot.get(kind, name));
  if (uid === undefined) return workload;
  const spec = workload['spec'] as { template: { metadata: { annotations: object } } };
  const { metadata } = spec.template;
  const annotations = { ...metadata.annotations, [ACCOUNT_UID_ANNOTATION]: uid };
  return { ...workload, spec: { ...spec, template: { ...spec.template, metadata: { ...metadata, annotations } } } };
}

/** Everything a status is made of besides the workload and itself. */
function statusKey(
  key: string,
  { observedGeneration, operandsMissing: missing, problem, unmet }: ComponentFindings,
): string {
  return `${observedGeneration} ${unmet.join(',')}\0${problem ?? ''}\0${missing ?? ''}\0${key}`;
}

async function writeStatus(
  findings: ComponentFindings,
  scope: ComponentScope,
): Promise<Omit<ComponentResult, 'error'>> {
  const { client, clock, now, objects, owner, settled, signal } = scope;
  const { name, workload } = findings;
  const part = `status of ${name}`;
  const key = statusKey(scope.key, findings);
  const known = objects.snapshot.get<ControlPlaneComponent>(CONTROL_PLANE_COMPONENTS, name);
  if (
    known !== undefined &&
    settled.until(owner, part, { key, objects: [known, workload], nowMs: 0, isOfStatus: true }) !== undefined
  )
    return { component: known };
  const before =
    known ?? (await objects.ensureExists<ControlPlaneComponent>(CONTROL_PLANE_COMPONENTS, () => emptyComponent(name)));
  const status = componentStatus(before.status, findings, now);
  if (deepEqual(before.status, status)) {
    settled.settle(owner, part, { key, objects: [before, workload] });
    return { component: before };
  }
  const after = { ...before, status };
  const dueMs = firstStatusDueMs(before, status, clock.now());
  if (dueMs !== undefined) return { component: after, dueMs };
  const written = await patchFrom(
    client,
    CONTROL_PLANE_COMPONENTS,
    { before, after },
    { subresource: 'status', optimisticLock: true, signal },
  );
  objects.snapshot.put(CONTROL_PLANE_COMPONENTS, written);
  if (deepEqual(written.status, status)) settled.settle(owner, part, { key, objects: [written, workload] });
  return { component: written };
}

function emptyComponent(name: string): ControlPlaneComponent {
  return {
    apiVersion: 'hypershift.openshift.io/v1beta1',
    kind: 'ControlPlaneComponent',
    metadata: { name },
    spec: {},
  };
}

/** Whether an error is reported in the status. Conflicts and unreachable servers are only retried. */
function isReported(error: unknown): boolean {
  if (error instanceof ControlPlaneError) return true;
  return apiErrorOf(error) !== undefined && !isConflict(error);
}
