import { expect } from 'vitest';
import { CRDS, definition } from '../src/conformance/crds.js';
import { MERGE, type Session } from '../src/conformance/session.js';
import { suite } from '../src/conformance/suite.js';
import { eventually, SERVER_LIMITS } from '../src/wait.js';

const it = suite('api-services');

const SERVICES = '/apis/apiregistration.k8s.io/v1/apiservices';
const AUTOMANAGED = 'kube-aggregator.kubernetes.io/automanaged';
const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json';
/** Before the other one by name, as `cluster.hypershift.openshift.io` is before `cluster.x-k8s.io`. */
const PRIVATE = 'a.{ns}.example.com';
const STANDARD = 'b.{ns}.example.com';

interface ApiService {
  readonly metadata: { readonly uid: string; readonly labels?: Readonly<Record<string, string>> };
  readonly spec: { readonly groupPriorityMinimum: number; readonly versionPriority: number };
}

function crd(group: string, versions: readonly string[] = ['v1beta1'], plural = 'machines'): object {
  const [spec] = (definition(plural)['spec'] as { versions: object[] }).versions;
  return definition(
    plural,
    { group, versions: versions.map((name, at) => ({ ...spec, name, storage: at === 0 })) },
    { name: `${plural}.${group}` },
  );
}

function apiService(group: string, version: string, priorities: readonly [group: number, version: number]): object {
  const [groupPriorityMinimum, versionPriority] = priorities;
  return {
    apiVersion: 'apiregistration.k8s.io/v1',
    kind: 'APIService',
    metadata: { name: `${version}.${group}` },
    spec: { group, version, groupPriorityMinimum, versionPriority },
  };
}

/** A real server registers and lists a moment later. */
async function holds(isDone: () => Promise<boolean>, what: string): Promise<void> {
  await eventually(what, isDone, SERVER_LIMITS);
}

async function given(s: Session, path: string, body: object): Promise<void> {
  const { status, text } = await s.quiet('POST', path, { body });
  if (status !== 201) throw new Error(`could not create: ${text}`);
}

async function find(s: Session, name: string): Promise<ApiService | undefined> {
  const { status, body } = await s.quiet('GET', `${SERVICES}/${name}`);
  return status === 200 ? (body as ApiService) : undefined;
}

async function registered(s: Session, name: string): Promise<void> {
  await holds(async () => (await find(s, name)) !== undefined, `APIService ${name}`);
}

/** The groups of the test in the order of `/apis`, by their first letter, each with its versions. */
async function listed(s: Session): Promise<string[]> {
  const { groups } = (await s.quiet('GET', '/apis')).body as {
    groups: { name: string; versions: { version: string }[]; preferredVersion: { version: string } }[];
  };
  const mine = groups.filter(({ name }) => name.endsWith(`${s.ns}.example.com`));
  for (const each of mine) expect(each.preferredVersion).toEqual(each.versions[0]);
  return mine.map(({ name, versions }) => [name[0], ...versions.map(({ version }) => version)].join(' '));
}

/** The same of aggregated discovery. */
async function aggregated(s: Session): Promise<string[]> {
  const { items } = (await s.quiet('GET', '/apis', { accept: AGGREGATED })).body as {
    items: { metadata: { name: string }; versions: { version: string }[] }[];
  };
  const mine = items.filter(({ metadata }) => metadata.name.endsWith(`${s.ns}.example.com`));
  return mine.map(({ metadata, versions }) => [metadata.name[0], ...versions.map((each) => each.version)].join(' '));
}

async function untilListed(s: Session, wanted: readonly string[]): Promise<void> {
  await holds(async () => (await listed(s)).join() === wanted.join(), `/apis lists ${wanted.join()}`);
}

/** Deletes what the test created; the APIServices of CRDs go with those. */
async function cleanUp(s: Session, groups: readonly string[], services: readonly string[] = []): Promise<void> {
  for (const group of groups) await s.quiet('DELETE', `${CRDS}/machines.${group}`);
  for (const name of services) await s.quiet('DELETE', `${SERVICES}/${name}`);
  await untilListed(s, []);
}

it('built-in versions are registered on start, with an available APIService each', async (s) => {
  for (const name of ['v1.', 'v1.apps', 'v2.autoscaling', 'v1.apiextensions.k8s.io'])
    await s.get(`${SERVICES}/${name}`);
  await s.get(`${SERVICES}/v1.apiregistration.k8s.io`);
});

