import { randomBytes } from 'node:crypto';
import { prepareRequirement, type Finding, type Witness } from '@capstan/crd-compat';
import { acceptanceRows, type Row } from '@capstan/crd-compat/testing';
import type { JsonObject, Transport } from '@capstan/meta';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WitnessServer, type Definition, type Observed } from './witness-server.js';

const LIMIT_MS = 240_000;
const AT_ONCE = 6;
/** As many as any row has witnesses. */
const NAMESPACES = 4;

/** A change, which a server gets in a group of its own. */
interface Scenario {
  readonly row: Row;
  readonly required: Definition;
  readonly live: Definition;
  readonly proved: readonly { readonly finding: Finding; readonly witness: Witness }[];
}

/** The server under test. */
interface ServerUnderTest {
  readonly minor: number;
  /** Rules whose witnesses are known to come out otherwise there. */
  readonly otherwise?: readonly string[];
}

/** Sends the witnesses of every change of the acceptance table to a server that has the one CRD and then the other. */
export function describeWitnesses(
  name: string,
  { minor, otherwise = [] }: ServerUnderTest,
  connect: () => Promise<Transport>,
): void {
  const run = randomBytes(4).toString('hex');
  const namespaces = Array.from({ length: NAMESPACES }, (_, at) => `witness-${run}-${at}`);
  const scenarios = acceptanceRows
    .filter(({ found }) => !found.some((line) => otherwise.includes(ruleOf(line))))
    .flatMap((row, at) => scenarioOf(row, minor, `r${at}-${run}.example.com`, namespaces));
  describe(`witnesses sent to ${name}`, () => {
    let opened: WitnessServer | undefined;
    beforeAll(async () => {
      opened = await WitnessServer.open(await connect());
      for (const each of namespaces) await opened.namespace(each);
    }, LIMIT_MS);
    afterAll(async () => {
      for (const each of namespaces) await opened?.removeNamespace(each);
      await opened?.close();
    }, LIMIT_MS);

    it(
      `come out as predicted for all ${scenarios.length} changes that break a requirement`,
      async () => {
        const server = opened;
        if (server === undefined) throw new TypeError('the server did not start');
        const waiting = [...scenarios];
        const failures: string[] = [];
        const work = async (): Promise<void> => {
          for (let scenario = waiting.shift(); scenario !== undefined; scenario = waiting.shift()) {
            const { change, row } = scenario.row;
            await runScenario(server, scenario).catch((error: unknown) => {
              failures.push(`${row}: ${change}: ${error instanceof Error ? error.message : String(error)}`);
            });
          }
        };
        await Promise.all(Array.from({ length: AT_ONCE }, work));
        expect(failures).toEqual([]);
        expect(scenarios.length).toBeGreaterThan(75);
      },
      LIMIT_MS,
    );

    it('show every rule that is an error', () => {
      const shown = new Set(scenarios.flatMap(({ proved }) => proved.map(({ finding }) => finding.rule)));
      const errors = new Set(
        acceptanceRows.flatMap(({ found }) => found.filter((line) => line.startsWith('error')).map(ruleOf)),
      );
      expect([...errors].filter((rule) => !shown.has(rule)).toSorted()).toEqual([...unshown(minor), ...otherwise]);
    });
  });
}

function ruleOf(line: string): string {
  return line.split(' ')[1] ?? '';
}

/** Rules whose errors in the table have no proof, or that the server is too old for. */
function unshown(minor: number): readonly string[] {
  return minor >= 32 ? [] : ['selectable-field-removed'];
}

function scenarioOf(row: Row, minor: number, group: string, namespaces: readonly string[]): readonly Scenario[] {
  const required = installable(row.required, group);
  const live = installable(row.live, group);
  // What was not known to it a server drops from a CRD.
  const isKnown = minor >= 32 || !JSON.stringify(row.required).includes('selectableFields');
  if (!isKnown) return [];
  const prepared = prepareRequirement(required, { versions: ['v1'], ...row.options, server: { minor } });
  if ('errors' in prepared) throw new TypeError(JSON.stringify(prepared.errors));
  const proved = prepared.ok
    .check(live, row.stored === true ? { stored: live } : {})
    .findings.flatMap((finding) => (typeof finding.proof === 'object' ? [{ finding, witness: finding.proof }] : []))
    .map(({ finding, witness }, at) => ({ finding, witness: moved(witness, namespaces[at] ?? '') }));
  return proved.length === 0 ? [] : [{ row, required, live, proved }];
}

/** A CRD of the table in a group of its own, with what a server wants of it besides. */
function installable(crd: object, group: string): Definition {
  const { metadata, spec, status } = JSON.parse(JSON.stringify(crd).replaceAll('example.com', group)) as Definition;
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { ...metadata, name: `${spec.names.plural}.${spec.group}` },
    spec,
    ...(status !== undefined && { status }),
  };
}

/** Each witness of a row has a namespace of its own: their objects have the same names. */
function moved(witness: Witness, namespace: string): Witness {
  const text = JSON.stringify(witness)
    .replaceAll('"namespace":"default"', `"namespace":"${namespace}"`)
    .replaceAll('/namespaces/default/', `/namespaces/${namespace}/`);
  return JSON.parse(text) as Witness;
}

