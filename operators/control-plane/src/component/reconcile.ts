import type { ControlPlaneComponent } from '@capstan/api/hypershift';
import { errorText, patchFrom } from '@capstan/kube';
import type { Client } from '@capstan/kube';
import { apiErrorOf, deepEqual, isConflict } from '@capstan/meta';
import type { Clock } from '@capstan/meta';
import { CONTROL_PLANE_COMPONENTS, MANAGED_BY_LABEL, toldFromMs } from '@capstan/provider';
import { ControlPlaneError } from '../errors.js';
import { DEPLOYMENTS } from '../kinds.js';
import type { OwnedObjects } from '../objects/owned-objects.js';
import type { Settled } from '../objects/settled.js';
import type { ComponentDefinition, ComponentWorld } from './definition.js';
import { dependenciesOf, unmetDependencies } from './dependencies.js';
import { objectsOf, resourcesOf, workloadKind } from './objects.js';
import type { ComponentResource } from './objects.js';
import { operandsMissing } from './rollout.js';
import type { Workload } from './rollout.js';
import { componentStatus } from './status.js';

/** What components are reconciled with. */
export interface ComponentScope {
  readonly client: Client;
  readonly objects: OwnedObjects;
  readonly settled: Settled;
  /** Names the control plane among those that are settled. */
  readonly owner: string;
  /** Everything the world was made of, in one text. */
  readonly key: string;
  readonly world: ComponentWorld;
  /** Names of all components of this control plane. */
  readonly parts: ReadonlySet<string>;
  /** Of the HostedControlPlane. */
  readonly generation: number;
  readonly now: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** A component after its reconciliation. */
export interface ComponentResult {
  /** With its status as it is, whether that was told yet or not. */
  readonly component: ControlPlaneComponent;
  /** When its status is to be told that was not worth telling yet. */
  readonly dueMs?: number | undefined;
  /** What went wrong, to be thrown once everything else was done. */
  readonly error?: unknown;
}

/** Gathers what there is of a component, decides what it should be, makes it so, and writes how far it is. */
export async function reconcileComponent(
  definition: ComponentDefinition,
  scope: ComponentScope,
): Promise<ComponentResult> {
  const { generation, objects, parts, world } = scope;
  const { name } = definition;
  const { snapshot } = objects;
  const found = (of: string): ControlPlaneComponent | undefined => snapshot.get(CONTROL_PLANE_COMPONENTS, of);
  const unmet = unmetDependencies(dependenciesOf(definition, parts), found, world.version);
  const resources = resourcesOf(definition, world);
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
        definition.hasOperands === true ? operandsMissing(operandsOf(name, objects), world.version) : undefined,
      resources,
      version: world.version,
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
  { key, objects, owner, settled, world }: ComponentScope,
): Promise<unknown> {
  const there = (): ReturnType<typeof objects.snapshot.get>[] =>
    resources.map(({ kind, name }) => objects.snapshot.get(kind, name));
  if (settled.until(owner, definition.name, { key, objects: there(), nowMs: 0 }) !== undefined) return undefined;
  try {
    for (const [kind, object] of objectsOf(definition, world)) await objects.ensure(kind, object);
  } catch (error) {
    if (!isToBeTold(error)) throw error;
    return error;
  }
  settled.settle(owner, definition.name, { key, objects: there() });
  return undefined;
}

async function writeStatus(
  findings: Parameters<typeof componentStatus>[1],
  { client, clock, now, objects, signal }: ComponentScope,
): Promise<Omit<ComponentResult, 'error'>> {
  const { name } = findings;
  const before =
    objects.snapshot.get<ControlPlaneComponent>(CONTROL_PLANE_COMPONENTS, name) ??
    (await objects.ensureExists<ControlPlaneComponent>(CONTROL_PLANE_COMPONENTS, () => emptyComponent(name)));
  const status = componentStatus(before.status, findings, now);
  if (deepEqual(before.status, status)) return { component: before };
  const after = { ...before, status };
  const dueMs = toldFromMs(before, status, clock.now());
  if (dueMs !== undefined) return { component: after, dueMs };
  const written = await patchFrom(
    client,
    CONTROL_PLANE_COMPONENTS,
    { before, after },
    { subresource: 'status', optimisticLock: true, signal },
  );
  objects.snapshot.put(CONTROL_PLANE_COMPONENTS, written);
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

/** Whether an error belongs into a status. That somebody else wrote in between, or nobody answers, is simply tried again. */
function isToBeTold(error: unknown): boolean {
  if (error instanceof ControlPlaneError) return true;
  return apiErrorOf(error) !== undefined && !isConflict(error);
}
