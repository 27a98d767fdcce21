import { describe, expect, it } from 'vitest';
import { DEFINITIONS_PATH, Fixture, version, widget, widgets, widgetsPath } from './testing.js';

const properties = {
  small: { type: 'integer', format: 'int32' },
  list: { type: 'array', maxItems: 1, items: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
  ruled: { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self > 0', message: 'must be positive' }] },
};
const BEYOND_INT32 = 2 ** 31;

const skipped = (nothing: string): string =>
  `<nil>: Invalid value: ${nothing}: some validation rules were not checked because the object was invalid; ` +
  'correct the existing errors to complete validation';
const OLD_TOO_MANY = `[spec.list: Too many: 2: must have at most 1 items, ${skipped('"null"')}]`;
const OLD_RULE = 'spec.ruled: Invalid value: "integer": must be positive';

/** By the release: the value beyond int32, the list that is too long, the rule that fails. */
const releases: readonly (readonly [minor: number, int32: string, tooMany: string, rule: string])[] = [
  [30, 'created', OLD_TOO_MANY, OLD_RULE],
  [33, 'created', OLD_TOO_MANY, OLD_RULE],
  [
    36,
    '<nil>: Invalid value: "": Checked value must be of type integer with format int32 in spec.small',
    `[spec.list: Too many: 2: must have at most 1 item, ${skipped('null')}]`,
    'spec.ruled: Invalid value: 0: must be positive',
  ],
];

describe.each(releases)('schemas held to the rules of 1.%d', (schemaMinor, int32, tooMany, rule) => {
  async function verdict(spec: object): Promise<string> {
    const fixture = new Fixture({ schemaMinor });
    await fixture.send('POST', DEFINITIONS_PATH, widgets(version(properties)));
    const { status, body } = await fixture.send('POST', widgetsPath(), { ...widget('a'), spec });
    return status === 201 ? 'created' : String(body.message).replace(/^.*? is invalid: /, '');
  }

  it('validate objects as that release does', async () => {
    expect(await verdict({ small: BEYOND_INT32 })).toBe(int32);
    expect(await verdict({ list: [{}, {}] })).toBe(tooMany);
    expect(await verdict({ ruled: 0 })).toBe(rule);
  });

  it('validate the defaults of CRDs as that release does', async () => {
    const fixture = new Fixture({ schemaMinor });
    const defaulted = version({ small: { ...properties.small, default: BEYOND_INT32 } });
    const { status } = await fixture.send('POST', DEFINITIONS_PATH, widgets(defaulted));
    expect(status).toBe(int32 === 'created' ? 201 : 422);
  });
});
