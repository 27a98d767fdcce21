import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { backends, type Backend } from '../src/conformance/backend.js';
import { CRDS, eventually } from '../src/conformance/crds.js';
import { MERGE, type Session } from '../src/conformance/session.js';
import { openSession } from '../src/conformance/suite.js';

/*
 * The CustomResourceDefinitions we hand out, each in a group of the test's own, so that it meets neither another
 * variant of itself nor the definitions of its authors.
 */

const FOLDER = fileURLToPath(new URL('../../api/crds', import.meta.url));

const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => file.endsWith('.yaml'))
  .toSorted();

/** A server that is too old for a function of CEL refuses every rule that calls it. */
const MISSING: Readonly<Record<string, RegExp>> = { 'real-1.30': /\b(?:format\.\w+|isIP|isCIDR)\(/ };

/** The text of a definition with another group. */
function inGroup(file: string, group: string): string {
  const theirs = file.slice(0, file.indexOf('/')).replaceAll('.', '\\.');
  const named = new RegExp(`^( +group: |  name: \\w+\\.)${theirs}$`, 'gm');
  return readFileSync(`${FOLDER}/${file}`, 'utf8').replaceAll(named, `$1${group}`);
}

/** Creates a definition in a group of its own and waits until it is served. */
async function install(s: Session, file: string, group: string): Promise<void> {
  const created = await s.quiet('POST', CRDS, { raw: inGroup(file, group), type: 'application/yaml' });
  expect([created.status, created.status === 201 ? '' : created.text]).toEqual([201, '']);
  const name = created.object().metadata.name ?? '';
  expect(name.endsWith(`.${group}`)).toBe(true);
  await eventually(async () => {
    const { conditions } = ((await s.quiet('GET', `${CRDS}/${name}`)).object()['status'] ?? {}) as {
      conditions?: { type: string; status: string }[] | null;
    };
    return (conditions ?? []).some(({ type, status }) => type === 'Established' && status === 'True');
  }, `${name} being established`);
}

/** Removes every definition of the test. */
async function removeAll(s: Session): Promise<void> {
  const { items } = (await s.quiet('GET', CRDS)).body as { items: { metadata: { name: string } }[] };
  const ours = items.filter(({ metadata }) => metadata.name.endsWith(`.${s.ns}.example.com`));
  await Promise.all(ours.map(({ metadata }) => s.quiet('DELETE', `${CRDS}/${metadata.name}`)));
}

/** Creates an object once the server has opened its storage. */
async function create(s: Session, target: string, body: object): Promise<Record<string, unknown>> {
  await eventually(async () => ![404, 429].includes((await s.quiet('GET', target)).status), `${target} being served`);
  const created = await s.quiet('POST', target, { body });
  expect([created.status, created.status === 201 ? '' : created.text]).toEqual([201, '']);
  return created.object();
}

function machine(group: string): object {
  return {
    apiVersion: `${group}/v1beta1`,
    kind: 'Machine',
    metadata: { name: 'm' },
    spec: { authoritativeAPI: 'ClusterAPI' },
  };
}

describe.each(backends().map((backend) => [backend.name, backend] as const))('on %s', (_, backend: Backend) => {
  let s: Session;

  beforeAll(async () => {
    s = await openSession(backend);
  });

  afterAll(async () => {
    await removeAll(s);
    await s.quiet('DELETE', '/api/v1/namespaces/{ns}');
    s.close();
  });

  test.each(files.map((file, at) => [file, at] as const))(
    'the definition %s is taken by a server that knows its functions',
    async (file, at) => {
      const group = `taken-${at}.${s.ns}.example.com`;
      if (MISSING[backend.name]?.test(inGroup(file, group)) === true) {
        const refused = await s.quiet('POST', CRDS, { raw: inGroup(file, group), type: 'application/yaml' });
        expect(refused.status).toBe(422);
        expect(refused.text).toMatch(/undeclared reference to '(?:format|isIP|isCIDR)'/);
      } else await install(s, file, group);
    },
  );

  test('a gate brings its fields and their rules', async () => {
    const group = `on.${s.ns}.example.com`;
    await install(s, 'machine.openshift.io/machines-machine-api-migration.yaml', group);
    const objects = `/apis/${group}/v1beta1/namespaces/{ns}/machines`;
    const created = await create(s, objects, { ...machine(group), spec: {} });
    expect(created['spec']).toMatchObject({ authoritativeAPI: 'MachineAPI' });
    const write = (status: object) => s.quiet('PATCH', `${objects}/m/status`, { body: { status }, type: MERGE });
    expect((await write({ authoritativeAPI: 'MachineAPI', synchronizedGeneration: 2 })).status).toBe(200);
    const refused = await write({ authoritativeAPI: 'ClusterAPI' });
    expect(refused.status).toBe(422);
    expect(refused.text).toContain('The authoritativeAPI field must not transition directly');
  });

  test('without the gate its fields are unknown', async () => {
    const group = `off.${s.ns}.example.com`;
    await install(s, 'machine.openshift.io/machines.yaml', group);
    const created = await create(s, `/apis/${group}/v1beta1/namespaces/{ns}/machines`, machine(group));
    expect(created['spec']).not.toHaveProperty('authoritativeAPI');
  });
});
