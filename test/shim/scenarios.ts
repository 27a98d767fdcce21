import { startShim } from '@capstan/conversion-shim';
import type { RunningShim } from '@capstan/conversion-shim';
import { GarbageCollector } from '@capstan/cluster';
import { createCa, silentLogger, systemClock, systemRandom } from '@capstan/kube';
import type { Clock, JsonObject, KubeObject } from '@capstan/meta';
import { ignoreNotFound, isNotFound } from '@capstan/meta';
import { expect } from 'vitest';
import { CONFIG_MAPS } from '../runtime/fixture.js';
import type { Fixture } from '../runtime/fixture.js';
import { boxDefinition, boxesOf, CORE, install, machineDefinition, privateCrdOf, uninstall } from './private-kinds.js';
import type { Boxes } from './private-kinds.js';
import { startProvider } from './provider.js';
import type { Provider } from './provider.js';
import { eventually } from '../src/wait.js';

/** A server with private kinds, the shim that converts them, and the provider that it asks. */
export interface ShimFixture {
  readonly fixture: Fixture;
  readonly boxes: Boxes;
  readonly provider: Provider;
  readonly shim: RunningShim;
  /** Starts the shim again where it was. */
  restart(): Promise<void>;
  end(): Promise<void>;
}

const MACHINES = { group: CORE, plural: 'machines', namespaced: true };
const LIST_SIZE = 500;
const AT_ONCE = 25;
/** The garbage collector waits half a minute for kinds that it cannot read: too long for a test. */
const HURRY = 20;

/** Puts it all together. */
export async function openShimFixture(fixture: Fixture): Promise<ShimFixture> {
  const { transport } = fixture;
  const ca = createCa({ commonName: 'shim' });
  const current = ca.issueServing({ commonName: 'shim', ipAddresses: ['127.0.0.1'] });
  const start = (port: number): Promise<RunningShim> =>
    startShim({ transport, certificate: { current, onChange: () => {} }, port, logger: silentLogger() });
  const provider = await startProvider();
  let shim = await start(0);
  const boxes = boxesOf(fixture);
  const at = { url: shim.url, caPem: ca.certPem };
  const privateCrds = [
    privateCrdOf(boxDefinition(boxes, provider.clientConfig), at),
    privateCrdOf(machineDefinition(), at),
  ];
  for (const privateCrd of privateCrds) await install(fixture, privateCrd);
  return {
    fixture,
    boxes,
    provider,
    get shim() {
      return shim;
    },
    restart: async () => {
      shim = await start(Number(new URL(shim.url).port));
    },
    end: async () => {
      for (const { metadata } of privateCrds) await uninstall(fixture, metadata.name ?? '');
      await shim.stop();
      await provider.down();
    },
  };
}

/** The error of a request that fails. */
async function failureOf(request: Promise<unknown>): Promise<string> {
  return request.then(
    () => 'it succeeded',
    (error: Error) => error.message,
  );
}

/** Core kinds are converted by the shim, references under their private names. */
export async function describeCoreKinds({ boxes, fixture }: ShimFixture): Promise<void> {
  const { client, namespace } = fixture;
  const machine = (version: string, name: string, spec: JsonObject): KubeObject => ({
    apiVersion: `${CORE}/${version}`,
    kind: 'Machine',
    metadata: { name, namespace },
    spec,
  });
  const common = { clusterName: 'c', bootstrap: { dataSecretName: 's' } };
  const infrastructureRef = { apiVersion: `${boxes.group}/v1beta2`, kind: 'Box', name: 'b', namespace };
  const older = { ...MACHINES, version: 'v1beta1' };
  const newer = { ...MACHINES, version: 'v1beta2' };
  const old = { ...common, infrastructureRef, nodeDrainTimeout: '1m30s' };
  await eventually('machines are served', () =>
    client.create(older, machine('v1beta1', 'm', old)).catch(ignoreNotFound),
  );
  const read = await client.get(newer, 'm', { namespace });
  expect(read['spec']).toEqual({
    ...common,
    infrastructureRef: { apiGroup: boxes.group, kind: 'Box', name: 'b' },
    deletion: { nodeDrainTimeoutSeconds: 90 },
  });
  expect((await client.get(older, 'm', { namespace }))['spec']).toEqual(old);
  // What the older version cannot hold outlives a write in it.
  const more = { spec: { minReadySeconds: 7 } };
  await client.patch(newer, 'm', { type: 'merge', value: more }, { namespace });
  const label = { metadata: { labels: { seen: 'yes' } } };
  await client.patch(older, 'm', { type: 'merge', value: label }, { namespace });
  const after = await client.get(newer, 'm', { namespace });
  expect([after.metadata.labels, (after['spec'] as JsonObject)['minReadySeconds']]).toEqual([{ seen: 'yes' }, 7]);
}

