import { spawnSync } from 'node:child_process';
import { machine, machineHealthCheck, machineSet } from '@capstan/api/cluster-api';
import { crd } from '@capstan/api/model';
import type { Kind } from '@capstan/api/model';
import { conversionPlatforms } from '@capstan/cli/platforms';
import { MachineConverter, healthCheckToClusterApi } from '@capstan/convert/machine-api';
import type { MachinePlatform } from '@capstan/convert/machine-api';
import { HttpTransport, fixedCredentials } from '@capstan/kube';
import { parseJson } from '@capstan/meta';
import type { JsonObject } from '@capstan/meta';
import { ConversionTrial } from '@capstan/provider/testing';
import type { ConversionExamples } from '@capstan/provider/testing';
import { originalDefinitions, propertySeed } from '@capstan/tools';
import type { OriginalDefinitions } from '@capstan/tools';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { Chance } from './random-objects.js';

/*
 * What machines of Machine API become is taken by the CRDs that the authors of Cluster API and of its providers
 * publish, on a real server. The seed is printed; CAPSTAN_SEED repeats a run.
 */

const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const OBJECTS = Number(process.env['CAPSTAN_RANDOM_OBJECTS'] ?? 60);
const SEED = propertySeed();
const AT_ONCE = 16;
/** Installing large CRDs takes a real server seconds each when the machine is busy. */
const BUSY_LIMIT_MS = 300_000;
const NUMBERS = 600;
/** A machine with its infrastructure, and a set with its template. */
const OBJECTS_OF_ONE = 4;
/** How many specs are made at most for each that converts. */
const ATTEMPTS = 10;

const hasGo = spawnSync('go', ['version']).status === 0;
const platforms = [...(await conversionPlatforms())].filter((each): each is MachinePlatform => !('refused' in each));
const kinds: readonly Kind[] = [
  machine,
  machineSet,
  machineHealthCheck,
  ...platforms.flatMap((platform) => [platform.machine.kind, platform.template.kind]),
];
const nameOf = ({ group, plural }: Kind): string => `${plural}.${group}`;

interface PlatformTesting {
  readonly conversionExamples: ConversionExamples;
  /** Machines as installers make them; left is Machine API. */
  readonly conversionMachines?: Readonly<Record<string, { readonly left: JsonObject }>>;
}

/** By name, so that nothing here is in the way of a platform that is taken out. */
async function testingOf({ type }: MachinePlatform): Promise<PlatformTesting> {
  const name = `@capstan/provider-${type.toLowerCase()}/testing`;
  const testing = (await import(/* @vite-ignore */ name)) as PlatformTesting;
  expect(Object.keys(testing)).toContain('conversionExamples');
  return testing;
}

const labels = {
  'machine.openshift.io/cluster-api-machine-role': 'worker',
  'machine.openshift.io/cluster-api-machine-type': 'worker',
};
const apiVersion = 'machine.openshift.io/v1beta1';
const metadata = (name: string): JsonObject => ({ name, namespace: 'openshift-machine-api', labels });

function machineOf(name: string, spec: JsonObject): JsonObject {
  return { apiVersion, kind: 'Machine', metadata: metadata(name), spec };
}

function setOf(name: string, { providerSpec }: JsonObject): JsonObject {
  const template = { metadata: { labels }, spec: { providerSpec } };
  const spec = { replicas: 2, selector: { matchLabels: labels }, template };
  return { apiVersion, kind: 'MachineSet', metadata: metadata(name), spec };
}

/** The specs of machines of a platform: those of installers, and then random ones. */
function* specsOf(platform: MachinePlatform, testing: PlatformTesting): Generator<JsonObject> {
  for (const { left } of Object.values(testing.conversionMachines ?? {})) yield left['spec'] as JsonObject;
  const trial = new ConversionTrial(platform, testing.conversionExamples, 'left');
  const chance = new Chance(SEED);
  for (;;) {
    const numbers = Array.from({ length: NUMBERS }, () => Math.floor(chance.next() * 0x10000));
    yield (trial.objectOf(numbers)['spec'] ?? {}) as JsonObject;
  }
}

/** What machines and sets of a platform become, where they can be converted. */
async function convertedOf(platform: MachinePlatform): Promise<JsonObject[]> {
  const testing = await testingOf(platform);
  const converter = new MachineConverter(platform);
  const objects: JsonObject[] = [];
  let tried = 0;
  for (const spec of specsOf(platform, testing)) {
    tried += 1;
    for (const object of [machineOf(`machine-${tried}`, spec), setOf(`set-${tried}`, spec)])
      objects.push(...converter.toClusterApi(object, testing.conversionExamples.context).objects);
    if (objects.length >= OBJECTS * OBJECTS_OF_ONE || tried >= OBJECTS * ATTEMPTS) break;
  }
  return objects;
}

