import type { ControlPlaneComponent } from '@capstan/api/hypershift';
import { CONTROL_PLANE_COMPONENTS, firstStatusDueMs } from '@capstan/hosting';
import { Converger } from '@capstan/kube';
import { deepEqual } from '@capstan/meta';
import type { ComponentResult, ComponentScope } from '../scope.js';
import { componentStatus } from '../status.js';
import type { ComponentFindings } from '../status.js';

/** Everything a status is made of besides the workload and itself. */
function statusKey(
  key: string,
  { isStuck, observedGeneration, operandsMissing: missing, problem, unmet }: ComponentFindings,
): string {
  return `${observedGeneration} ${isStuck} ${unmet.join(',')}\0${problem ?? ''}\0${missing ?? ''}\0${key}`;
}

/** Writes the status of the component when it differs, and not before it has something to report. */
export async function writeStatus(
  findings: ComponentFindings,
  scope: ComponentScope,
): Promise<Omit<ComponentResult, 'error'>> {
  const { client, clock, now, objects, owner, settled, signal } = scope;
  const { name, workload } = findings;
  const part = `status of ${name}`;
  const key = statusKey(scope.key, findings);
  const known = objects.snapshot.get<ControlPlaneComponent>(CONTROL_PLANE_COMPONENTS, name);
  const nowMs = clock.now();
  const question = { key, objects: [known, workload], nowMs, isOfStatus: true };
  const settledUntilMs = known === undefined ? undefined : settled.until(owner, part, question);
  if (known !== undefined && settledUntilMs !== undefined) return { component: known, dueMs: settledUntilMs };
  const untilMs = findings.progressDueMs ?? Infinity;
  const before =
    known ?? (await objects.ensureExists<ControlPlaneComponent>(CONTROL_PLANE_COMPONENTS, () => emptyComponent(name)));
  const status = componentStatus(before.status, findings, now);
  if (deepEqual(before.status, status)) {
    settled.settle(owner, part, { key, objects: [before, workload], untilMs });
    return { component: before, dueMs: untilMs };
  }
  const after = { ...before, status };
  const dueMs = firstStatusDueMs(before, status, nowMs);
  if (dueMs !== undefined) return { component: after, dueMs };
  // Not merged into the one before: conditions of an earlier state must not stay.
  const written = (await new Converger({ client, signal }).perform({
    verb: 'patch',
    kind: CONTROL_PLANE_COMPONENTS,
    before,
    after,
    subresource: 'status',
  })) as ControlPlaneComponent;
  objects.snapshot.put(CONTROL_PLANE_COMPONENTS, written);
  if (deepEqual(written.status, status)) settled.settle(owner, part, { key, objects: [written, workload], untilMs });
  return { component: written, dueMs: untilMs };
}

function emptyComponent(name: string): ControlPlaneComponent {
  return {
    apiVersion: 'hypershift.openshift.io/v1beta1',
    kind: 'ControlPlaneComponent',
    metadata: { name },
    spec: {},
  };
}
