import { existsSync } from 'node:fs';
import type { Side } from '@capstan/convert';
import { fieldsOfSchema } from '@capstan/convert';
import { clusterApiConversions, clusterApiFields } from '@capstan/convert/cluster-api';
import { parseJson } from '@capstan/meta';
import type { KubeObject, Transport } from '@capstan/meta';
import { clusterApiDefinitions, originalConvertersPath, propertySeed, suiteScope } from '@capstan/tools';
import { beforeAll, describe, expect, it } from 'vitest';
import { embeddedServer } from '../src/conformance/backend.js';
import { differences } from './upstream-converters.js';
import { VERSION } from './random-questions.js';

/*
 * Our converters and those of Cluster API, which `npm run test:real` has compiled, on the same objects. The seed is printed;
 * CAPSTAN_SEED repeats a run, CAPSTAN_RANDOM_OBJECTS sets how many objects of each kind and version there are.
 */

/** A brief run takes a slice of them. */
const OBJECTS_PER_KIND = Number(process.env['CAPSTAN_RANDOM_OBJECTS'] ?? (suiteScope() === 'full' ? 500 : 100));
const SEED = propertySeed();
const DOWNLOAD_LIMIT_MS = 5 * 60_000;
const COMPARE_LIMIT_MS = 10 * 60_000;

const program = originalConvertersPath();
const hasOriginal = existsSync(program);
if (!hasOriginal) console.log('our conversions are not compared with those of Cluster API, which are not built');

interface Definition extends KubeObject {
  readonly spec: {
    readonly names: { readonly kind: string };
    readonly versions: readonly { readonly name: string; readonly schema: { readonly openAPIV3Schema: unknown } }[];
  };
}

/** The fields of the published schema of each kind and version. */
async function publishedFields(): Promise<ReadonlyMap<string, readonly string[]>> {
  const server = embeddedServer();
  const found = new Map<string, readonly string[]>();
  for (const text of await clusterApiDefinitions()) {
    const { spec } = await readDefinition(server, text);
    for (const { name, schema } of spec.versions) {
      found.set(`${spec.names.kind} ${name}`, fieldsOfSchema(schema.openAPIV3Schema));
    }
  }
  return found;
}

/** The server is what reads YAML here. */
async function readDefinition(server: Transport, text: string): Promise<Definition> {
  const { body } = await server.send({
    method: 'POST',
    target: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions?dryRun=All',
    headers: { accept: 'application/json', 'content-type': 'application/yaml' },
    body: { type: 'bytes', bytes: new TextEncoder().encode(text) },
  });
  if (body.type !== 'payload') throw new Error(`the server answered a CRD with a ${body.type} instead of an object`);
  return parseJson(Buffer.concat(body.chunks())).value as Definition;
}

describe.skipIf(!hasOriginal)('the conversions of Cluster API', () => {
  let published: ReadonlyMap<string, readonly string[]> = new Map();
  beforeAll(async () => {
    console.log(`seed ${SEED}`);
    published = await publishedFields();
  }, DOWNLOAD_LIMIT_MS);

  describe.each(clusterApiConversions.map(({ kind }) => kind))('of %s', (kind) => {
    it.each<Side>(['left', 'right'])('know every field of the published schema, %s', (side) => {
      const ours = new Set(clusterApiFields(kind)[side]);
      const theirs = published.get(`${kind} ${VERSION[side]}`) ?? [];
      expect(theirs.length).toBeGreaterThan(5);
      expect(theirs.filter((field) => !ours.has(field))).toEqual([]);
    });

    it(
      `convert ${OBJECTS_PER_KIND} random objects of each kind as upstream does`,
      { timeout: COMPARE_LIMIT_MS },
      async () => {
        const { accepted, compared, found } = await differences(program, kind, { count: OBJECTS_PER_KIND, seed: SEED });
        expect(accepted).toBeGreaterThan(compared / 2);
        if (found.length > 0) {
          expect.fail(`seed ${SEED}: ${found.length} of ${compared} differ\n${found.slice(0, 10).join('\n')}`);
        }
      },
    );
  });
});
