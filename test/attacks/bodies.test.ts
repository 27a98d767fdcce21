import { MAX_LISTED_ERRORS, maxContentDepth } from '@capstan/meta';
import { expect } from 'vitest';
import { dismiss, givenDefinition, objectsPath, specVersion } from '../src/conformance/crds.js';
import { CONFIG_MAPS, given } from '../src/conformance/objects.js';
import { APPLY, JSON_PATCH, MERGE, type Answer, type CallOptions, type Session } from '../src/conformance/session.js';
import { suite } from '../src/conformance/suite.js';

const it = suite('attack-bodies');
const THINGS = objectsPath('things');
const LOOSE = specVersion({}, {}, { 'x-kubernetes-preserve-unknown-fields': true });
const YAML = 'application/yaml';

const SHAPES: Readonly<Record<string, (levels: number) => string>> = {
  objects: (levels) => `${'{"a":'.repeat(levels)}{"b":1}${'}'.repeat(levels)}`,
  lists: (levels) => `{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`,
};

function thing(s: Session, name: string, spec: string): string {
  return `{"apiVersion":"${s.ns}.example.com/v1","kind":"Thing","metadata":{"name":"${name}"},"spec":${spec}}`;
}

/** Everything that is done to an object in its life, each time as deep as it is. */
async function life(s: Session, name: string, spec: string): Promise<Record<string, Answer>> {
  const at = `${THINGS}/${name}`;
  const ask = (method: string, target: string, options: CallOptions = {}): Promise<Answer> =>
    s.quiet(method, target, options);
  const created = await ask('POST', THINGS, { raw: thing(s, name, spec) });
  const read = await ask('GET', at);
  return {
    created,
    read,
    'sent back': await ask('PUT', at, { raw: created.status === 201 ? read.text : thing(s, name, spec) }),
    'as YAML': await ask('GET', at, { accept: YAML }),
    labelled: await ask('PATCH', at, { raw: '{"metadata":{"labels":{"a":"b"}}}', type: MERGE }),
    merged: await ask('PATCH', at, { raw: `{"spec":${spec}}`, type: MERGE }),
    tested: await ask('PATCH', at, { raw: '[{"op":"add","path":"/spec/c","value":1}]', type: JSON_PATCH }),
    applied: await ask('PATCH', `${at}?fieldManager=one&force=true`, { raw: thing(s, name, spec), type: APPLY }),
    listed: await ask('GET', THINGS),
    deleted: await ask('DELETE', at),
    'created from YAML': await ask('POST', THINGS, { raw: thing(s, name, spec), type: YAML }),
    'deleted again': await ask('DELETE', at),
  };
}

function statuses(answers: Readonly<Record<string, Answer>>): Record<string, number> {
  return Object.fromEntries(Object.entries(answers).map(([name, { status }]) => [name, status]));
}

/** Around the spec of an object is the object itself. */
const DEEPEST = maxContentDepth - 2;

it('an object of the greatest allowed depth is created, changed and deleted like any other', async (s) => {
  await givenDefinition(s, 'things', { versions: [LOOSE] });
  for (const [shape, deep] of Object.entries(SHAPES))
    s.remark(shape, statuses(await life(s, `deep-${shape}`, deep(DEEPEST))));
  await dismiss(s, 'things');
});

it(
  'an object that is deeper is refused at the door, and never harms the server',
  async (s) => {
    await givenDefinition(s, 'things', { versions: [LOOSE] });
    for (const levels of [DEEPEST + 1, 1200, 9990])
      for (const [shape, deep] of Object.entries(SHAPES)) {
        const answers = await life(s, `${shape}-${levels}`, deep(levels));
        const seen = statuses(answers);
        expect([levels, shape, seen['created'], seen['created from YAML'], seen['applied']]).toEqual([
          levels,
          shape,
          400,
          400,
          400,
        ]);
        expect(Object.values(seen).every((status) => status < 500)).toBe(true);
        expect(answers['created']?.text).toContain('exceeded max depth');
      }
    await dismiss(s, 'things');
  },
  {
    recordsNothing: true,
    exempt: {
      real: 'its stack grows as needed: it takes ten thousand levels, and has seconds to do for one such object',
    },
  },
);