async function runScenario(server: WitnessServer, scenario: Scenario): Promise<void> {
  const { live, proved, required } = scenario;
  const rules = new Set(proved.map(({ finding }) => finding.rule));
  await server.install(required);
  const before = new Map<Witness, Observed>();
  for (const { witness } of proved) {
    await server.store(witness);
    before.set(witness, await server.observe(witness));
    await server.clear(witness);
  }
  const scene = await (rules.has('stored-version-dropped') ? dropStored : switchTo)(server, scenario);
  for (const { finding, witness } of proved) {
    const observed = before.get(witness);
    expect([finding.rule, observed?.answer.body['message'] ?? 'taken']).toEqual([finding.rule, 'taken']);
    compare(finding, witness, observed?.seen ?? {}, await server.observe(witness));
  }
  await scene.undo?.();
  const left = [required, live, ...(scene.others ?? [])].map((each): [string, Definition] => [
    each.metadata.name,
    each,
  ]);
  for (const definition of new Map(left).values()) await server.remove(definition);
}

/** What it took to bring the live CRD about. */
interface Scene {
  readonly others?: readonly Definition[];
  /** What must be done before anything can be removed. */
  readonly undo?: () => Promise<void>;
}

/** The live CRD in the place of the required one, whose objects stay. */
async function switchTo(server: WitnessServer, { live, proved, required }: Scenario): Promise<Scene> {
  if (!proved.some(({ finding }) => finding.rule === 'names-not-accepted')) {
    for (const { witness } of proved) await server.store(witness);
    await server.replace(required, live);
    return {};
  }
  const names = { ...required.spec.names, plural: 'others', singular: 'other', listKind: 'Others' };
  const other = {
    ...required,
    metadata: { name: `others.${required.spec.group}` },
    spec: { ...required.spec, names },
  };
  await server.remove(required);
  await server.install(other);
  await server.installInVain(live);
  return { others: [other] };
}

/** An object is stored in a version that the CRD then loses. */
async function dropStored(server: WitnessServer, { live, proved, required }: Scenario): Promise<Scene> {
  const { storedVersions = [] } = live['status'] as { readonly storedVersions?: readonly string[] };
  const lost = storedVersions[0] ?? '';
  const [version] = required.spec.versions;
  const versions = required.spec.versions.map((each) => ({ ...each, storage: false }));
  const older = {
    ...required,
    spec: { ...required.spec, versions: [{ ...version, name: lost, storage: true, served: true }, ...versions] },
  } as Definition;
  const both = {
    ...older,
    spec: {
      ...older.spec,
      versions: [{ ...version, name: lost, storage: false, served: true }, ...required.spec.versions],
    },
  } as Definition;
  await server.replace(required, older);
  for (const { witness } of proved) await server.store(witness);
  await server.replace(required, both);
  await server.setStoredVersions(live, [version?.name ?? '']);
  await server.put(required, live);
  await server.setStoredVersions(live, storedVersions);
  // Nothing can be listed there any more, so that the answer itself is waited for.
  for (const { witness } of proved) {
    await expect.poll(async () => (await server.observe(witness)).answer.status, { timeout: 60_000 }).not.toBe(200);
  }
  return { undo: () => server.put(required, both) };
}

function compare(finding: Finding, { outcome }: Witness, wanted: JsonObject, { answer, seen }: Observed): void {
  const { rule } = finding;
  if (outcome.kind === 'rejected') {
    expect([rule, answer.status]).toEqual([rule, outcome.code]);
    expect(refusedFields(answer.body)).toEqual(expect.arrayContaining([...fieldsOf(outcome.message)]));
    return;
  }
  expect([rule, answer.body['message'] ?? 'taken']).toEqual([rule, 'taken']);
  if (outcome.kind === 'changed') {
    expect([rule, valueAt(wanted, outcome.path)]).toEqual([rule, outcome.expected]);
    expect([rule, valueAt(seen, outcome.path)]).toEqual([rule, outcome.got]);
    return;
  }
  for (const path of outcome.paths) {
    expect([rule, path, valueAt(wanted, path)]).not.toEqual([rule, path, undefined]);
    expect([rule, path, valueAt(seen, path)]).toEqual([rule, path, undefined]);
  }
}

/** The fields that a refusal names; none where it is about no field. */
function fieldsOf(message: string): readonly string[] {
  return message.split('; ').flatMap((part) => /^([\w.[\]]+): /.exec(part)?.[1] ?? []);
}

function refusedFields(body: JsonObject): readonly string[] {
  const { causes = [] } = (body['details'] ?? {}) as { readonly causes?: readonly { readonly field?: string }[] };
  return causes.flatMap(({ field }) => field ?? []);
}

function valueAt(value: unknown, path: string): unknown {
  let at: unknown = value;
  for (const [, name, index] of path.matchAll(/([^.[\]]+)|\[([^\]]*)\]/g)) {
    if (typeof at !== 'object' || at === null) return undefined;
    at = (at as Record<string, unknown>)[name ?? index ?? ''];
  }
  return at;
}