it('each served version of a CRD is registered, until no CRD serves it', async (s) => {
  await given(s, CRDS, crd(PRIVATE, ['v1', 'v1beta1']));
  await registered(s, `v1.${PRIVATE}`);
  await registered(s, `v1beta1.${PRIVATE}`);
  await s.get(`${SERVICES}/v1.${PRIVATE}`);
  await untilListed(s, ['a v1 v1beta1']);
  await s.quiet('PATCH', `${CRDS}/machines.${PRIVATE}`, {
    body: { spec: (crd(PRIVATE, ['v1']) as { spec: object }).spec },
    type: MERGE,
  });
  await untilListed(s, ['a v1']);
  expect(await find(s, `v1beta1.${PRIVATE}`)).toBeUndefined();
  await cleanUp(s, [PRIVATE]);
  expect(await find(s, `v1.${PRIVATE}`)).toBeUndefined();
});

it(
  'an auto-managed APIService is restored when it is changed, and created again when it is deleted',
  async (s) => {
    await given(s, CRDS, crd(PRIVATE));
    const name = `v1beta1.${PRIVATE}`;
    await registered(s, name);
    const before = await find(s, name);
    await s.quiet('PATCH', `${SERVICES}/${name}`, { body: { spec: { groupPriorityMinimum: 5000 } }, type: MERGE });
    await holds(async () => (await find(s, name))?.spec.groupPriorityMinimum === 1000, 'the old priority');
    expect((await find(s, name))?.metadata.uid).toBe(before?.metadata.uid);
    await s.quiet('DELETE', `${SERVICES}/${name}`);
    await holds(async () => ![undefined, before?.metadata.uid].includes((await find(s, name))?.metadata.uid), name);
    await cleanUp(s, [PRIVATE]);
  },
  { recordsNothing: true },
);

it(
  'an APIService that a user created first is left alone, and puts its group first in /apis',
  async (s) => {
    const name = `v1beta1.${STANDARD}`;
    await given(s, SERVICES, apiService(STANDARD, 'v1beta1', [2000, 200]));
    await untilListed(s, ['b v1beta1']);
    await given(s, CRDS, crd(PRIVATE));
    await given(s, CRDS, crd(STANDARD));
    await untilListed(s, ['b v1beta1', 'a v1beta1']);
    await holds(async () => (await aggregated(s)).length === 2, 'aggregated discovery');
    expect((await find(s, name))?.metadata.labels?.[AUTOMANAGED]).toBeUndefined();
    expect((await find(s, name))?.spec).toMatchObject({ groupPriorityMinimum: 2000, versionPriority: 200 });
    // Aggregated discovery goes by the priorities that the server gives to CRDs, whatever is registered.
    expect(await aggregated(s)).toEqual(['a v1beta1', 'b v1beta1']);
    await s.quiet('DELETE', `${SERVICES}/${name}`);
    await holds(async () => (await find(s, name))?.metadata.labels?.[AUTOMANAGED] === 'true', name);
    await untilListed(s, ['a v1beta1', 'b v1beta1']);
    await cleanUp(s, [PRIVATE, STANDARD]);
  },
  { recordsNothing: true },
);

it(
  'the version with the highest priority is the preferred one of its group',
  async (s) => {
    await given(s, SERVICES, apiService(STANDARD, 'v1alpha1', [1000, 200]));
    await given(s, CRDS, crd(STANDARD, ['v1', 'v1alpha1']));
    await untilListed(s, ['b v1alpha1 v1']);
    const { preferredVersion } = (await s.quiet('GET', `/apis/${STANDARD}`)).body as {
      preferredVersion: { version: string };
    };
    expect(preferredVersion.version).toBe('v1alpha1');
    await holds(async () => (await aggregated(s)).join() === 'b v1 v1alpha1', 'aggregated discovery');
    await cleanUp(s, [STANDARD], [`v1alpha1.${STANDARD}`]);
  },
  { recordsNothing: true },
);

it(
  'groups of equal priority are listed by the names of their APIServices, which begin with the version',
  async (s) => {
    await given(s, CRDS, crd(PRIVATE, ['v2']));
    await given(s, CRDS, crd(STANDARD, ['v1']));
    await untilListed(s, ['b v1', 'a v2']);
    await holds(async () => (await aggregated(s)).join() === 'a v2,b v1', 'aggregated discovery');
    await cleanUp(s, [PRIVATE, STANDARD]);
  },
  { recordsNothing: true },
);

it('a local APIService is available at once, whatever its status is set to', async (s) => {
  const name = `v1.${PRIVATE}`;
  await s.post(SERVICES, apiService(PRIVATE, 'v1', [500, 10]));
  const { body } = await s.quiet('GET', `${SERVICES}/${name}`);
  await s.quiet('PUT', `${SERVICES}/${name}/status`, { body: { ...(body as object), status: {} } });
  await holds(
    async () => (await s.quiet('GET', `${SERVICES}/${name}`)).text.includes('Local APIServices are always available'),
    'the condition',
  );
  await s.get(`/apis/${PRIVATE}`);
  await s.get(`/apis/${PRIVATE}/v1`);
  await cleanUp(s, [], [name]);
});
