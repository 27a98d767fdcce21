import { GROUP, custom, dismiss, givenDefinition, objectsPath, specVersion } from './crds.js';
import type { Session } from './session.js';

const THINGS = objectsPath('things');
const thing = (name: string, spec: object = {}): Record<string, unknown> => custom('Thing', name, { spec });

const integer = { type: 'integer' };
const text = { type: 'string' };

/** The name its answers are recorded under. */
export const HELD_TO_SCHEMA = 'values are held to their schema, each complaint by its name';

/** Objects that break their schema in every way. */
export async function heldToSchema(s: Session): Promise<void> {
  const properties = {
    i: { ...integer, minimum: 1, maximum: 9 },
    t: { ...text, minLength: 2, maxLength: 4, pattern: '^x' },
    e: { ...text, enum: ['a', 'b'] },
    l: { type: 'array', maxItems: 2, items: integer },
    set: { type: 'array', 'x-kubernetes-list-type': 'set', items: text },
    keyed: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      items: { type: 'object', required: ['name'], properties: { name: text } },
    },
    both: { 'x-kubernetes-int-or-string': true },
    when: { ...text, format: 'date-time' },
    big: { ...integer, format: 'int64' },
    ruled: {
      type: 'object',
      properties: { a: integer, b: integer },
      'x-kubernetes-validations': [{ rule: 'self.a <= self.b', message: 'a may not exceed b', fieldPath: '.a' }],
    },
    fixed: { ...text, 'x-kubernetes-validations': [{ rule: 'self == oldSelf', message: 'is fixed' }] },
  };
  await givenDefinition(s, 'things', { versions: [specVersion(properties)] });
  const bad: readonly object[] = [
    { i: 0 },
    { i: 10 },
    { i: 'x' },
    { i: 1.5 },
    { t: 'x' },
    { t: 'xxxxx' },
    { t: 'yy' },
    { e: 'c' },
    { l: [1, 2, 3] },
    { l: {} },
    { set: ['a', 'a'] },
    { keyed: [{ name: 'a' }, { name: 'a' }] },
    { keyed: [{}] },
    { both: 1.5 },
    { both: true },
    { when: 'now' },
    { ruled: { a: 2, b: 1 } },
  ];
  for (const [index, spec] of bad.entries()) await s.post(THINGS, thing(`bad${index}`, spec));
  await s.post(THINGS, undefined, {
    raw: `{"apiVersion":"${GROUP}/v1","kind":"Thing","metadata":{"name":"big"},"spec":{"big":9007199254740993,"fixed":"x"}}`,
  });
  await s.merge(`${THINGS}/big`, { spec: { fixed: 'y' } });
  await s.merge(`${THINGS}/big`, { spec: { fixed: 'x', both: 'any' } });
  await s.get(`${THINGS}/big`);
  await dismiss(s, 'things');
}