describe.skipIf(!hasGo)('what machines of Machine API become', () => {
  const { url, ca, token } = inject('realKube');
  const credentials = fixedCredentials({ headers: { authorization: `Bearer ${token}` } });
  const real = new HttpTransport({ server: url, trust: { caPem: ca }, credentials, namespace: 'default' });
  const installed: string[] = [];
  let originals: OriginalDefinitions = { found: new Map(), missing: new Map() };

  async function send(
    method: string,
    target: string,
    body?: string | object,
  ): Promise<{ status: number; body: unknown }> {
    const isYaml = typeof body === 'string';
    const bytes = body === undefined ? undefined : new TextEncoder().encode(isYaml ? body : JSON.stringify(body));
    const headers = { accept: 'application/json', 'content-type': isYaml ? 'application/yaml' : 'application/json' };
    const response = await real.send({ method, target, headers, body: bytes && { type: 'bytes', bytes } });
    if (response.body.type !== 'payload') throw new Error(`${target} is a watch`);
    const text = Buffer.concat(response.body.chunks());
    return { status: response.status, body: text.length === 0 ? undefined : parseJson(text).value };
  }

  /** Where objects of a kind in a version are created, without being kept. */
  function collectionOf(object: JsonObject): string {
    const [group = '', version = ''] = String(object['apiVersion']).split('/');
    const kind = kinds.find((each) => each.group === group && each.kind === object['kind']);
    if (kind === undefined) throw new Error(`${String(object['kind'])} is not defined`);
    return `/apis/${group}/${version}/namespaces/default/${kind.plural}?dryRun=All&fieldValidation=Strict`;
  }

  /** What the server has against objects. */
  async function complaintsOf(objects: readonly JsonObject[]): Promise<string[]> {
    const found: string[] = [];
    for (let at = 0; at < objects.length; at += AT_ONCE) {
      const batch = objects.slice(at, at + AT_ONCE).map((object) => ({
        ...object,
        metadata: { ...(object['metadata'] as JsonObject), namespace: 'default' },
      }));
      const answers = await Promise.all(batch.map((object) => send('POST', collectionOf(object), object)));
      for (const [index, { status, body }] of answers.entries())
        if (status !== 201)
          found.push(`${(body as { message: string }).message}\n  for ${JSON.stringify(batch[index]).slice(0, 600)}`);
    }
    return found;
  }

  afterAll(async () => {
    for (const name of installed) await send('DELETE', `${CRDS}/${name}`);
    await real.close();
  }, BUSY_LIMIT_MS);

  it('is defined', { timeout: BUSY_LIMIT_MS }, async () => {
    originals = await originalDefinitions();
    for (const kind of kinds) {
      const { spec, ...rest } = crd(kind);
      // Of ours no other version is asked for than the one that is converted to: nothing has to be converted.
      const ours = { ...rest, spec: { ...spec, conversion: { strategy: 'None' } } };
      const answer = await send('POST', CRDS, originals.found.get(nameOf(kind))?.text ?? ours);
      expect({ name: nameOf(kind), ...answer }).toMatchObject({ name: nameOf(kind), status: 201 });
      installed.push(nameOf(kind));
    }
    for (const platform of platforms.flatMap((each) => [each.machine, each.template])) {
      const { group, plural } = platform.kind;
      const target = `/apis/${group}/${platform.version}/namespaces/default/${plural}`;
      await expect.poll(async () => (await send('GET', target)).status, { timeout: 60_000 }).toBe(200);
    }
  });

  it.for(kinds.map(nameOf))('is held to the CRD of its authors: %s', (name, { skip }) => {
    if (!originals.found.has(name)) skip([...originals.missing].map((each) => each.join(': ')).join('\n'));
    expect(installed).toContain(name);
  });

  it.each(platforms.map((platform) => [platform.type, platform] as const))(
    'is taken by the server, on %s',
    async (_type, platform) => {
      const objects = await convertedOf(platform);
      expect(objects.length).toBeGreaterThanOrEqual(OBJECTS);
      const found = await complaintsOf(objects);
      if (found.length > 0)
        expect.fail(`seed ${SEED}: ${found.length} of ${objects.length} refused\n${found.slice(0, 10).join('\n')}`);
    },
    BUSY_LIMIT_MS,
  );

  it('is taken by the server, of health checks', async () => {
    const [platform] = platforms;
    if (platform === undefined) throw new Error('no platform converts machines');
    const { context } = (await testingOf(platform)).conversionExamples;
    const checks = ['40%', 2, '100%'].map((maxUnhealthy, at) => ({
      apiVersion,
      kind: 'MachineHealthCheck',
      metadata: metadata(`check-${at}`),
      spec: {
        selector: { matchLabels: labels },
        maxUnhealthy,
        nodeStartupTimeout: at === 0 ? '0' : '10m',
        unhealthyConditions: [{ type: 'Ready', status: 'Unknown', timeout: '300s' }],
      },
    }));
    const converted = checks.map((check) => healthCheckToClusterApi(check as unknown as JsonObject, context));
    expect(converted.flatMap(({ errors }) => errors)).toEqual([]);
    expect(await complaintsOf(converted.flatMap(({ objects }) => objects))).toEqual([]);
  });
});
