import {
  changeDefinition,
  custom,
  dismiss,
  givenDefinition,
  objectsPath,
  specVersion,
} from '../src/conformance/crds.js';
import { suite } from '../src/conformance/suite.js';
import { cached, given, versionOf } from '../src/conformance/objects.js';

const it = suite('crds-retyped');

const THINGS = objectsPath('things');
const text = { type: 'string' };
const integer = { type: 'integer' };

/** A property with a rule that reads it. */
function ruled(schema: object, rule: string): object {
  return { ...schema, 'x-kubernetes-validations': [{ rule, message: 'does not hold' }] };
}

const before = {
  text: integer,
  count: text,
  ratio: text,
  flag: text,
  either: { type: 'boolean' },
  when: text,
  bytes: text,
  list: { type: 'array', items: integer },
  map: { type: 'object', additionalProperties: integer },
  object: text,
  inner: { type: 'object', properties: { x: text } },
  n: integer,
};

const values = {
  text: 1,
  count: 'one',
  ratio: 'half',
  flag: 'yes',
  either: true,
  when: 'soon',
  bytes: 'w',
  list: [1, 2],
  map: { a: 1 },
  object: 'flat',
  inner: { x: 'y' },
};

/** The later schema of each, and rules that read what no longer fits. */
const after: readonly (readonly [name: keyof typeof values, schema: object])[] = [
  ['text', ruled(text, "self == 'a'")],
  ['count', ruled(integer, 'self > 1')],
  ['ratio', ruled({ type: 'number' }, 'self > 1.0')],
  ['flag', ruled({ type: 'boolean' }, 'self')],
  ['either', ruled({ 'x-kubernetes-int-or-string': true }, "self == 'a'")],
  ['when', ruled({ ...text, format: 'date-time' }, "self > timestamp('2020-01-01T00:00:00Z')")],
  ['bytes', ruled({ ...text, format: 'byte' }, 'size(self) > 0')],
  ['list', ruled({ type: 'array', items: text }, "self.all(x, x == 'a')")],
  ['map', ruled({ type: 'object', additionalProperties: text }, "self.all(k, self[k] == 'a')")],
  ['object', ruled({ type: 'object', properties: { x: text } }, 'has(self.x)')],
  ['inner', ruled({ type: 'object', properties: { x: integer } }, 'has(self.x) && self.x > 1')],
];

it('a rule that reads a value of another type than declared names the rule', async (s) => {
  await givenDefinition(s, 'things', { versions: [specVersion(before)] });
  for (const [index, [name]] of after.entries()) {
    await given(s, THINGS, custom('Thing', name, { spec: { [name]: values[name], n: index } }));
  }
  const strict = specVersion({ ...before, ...Object.fromEntries(after) });
  await changeDefinition(s, 'things', { versions: [strict] });
  for (const [name] of after) {
    const answer = await s.merge(`${THINGS}/${name}`, { spec: { n: 100 } });
    if (answer.status === 200) await cached(s, THINGS, versionOf(answer));
  }
  await dismiss(s, 'things');
});
