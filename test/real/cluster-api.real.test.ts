import { clusterApiDefinitions, propertySeed, suiteScope } from '@capstan/tools';
import { spawnSync } from 'node:child_process';
import { HttpTransport, fixedCredentials } from '@capstan/kube';
import { parseJson } from '@capstan/meta';
import type { KubeObject, Transport } from '@capstan/meta';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { describeClusterApi } from '../convert/scenarios.js';
import { Fixture } from '../runtime/fixture.js';
import { embeddedServer } from '../src/conformance/backend.js';
import { untilStatus } from '../src/wait.js';
import { Chance, ObjectMaker, type Schema } from './random-objects.js';

/*
 * The CRDs of a large operator, as they are published: both servers take them all, and say the same about
 * random objects of every kind. The seed is printed; CAPSTAN_SEED repeats a run.
 */

const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
/** Others in every run, so brief ones come round, too. */
const OBJECTS_PER_KIND = Number(process.env['CAPSTAN_RANDOM_OBJECTS'] ?? (suiteScope() === 'full' ? 500 : 40));
const SEED = propertySeed();
const AT_ONCE = 16;
/** Installing large CRDs takes a real server seconds each when the machine is busy. */
const BUSY_LIMIT_MS = 300_000;

const hasGo = spawnSync('go', ['version']).status === 0;

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

interface Definition {
  readonly name: string;
  readonly group: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
  readonly version: string;
  readonly schema: Schema;
}

async function send(transport: Transport, method: string, target: string, body?: string | object): Promise<Answer> {
  const isYaml = typeof body === 'string';
  const bytes = body === undefined ? undefined : new TextEncoder().encode(isYaml ? body : JSON.stringify(body));
  const headers = { accept: 'application/json', 'content-type': isYaml ? 'application/yaml' : 'application/json' };
  const response = await transport.send({ method, target, headers, body: bytes && { type: 'bytes', bytes } });
  const text = response.body.type === 'payload' ? Buffer.concat(response.body.chunks()) : new Uint8Array();
  if (response.body.type === 'watch') throw new Error(`${target} is a watch`);
  const isJson = String(response.headers['content-type']).includes('json') && text.length > 0;
  return { status: response.status, body: isJson ? parseJson(text).value : new TextDecoder().decode(text) };
}

function read(object: KubeObject): Definition {
  const { group, names, scope, versions } = object['spec'] as {
    group: string;
    names: { kind: string; plural: string };
    scope: string;
    versions: { name: string; storage: boolean; schema: { openAPIV3Schema: Schema } }[];
  };
  const stored = versions.find(({ storage }) => storage);
  if (stored === undefined) throw new Error(`${object.metadata.name}: no version is stored`);
  const { kind, plural } = names;
  return {
    name: object.metadata.name ?? '',
    group,
    kind,
    plural,
    namespaced: scope === 'Namespaced',
    version: stored.name,
    schema: stored.schema.openAPIV3Schema,
  };
}

/** Older releases use other words, so of them only the outcome counts. */
const SAME_WORDS_SINCE = 36;

/** The verdict of a server on an object: accepted, or why not. The real one goes through fields in no order. */
function verdict({ status, body }: Answer, hasWords: boolean): string {
  if (status < 300 || !hasWords) return String(status);
  const { message, details } = body as { message: string; details?: { causes?: { field: string; message: string }[] } };
  const causes = details?.causes?.map(({ field, message: text }) => `${field}: ${text}`).sort();
  return `${status} ${causes === undefined ? message : [...new Set(causes)].join('\n')}`;
}

function objects(definition: Definition): object[] {
  const chance = new Chance(SEED);
  const { spec = { type: 'object' } } = definition.schema.properties ?? {};
  return Array.from({ length: OBJECTS_PER_KIND }, (_, at) => {
    const maker = new ObjectMaker(chance, { optional: at % 3 === 0 ? 0.1 : 0.35, odd: at % 2 === 0 ? 0 : 0.03 });
    return {
      apiVersion: `${definition.group}/${definition.version}`,
      kind: definition.kind,
      metadata: { name: `x${at}` },
      spec: maker.value(spec),
    };
  });
}

function collection({ group, version, plural, namespaced }: Definition): string {
  return `/apis/${group}/${version}/${namespaced ? 'namespaces/default/' : ''}${plural}?dryRun=All&fieldValidation=Warn`;
}

describe.skipIf(!hasGo)('the CRDs of Cluster API', () => {
  const { url, ca, token, version } = inject('realKube');
  const hasWords = Number(version.split('.')[1]) >= SAME_WORDS_SINCE;
  const credentials = fixedCredentials({ headers: { authorization: `Bearer ${token}` } });
  const real = new HttpTransport({ server: url, trust: { caPem: ca }, credentials, namespace: 'default' });
  const embedded = embeddedServer();
  const definitions: Definition[] = [];

  afterAll(async () => {
    for (const { name } of definitions) await send(real, 'DELETE', `${CRDS}/${name}`);
    await real.close();
  }, BUSY_LIMIT_MS);

  it('are all let in, by both', { timeout: BUSY_LIMIT_MS }, async () => {
    const texts = await clusterApiDefinitions();
    expect(texts.length).toBeGreaterThanOrEqual(15);
    for (const text of texts) {
      const ours = await send(embedded, 'POST', CRDS, text);
      expect(ours).toMatchObject({ status: 201 });
      definitions.push(read(ours.body as KubeObject));
      expect(await send(real, 'POST', CRDS, text)).toMatchObject({ status: 201 });
    }
    // The real one serves a CRD a moment after it is accepted.
    for (const definition of definitions)
      await untilStatus(200, () =>
        send(real, 'GET', collection(definition).replace(/\?.*$/u, '')).then(({ status }) => ({ status })),
      );
  });

  it(`say the same of ${OBJECTS_PER_KIND} random objects of every kind`, { timeout: 600_000 }, async () => {
    console.log(`seed ${SEED}`);
    const found: string[] = [];
    let accepted = 0;
    for (const definition of definitions) {
      const target = collection(definition);
      const all = objects(definition);
      for (let at = 0; at < all.length; at += AT_ONCE) {
        const batch = all.slice(at, at + AT_ONCE);
        const theirs = await Promise.all(batch.map((object) => send(real, 'POST', target, object)));
        for (const [index, object] of batch.entries()) {
          const wanted = verdict(theirs[index] as Answer, hasWords);
          const ours = verdict(await send(embedded, 'POST', target, object), hasWords);
          if (wanted.startsWith('201')) accepted += 1;
          if (ours !== wanted)
            found.push(
              `${definition.kind} ${JSON.stringify(object).slice(0, 600)}\n  real: ${wanted.slice(0, 800)}\n  ours: ${ours.slice(0, 800)}`,
            );
        }
      }
    }
    console.log(`${accepted} accepted of ${definitions.length * OBJECTS_PER_KIND}`);
    expect(accepted).toBeGreaterThan(0);
    if (found.length > 0) expect.fail(`seed ${SEED}: ${found.length} differ\n${found.slice(0, 10).join('\n')}`);
  });

  it(
    'are stored in v1beta2 and served in v1beta1 through our converter, by both',
    { timeout: BUSY_LIMIT_MS },
    async () => {
      for (const transport of [embedded, real]) {
        const fixture = await Fixture.create(transport);
        try {
          await describeClusterApi(fixture);
        } finally {
          await fixture.end();
        }
      }
    },
  );
});
