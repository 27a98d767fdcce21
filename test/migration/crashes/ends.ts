import {
  CONTROL_PLANE_OPERATOR_IMAGE_ANNOTATION,
  MIGRATION_FAILED_ANNOTATION,
  MIGRATION_OPERATOR_IMAGE_ANNOTATION,
  PRIVATE_CAPI_TYPES_ANNOTATION,
  SCOPE_ANNOTATION,
} from '@capstan/hosting';
import { deepEqual } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { PRIVATE, STANDARD } from '../fixture.js';
import { TEST_SIDECAR } from '../hosted.js';
import { nameOf, providerId } from './history.js';
import { NAMESPACE } from './scenario.js';
import type { Kind, MigrationRun } from './scenario.js';

export function everyObject({ server: { store } }: MigrationRun): readonly KubeObject[] {
  return store
    .resources()
    .flatMap((resource) => store.list(resource).items.map((stored) => stored.object()))
    .filter(({ kind, metadata }) => metadata.namespace === NAMESPACE && kind !== 'Event');
}

const groupOf = ({ apiVersion }: KubeObject): string => apiVersion.split('/')[0] ?? '';
const LEFTOVERS = /"hypershift\.openshift\.io\/migration-(?:replicas|paused|copied|in-progress|journal)"/u;

/** Everything that is wrong once the migration has ended; nothing if it succeeded, or is as if it never had been. */
export async function wrongEnd(run: MigrationRun, { reason }: Kind, before: readonly KubeObject[]): Promise<string[]> {
  const { annotations = {} } = (await run.hosted.hostedCluster()).metadata;
  const isPrivate = annotations[PRIVATE_CAPI_TYPES_ANNOTATION] === 'true';
  const failed = annotations[MIGRATION_FAILED_ANNOTATION];
  const problems = [...run.history.violations];
  const expect = (isTrue: boolean, message: string): void => {
    if (!isTrue) problems.push(message);
  };
  expect(failed === reason, `it failed with ${failed}, not ${reason}`);
  expect(isPrivate === (reason === undefined), `private types: ${isPrivate}`);
  expect(
    annotations[SCOPE_ANNOTATION] === (isPrivate ? undefined : 'legacy'),
    `scope ${annotations[SCOPE_ANNOTATION]}`,
  );
  for (const image of [CONTROL_PLANE_OPERATOR_IMAGE_ANNOTATION, MIGRATION_OPERATOR_IMAGE_ANNOTATION])
    expect(annotations[image] === undefined, `${image} ${annotations[image]}`);
  const after = everyObject(run);
  const [owner, other] = isPrivate ? [PRIVATE, STANDARD] : [STANDARD, PRIVATE];
  const ended = after.filter((each) => groupOf(each).endsWith(owner) && groupOf(each) !== other);
  const left = after.filter((each) => groupOf(each) === other || groupOf(each).endsWith(`.${other}`));
  expect(left.length === 0, `left behind: ${left.map(nameOf).join(', ')}`);
  for (const each of after) expect(!LEFTOVERS.test(JSON.stringify(each.metadata)), `${nameOf(each)} is still marked`);
  problems.push(...wrongMachines(run, ended), ...wrongWorkloads(after, before, isPrivate));
  for (const each of ended)
    expect((each['spec'] as { paused?: boolean }).paused !== true, `${nameOf(each)} is still paused`);
  const isActive = run.controllers.changes;
  expect(isActive || run.controllers.calls.length === 0, `cloud calls: ${run.controllers.calls.join(', ')}`);
  if (!isPrivate && !isActive) problems.push(...changed(ended, before));
  const lost = before.filter(
    (each) => !after.some((now) => sameObject(now, each)) && !groupOf(each).endsWith('.x-k8s.io'),
  );
  expect(lost.length === 0, `lost: ${lost.map(nameOf).join(', ')}`);
  return problems;
}

function sameObject(a: KubeObject, b: KubeObject): boolean {
  return a.metadata.uid === b.metadata.uid;
}

/** Every instance has one Machine, and every Machine an instance. */
function wrongMachines({ controllers: { instances } }: MigrationRun, ended: readonly KubeObject[]): string[] {
  const named = ended
    .filter(({ kind }) => kind === 'Machine')
    .map(providerId)
    .toSorted();
  const living = [...instances].toSorted();
  return named.join() === living.join() ? [] : [`Machines of ${named.join(', ')}, instances ${living.join(', ')}`];
}

/** Originals that a rollback has not left as they were. */
function changed(ended: readonly KubeObject[], before: readonly KubeObject[]): string[] {
  return ended.flatMap((now) => {
    const original = before.find((each) => sameObject(each, now));
    if (original === undefined) return [`${nameOf(now)} is not the original`];
    const [was, is] = [contentOf(original), contentOf(now)];
    return deepEqual(was, is) ? [] : [`${nameOf(now)} was ${JSON.stringify(was)} and is ${JSON.stringify(is)}`];
  });
}

/** What users and controllers wrote. That a Cluster is not paused can be written or left out. */
function contentOf({ metadata, spec, status }: KubeObject): object {
  const { annotations = {}, finalizers, generation, labels, ownerReferences } = metadata;
  const { paused, ...rest } = (spec ?? {}) as { readonly paused?: boolean };
  const { observedGeneration, ...state } = (status ?? {}) as { readonly observedGeneration?: number };
  const isObserved = observedGeneration === undefined ? undefined : observedGeneration === generation;
  return { annotations, finalizers, labels, ownerReferences, paused: paused ?? false, rest, state, isObserved };
}

/** Deployments and Roles that are not as they were, but for their sidecars and the groups that they name. */
function wrongWorkloads(after: readonly KubeObject[], before: readonly KubeObject[], isPrivate: boolean): string[] {
  return before.flatMap((was) => {
    const is = after.find((each) => sameObject(each, was));
    if (is === undefined) return [];
    if (was.kind === 'Role')
      return deepEqual(was['rules'], is['rules']) === isPrivate ? [`${nameOf(is)} allows the wrong groups`] : [];
    if (was.kind !== 'Deployment') return [];
    if (TEST_SIDECAR.has(is) !== isPrivate) return [`${nameOf(is)} has the wrong sidecars`];
    return deepEqual(was['spec'], TEST_SIDECAR.remove(is)['spec']) ? [] : [`${nameOf(is)} is changed`];
  });
}
