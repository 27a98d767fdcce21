import { MERGE, type Answer, type Session } from './session.js';
import { eventually, SERVER_LIMITS } from '../wait.js';

export const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
/** An API group of the test alone: its namespace is part of the name. */
export const GROUP = '{ns}.example.com';

type Fields = Record<string, unknown>;

const CHANGE_LIMIT_MS = 45_000;

/** A version of a CRD; served, stored, and without rules by default. */
export function version(fields: Fields = {}): Fields {
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  return { name: 'v1', served: true, storage: true, schema, ...fields };
}

/** A version whose objects have a spec of the given properties. */
export function specVersion(properties: Fields, fields: Fields = {}, spec: Fields = {}): Fields {
  const status = {
    type: 'object',
    properties: { phase: { type: 'string' }, replicas: { type: 'integer' }, selector: { type: 'string' } },
  };
  const openAPIV3Schema = { type: 'object', properties: { spec: { type: 'object', properties, ...spec }, status } };
  return version({ schema: { openAPIV3Schema }, ...fields });
}

/** A CRD of the test's group; further fields of its spec are merged in. */
export function definition(plural: string, spec: Fields = {}, metadata: Fields = {}): Fields {
  const kind = plural.charAt(0).toUpperCase() + plural.slice(1, -1);
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${GROUP}`, ...metadata },
    spec: { group: GROUP, scope: 'Namespaced', names: { plural, kind }, versions: [version()], ...spec },
  };
}

/** Where a CRD is. */
export function definitionPath(plural: string): string {
  return `${CRDS}/${plural}.${GROUP}`;
}

/** Where objects of a CRD are. */
export function objectsPath(plural: string, apiVersion = 'v1'): string {
  return `/apis/${GROUP}/${apiVersion}/namespaces/{ns}/${plural}`;
}

/** An object of a CRD. */
export function custom(kind: string, name: string, fields: Fields = {}, apiVersion = 'v1'): Fields {
  return { apiVersion: `${GROUP}/${apiVersion}`, kind, metadata: { name }, ...fields };
}

function hasCondition(answer: Answer, type: string, reason: string): boolean {
  const { conditions } = (answer.object()['status'] ?? {}) as {
    conditions?: { type: string; reason: string }[] | null;
  };
  return (conditions ?? []).some((condition) => condition.type === type && condition.reason === reason);
}

/** Waits until a CRD carries a condition of a reason. */
export async function untilCondition(s: Session, plural: string, type: string, reason: string): Promise<void> {
  await eventually(
    `${type} ${reason}`,
    async () => hasCondition(await s.quiet('GET', definitionPath(plural)), type, reason),
    SERVER_LIMITS,
  );
}

/** Creates a CRD without writing it down, and waits until its objects are served. */
export async function givenDefinition(s: Session, plural: string, spec: Fields = {}): Promise<void> {
  const created = await s.quiet('POST', CRDS, { body: definition(plural, spec) });
  if (created.status !== 201) throw new Error(`could not create the CRD of ${plural}: ${created.text}`);
  await untilCondition(s, plural, 'Established', 'InitialNamesAccepted');
  await eventually(
    'discovery',
    async () => (await s.quiet('GET', `/apis/${GROUP}`)).text.includes(s.ns),
    SERVER_LIMITS,
  );
  await ready(s, plural);
}

/** Waits until a real server serves a new resource or version and has opened its storage. */
export async function ready(s: Session, plural: string, apiVersion = 'v1'): Promise<void> {
  await eventually(
    'storage',
    async () => ![404, 429].includes((await s.quiet('GET', `/apis/${GROUP}/${apiVersion}/${plural}`)).status),
    SERVER_LIMITS,
  );
}

/**
 * Changes the spec of a CRD without recording it. A real server answers by the old one until it sees the new one; then it
 * ends the watches of the old one, which this waits for.
 */
export async function changeDefinition(s: Session, plural: string, spec: Fields, apiVersion = 'v1'): Promise<void> {
  const watching = await s.watch(`/apis/${GROUP}/${apiVersion}/${plural}?watch=1`);
  const { status, text } = await s.quiet('PATCH', definitionPath(plural), { body: { spec }, type: MERGE });
  if (status !== 200) throw new Error(`could not change the CRD of ${plural}: ${text}`);
  await watching.ended(CHANGE_LIMIT_MS);
  await ready(s, plural, apiVersion);
}

/** Records the discovery of a version. The hash goes with the group, which is another one every time. */
export async function discovered(s: Session, apiVersion = 'v1'): Promise<void> {
  const { body } = await s.quiet('GET', `/apis/${GROUP}/${apiVersion}`);
  const { resources = [], ...list } = body as { resources?: { storageVersionHash?: string }[] };
  s.remark(`discovery of ${apiVersion}`, {
    ...list,
    resources: resources.map(({ storageVersionHash: _hash, ...resource }) => resource),
  });
}

/** Deletes CRDs without writing it down, and waits until they are gone. */
export async function dismiss(s: Session, ...plurals: readonly string[]): Promise<void> {
  for (const plural of plurals) await s.quiet('DELETE', definitionPath(plural));
  for (const plural of plurals) {
    await eventually(
      `the end of ${plural}`,
      async () => (await s.quiet('GET', definitionPath(plural))).status === 404,
      SERVER_LIMITS,
    );
  }
}