/** Who applied in which version stays known across versions, and keeps what is theirs. */
export async function describeApplying({ boxes, provider, fixture }: ShimFixture): Promise<void> {
  const { client, namespace } = fixture;
  const apply = (version: string, fieldManager: string, spec: JsonObject): Promise<KubeObject> => {
    const patch = { type: 'apply' as const, value: boxes.object(version, 'applied', spec) };
    return client.patch(boxes.resource(version), 'applied', patch, { namespace, fieldManager });
  };
  await apply('v1beta1', 'one', { a: 1, ref: { apiVersion: `${CORE}/v1beta1`, kind: 'Cluster', name: 'c' } });
  await apply('v1beta2', 'two', { b: 2, byGroup: { apiGroup: CORE, kind: 'Cluster', name: 'c' } });
  const managers = ({ metadata }: KubeObject): unknown =>
    metadata.managedFields?.map(({ apiVersion, manager }) => [manager, apiVersion]);
  const expected = [
    ['one', `${boxes.group}/v1beta1`],
    ['two', `${boxes.group}/v1beta2`],
  ];
  for (const version of ['v1beta1', 'v1beta2'])
    expect(managers(await client.get(boxes.resource(version), 'applied', { namespace }))).toEqual(expected);
  await apply('v1beta1', 'one', { ref: { apiVersion: `${CORE}/v1beta1`, kind: 'Cluster', name: 'c' } });
  const { spec } = await client.get(boxes.resource('v1beta2'), 'applied', { namespace });
  expect(spec).toEqual({
    b: 2,
    byGroup: { apiGroup: CORE, kind: 'Cluster', name: 'c' },
    ref: { apiVersion: `${CORE}/v1beta1`, kind: 'Cluster', name: 'c' },
  });
  // The provider never receives a private name.
  expect([...provider.seen].filter((name) => name.includes('hypershift'))).toEqual([]);
  expect(provider.seen).toContain('cluster.x-k8s.io');
}

/** A list comes whole and in order, however many reviews it took. */
export async function describeLists({ boxes, provider, fixture }: ShimFixture): Promise<void> {
  const { client, namespace } = fixture;
  const before = provider.reviews.length;
  const names = Array.from({ length: LIST_SIZE }, (_, index) => `box-${String(index).padStart(3, '0')}`);
  for (let at = 0; at < names.length; at += AT_ONCE) {
    const some = names.slice(at, at + AT_ONCE);
    await Promise.all(
      some.map((name) => client.create(boxes.resource('v1beta1'), boxes.object('v1beta1', name, { of: name }))),
    );
  }
  const { items } = await client.list(boxes.resource('v1beta2'), { namespace });
  const listed = items.filter(({ metadata }) => metadata.name?.startsWith('box-'));
  expect(listed.map(({ metadata, spec }) => [metadata.name, spec])).toEqual(names.map((name) => [name, { of: name }]));
  expect(new Set(listed.map(({ metadata }) => metadata.annotations?.['was.example.com/in']))).toEqual(
    new Set([`${boxes.standardGroup}/v1beta1`]),
  );
  // Some servers convert a list at once, others object by object as they learn of them.
  const converted = provider.reviews.slice(before).reduce((sum, count) => sum + count, 0);
  expect(converted).toBeGreaterThanOrEqual(LIST_SIZE);
  await client.deleteCollection(boxes.resource('v1beta1'), { namespace });
}