it(
  'patches cannot make an object deeper than that',
  async (s) => {
    await givenDefinition(s, 'things', { versions: [LOOSE] });
    const deep = SHAPES['objects']?.(300) ?? '';
    await given(s, THINGS, JSON.parse(thing(s, 'x', deep)) as Record<string, unknown>);
    const ask = (raw: string): Promise<Answer> => s.quiet('PATCH', `${THINGS}/x`, { raw, type: JSON_PATCH });
    const answers = [
      await ask(`[{"op":"add","path":"/spec${'/a'.repeat(290)}/c","value":${deep}}]`),
      await ask(`[{"op":"copy","from":"/spec","path":"/spec${'/a'.repeat(200)}/c"}]`),
      await ask(`[{"op":"move","from":"/spec/a","path":"/spec/z"},{"op":"add","path":"/spec/z/y","value":${deep}}]`),
    ];
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 200]);
    expect(answers[0]?.text).toContain(`json patch: the patched object exceeded max depth of ${maxContentDepth}`);
    await dismiss(s, 'things');
  },
  { recordsNothing: true, exempt: { real: 'it takes ten thousand levels' } },
);

it('the elements of managed fields may be texts of any depth', async (s) => {
  for (const levels of [10, 20_000]) {
    const element = `v:${'['.repeat(levels)}${']'.repeat(levels)}`;
    const fieldsV1 = JSON.stringify({ 'f:data': { [element]: {} } });
    const managed = `[{"manager":"a","operation":"Update","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":${fieldsV1}}]`;
    const raw = `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"m${levels}","managedFields":${managed}}}`;
    s.remark(`${levels} levels`, { status: (await s.quiet('POST', CONFIG_MAPS, { raw })).status });
  }
});

it('does not read the body of a client that may not write', async (s) => {
  await given(s, '/api/v1/namespaces/{ns}/serviceaccounts', { metadata: { name: 'robot' } });
  const token = await s.quiet('POST', '/api/v1/namespaces/{ns}/serviceaccounts/robot/token', { body: { spec: {} } });
  const robot = s.as((token.object()['status'] as { token: string }).token);
  const repeated = `{${Array.from({ length: 100_000 }, () => '"a":1').join(',')}}`;
  for (const raw of ['{', repeated, '['.repeat(100_000)]) {
    for (const type of ['application/json', YAML]) await robot.call('POST', CONFIG_MAPS, { raw, type });
    await s.as('wrong').call('POST', CONFIG_MAPS, { raw });
    await robot.call('PATCH', `${CONFIG_MAPS}/x`, { raw, type: JSON_PATCH });
  }
});

it('reports a duplicate key a hundred times at most', async (s) => {
  const members = Array.from({ length: 300 }, (_, i) => `"k${i}":"a","k${i}":"b"`).join(',');
  const raw = `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"x"},"data":{${members}}}`;
  await s.call('POST', `${CONFIG_MAPS}?fieldValidation=Strict`, { raw });
  const again = Array.from({ length: 300 }, () => '"k":"a"').join(',');
  const same = `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"y"},"data":{${again}}}`;
  await s.call('POST', `${CONFIG_MAPS}?fieldValidation=Strict`, { raw: same });
  await s.call('POST', `${CONFIG_MAPS}?fieldValidation=Strict`, { raw: same, type: YAML });
});

const FAULTS = 130_000;
const listOf = (make: (index: number) => string): string => Array.from({ length: FAULTS }, (_, i) => make(i)).join();
const mapOf = (members: string): string => `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"x"},${members}}`;

const FAULTY: Readonly<Record<string, readonly [path: string, body: (s: Session) => string]>> = {
  finalizers: [CONFIG_MAPS, () => mapOf(`"metadata":{"name":"x","finalizers":[${listOf((i) => `"!${i}"`)}]}`)],
  labels: [CONFIG_MAPS, () => mapOf(`"metadata":{"name":"x","labels":{${listOf((i) => `"!${i}":""`)}}}`)],
  keys: [CONFIG_MAPS, () => mapOf(`"data":{${listOf((i) => `"!${i}":""`)}}`)],
  'texts that are numbers': [THINGS, (s) => thing(s, 'x', `{"l":[${listOf(() => '1')}]}`)],
};

for (const [name, [path, body]] of Object.entries(FAULTY))
  it(
    `an object with more faults than a call takes arguments is refused with some of them: ${name}`,
    async (s) => {
      const strings = { l: { type: 'array', items: { type: 'string' } } };
      if (path === THINGS) await givenDefinition(s, 'things', { versions: [specVersion(strings)] });
      const { status, text } = await s.quiet('POST', path, { raw: body(s) });
      expect(status).toBe(422);
      const { details, message } = JSON.parse(text) as { message: string; details: { causes: unknown[] } };
      expect(details.causes.length).toBeLessThanOrEqual(MAX_LISTED_ERRORS);
      expect(message.slice(-40)).toMatch(/, and \d{6} more errors\]$/);
      expect(text.length).toBeLessThan(16 * 1024 * 1024);
      if (path === THINGS) await dismiss(s, 'things');
    },
    {
      recordsNothing: true,
      exempt: { real: 'it lists all, works on the list for the 34 s of a request, and answers 504' },
    },
  );
