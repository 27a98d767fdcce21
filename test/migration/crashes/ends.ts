import {
  CONTROL_PLANE_OPERATOR_IMAGE_ANNOTATION,
  MIGRATION_ENDED_ANNOTATION,
  MIGRATION_FAILED_ANNOTATION,
  MIGRATION_OPERATOR_IMAGE_ANNOTATION,
  PRIVATE_CAPI_TYPES_ANNOTATION,
  SCOPE_ANNOTATION,
} from '@capstan/hosting';
import { deepEqual } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { COPIED_FROM_ANNOTATION, COPIED_GENERATION_ANNOTATION } from '@capstan/migration';
import { PRIVATE, STANDARD } from '../fixture.js';
import { TEST_SIDECAR } from '../hosted.js';
import { MOVED, nameOf, providerId } from './history.js';
import type { Kind } from './kinds.js';
import type { MigrationRun } from './scenario.js';
import { NAMESPACE } from './server.js';

export function everyObject({ server: { store } }: MigrationRun): readonly KubeObject[] {
  return store
    .resources()
    .flatMap((resource) => store.list(resource).items.map((stored) => stored.object()))
    .filter(({ kind, metadata }) => metadata.namespace === NAMESPACE && kind !== 'Event');
}

const groupOf = ({ apiVersion }: KubeObject): string => apiVersion.split('/')[0] ?? '';
const LEFTOVERS = /"hypershift\.openshift\.io\/migration-(?:replicas|paused|copied|in-progress|journal)"/u;

/** Everything that is wrong once the migration has ended; nothing if it succeeded, or is as if it never had been. */
export async function wrongEnd(run: MigrationRun, kind: Kind, before: readonly KubeObject[]): Promise<string[]> {
  const { calls = [], reason, userKinds = [] } = kind;
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
  problems.push(...wrongReport(await run.hosted.condition(), run, reason));
  expect(annotations[MIGRATION_ENDED_ANNOTATION] === undefined, 'its end is not reported');
  const after = everyObject(run);
  const [owner, other] = isPrivate ? [PRIVATE, STANDARD] : [STANDARD, PRIVATE];
  const ended = after.filter((each) => groupOf(each).endsWith(owner) && groupOf(each) !== other);
  const left = after.filter((each) => groupOf(each) === other || groupOf(each).endsWith(`.${other}`));
  expect(left.length === 0, `left behind: ${left.map(nameOf).join(', ')}`);
  for (const each of after) expect(!LEFTOVERS.test(JSON.stringify(each.metadata)), `${nameOf(each)} is still marked`);
  problems.push(...wrongMachines(run, ended), ...wrongWorkloads(after, before, isPrivate));
  for (const each of ended)
    expect((each['spec'] as { paused?: boolean }).paused !== true, `${nameOf(each)} is still paused`);
  const asked = run.controllers.calls.map((call) => call.slice(0, call.indexOf(' ')));
  expect(
    asked.toSorted((a, b) => (a < b ? -1 : 1)).join() === calls.join(),
    `cloud calls: ${run.controllers.calls.join(', ')}`,
  );
  const ofOthers = ended.filter(({ kind: name }) => !userKinds.includes(name));
  if (!isPrivate && !run.controllers.changes) problems.push(...changed(ofOthers, before, kind));
  problems.push(...lostOfUsers(kind, after));
  const lost = before.filter(
    (each) => !after.some((now) => sameObject(now, each)) && !groupOf(each).endsWith('.x-k8s.io'),
  );
  expect(lost.length === 0, `lost: ${lost.map(nameOf).join(', ')}`);
  return problems;
}

/** A cluster that a user deletes is reported on like any other until it is gone. */
function wrongReport(condition: string, { hosted, isRollback }: MigrationRun, reason: string | undefined): string[] {
  const wanted =
    reason === undefined ? /^True Migrated: / : new RegExp(`^False Failed: rolled back \\(${reason}\\): `, 'u');
  const problems = wanted.test(condition) ? [] : [`its condition is ${condition}`];
  const completed = reason === undefined || isRollback;
  if (hosted.completed.length > 0 === completed) return problems;
  return [...problems, `${hosted.completed.length} migrations were reported as completed`];
}

/** What users did and that is undone. */
function lostOfUsers({ findLost, kept }: Kind, after: readonly KubeObject[]): string[] {
  const names = after.map(({ kind: of, metadata }) => `${of} ${metadata.name ?? ''}`);
  const lost = [kept === undefined || names.includes(kept) ? undefined : kept, findLost?.(after)];
  return lost.flatMap((each) => (each === undefined ? [] : [`lost: ${each}`]));
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

/** Originals that a rollback has not left as they were, or not created again as they were. */
function changed(
  ended: readonly KubeObject[],
  before: readonly KubeObject[],
  { isRecreated = false }: Pick<Kind, 'isRecreated'>,
): string[] {
  return ended.flatMap((now) => {
    const original = before.find((each) => (isRecreated ? nameOf(each) === nameOf(now) : sameObject(each, now)));
    if (original === undefined) return [`${nameOf(now)} is not the original`];
    const [was, is] = [contentOf(original, isRecreated), contentOf(now, isRecreated)];
    return deepEqual(was, is) ? [] : [`${nameOf(now)} was ${JSON.stringify(was)} and is ${JSON.stringify(is)}`];
  });
}

const MARKS: ReadonlySet<string> = new Set([COPIED_FROM_ANNOTATION, COPIED_GENERATION_ANNOTATION]);

/** What users and controllers wrote. That a Cluster is not paused can be written or left out. */
function contentOf({ metadata, spec, status }: KubeObject, isRecreated: boolean): object {
  const { annotations = {}, finalizers, generation, labels } = metadata;
  const own = Object.fromEntries(Object.entries(annotations).filter(([key]) => !isRecreated || !MARKS.has(key)));
  const owners = metadata.ownerReferences?.map(({ uid, ...owner }) => (isRecreated ? owner : { uid, ...owner }));
  const { paused, ...rest } = (spec ?? {}) as { readonly paused?: boolean };
  const { observedGeneration, ...state } = (status ?? {}) as { readonly observedGeneration?: number };
  const isObserved = observedGeneration === undefined ? undefined : observedGeneration === generation;
  return { annotations: own, finalizers, labels, owners, paused: paused ?? false, rest, state, isObserved };
}

/** Deployments and Roles that are not as they were, but for their sidecars and the groups that they name. */
function wrongWorkloads(after: readonly KubeObject[], before: readonly KubeObject[], isPrivate: boolean): string[] {
  return before.flatMap((was) => {
    const is = after.find((each) => sameObject(each, was));
    if (is === undefined) return [];
    if (was.kind === 'Role')
      return deepEqual(was['rules'], is['rules']) === isPrivate ? [`${nameOf(is)} allows the wrong groups`] : [];
    if (was.kind !== 'Deployment' || !MOVED.has(was.metadata.name ?? '')) return [];
    if (TEST_SIDECAR.has(is) !== isPrivate) return [`${nameOf(is)} has the wrong sidecars`];
    return deepEqual(was['spec'], TEST_SIDECAR.remove(is)['spec']) ? [] : [`${nameOf(is)} is changed`];
  });
}