/** A failure of the provider is returned to the client, in its words. */
export async function describeFailures({ boxes, provider, fixture }: ShimFixture): Promise<void> {
  const { client, namespace } = fixture;
  await client.create(boxes.resource('v1beta1'), boxes.object('v1beta1', 'bad', { refuse: true }));
  expect(await failureOf(client.get(boxes.resource('v1beta2'), 'bad', { namespace }))).toBe(
    `conversion webhook for ${boxes.group}/v1beta1, Kind=Box failed: Box of ${boxes.group}/v1beta1 could not be converted to ${boxes.group}/v1beta2 by ${provider.clientConfig.url}: the provider refuses bad`,
  );
  await client.delete(boxes.resource('v1beta1'), 'bad', { namespace });
}

/** While the provider is away the server gets a retriable error, and retries. */
export async function describeAbsentProvider({ boxes, provider, shim, fixture }: ShimFixture): Promise<void> {
  const { client, namespace } = fixture;
  await client.create(boxes.resource('v1beta1'), boxes.object('v1beta1', 'waiting'));
  await provider.down();
  const unavailable = (): number => shim.metrics.errors.value(['upstream-webhook-unavailable']);
  const before = unavailable();
  const reading = client.get(boxes.resource('v1beta2'), 'waiting', { namespace });
  reading.catch(() => {});
  await eventually('the shim reported that there is no converter', async () =>
    unavailable() > before ? true : undefined,
  );
  await provider.up();
  expect((await reading).apiVersion).toBe(`${boxes.group}/v1beta2`);
  await client.delete(boxes.resource('v1beta1'), 'waiting', { namespace });
}

/** Time that passes faster, for those who wait long. */
function hurried(): Clock {
  const clock = systemClock();
  return {
    now: () => clock.now(),
    monotonic: () => clock.monotonic() * HURRY,
    after: (delayMs, callback) => clock.after(delayMs / HURRY, callback),
  };
}

/** Without the shim private kinds cannot be read in another version, everything else goes on, and it comes back. */
export async function describeAbsentShim(shimFixture: ShimFixture): Promise<void> {
  const { boxes, shim, fixture } = shimFixture;
  const { client, namespace } = fixture;
  await client.create(boxes.resource('v1beta1'), boxes.object('v1beta1', 'kept'));
  await shim.stop();
  const failure = await failureOf(client.get(boxes.resource('v1beta2'), 'kept', { namespace }));
  expect(failure).toContain(
    `conversion webhook for ${boxes.group}/v1beta1, Kind=Box failed: Post "${shim.url}/convert`,
  );
  expect(failure).toContain('connect: connection refused');
  // The version it is stored in needs no conversion.
  expect((await client.get(boxes.resource('v1beta1'), 'kept', { namespace })).metadata.name).toBe('kept');
  await describeGarbage(fixture);
  await shimFixture.restart();
  await eventually('boxes are converted again', async () =>
    (await failureOf(client.get(boxes.resource('v1beta2'), 'kept', { namespace }))) === 'it succeeded'
      ? true
      : undefined,
  );
  await client.delete(boxes.resource('v1beta1'), 'kept', { namespace });
}

/** A collector that begins now, and finds kinds that it cannot read, collects the others. */
async function describeGarbage(fixture: Fixture): Promise<void> {
  const { client, namespace } = fixture;
  const ending = new AbortController();
  const collector = new GarbageCollector({ client, clock: hurried(), random: systemRandom(), logger: silentLogger() });
  const started = collector.start(ending.signal);
  try {
    const owner = await client.create(CONFIG_MAPS, fixture.configMap({ name: 'owner' }));
    const { uid = '' } = owner.metadata;
    const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid }];
    await client.create(CONFIG_MAPS, fixture.configMap({ name: 'owned', ownerReferences }));
    await client.delete(CONFIG_MAPS, 'owner', { namespace, propagationPolicy: 'Background' });
    await eventually('what lost its owner is collected', async () =>
      client.get(CONFIG_MAPS, 'owned', { namespace }).then(
        () => undefined,
        (error: unknown) => {
          if (isNotFound(error)) return true;
          throw error;
        },
      ),
    );
  } finally {
    ending.abort();
    await started;
    await collector.stopped();
  }
}
