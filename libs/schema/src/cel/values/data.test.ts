import { describe, expect, it } from 'vitest';
import { fromData } from './data.js';
import { kubernetesEnv } from '../library/env.js';
import { compile, perObjectBudget } from '../program.js';
import { show } from '../testing.js';
import {
  boolType,
  bytesType,
  dynType,
  intType,
  listType,
  mapType,
  objectType,
  stringType,
  timestampType,
} from '../types/types.js';
import type { CelType } from '../types/types.js';
import { unreadableCases } from '../unreadable.table.js';
import { CelError } from './values.js';

function complaint(raw: unknown, type: Parameters<typeof fromData>[1]): string {
  const value = fromData(raw, type);
  return value instanceof CelError ? value.message : 'none';
}

/** Where the server's decoder stops, measured on Kubernetes 1.36. */
const offsets: readonly (readonly [text: string, offset: number])[] = [
  ['w', 0],
  ['ww', 0],
  ['www', 0],
  ['w=', 1],
  ['ww=', 3],
  ['ww==x', 4],
  ['www=x', 4],
  ['w\nw', 1],
  ['ww=\nx', 3],
  ['=', 0],
  ['a+b/', 1],
  ['aé', 1],
  ['wwwww', 4],
  ['ww\n', 1],
];

describe('data that does not match its schema', () => {
  it.each(offsets)('%j is no base64 from byte %d on', (text, offset) => {
    const expected = `Invalid byte formatted string ${text}: illegal base64 data at input byte ${offset}`;
    expect(complaint(text, bytesType)).toBe(expected);
  });

  it.each([
    ['2020-13-01T00:00:00Z', 'parsing time "2020-13-01T00:00:00Z": month out of range'],
    ['2020-02-31T00:00:00Z', 'parsing time "2020-02-31T00:00:00Z": extra text: "Z"'],
    ['2020-02-31T00:00:00', 'parsing time "2020-02-31T00:00:00": day out of range'],
    ['2020-01-01', 'parsing time "2020-01-01" as "2006-01-02T15:04:05": cannot parse "" as "T"'],
    ['2020-01-01T00:00:00+99:00', 'parsing time "2020-01-01T00:00:00+99:00": extra text: "+99:00"'],
  ])('%s is no moment', (text, why) => {
    expect(complaint(text, timestampType)).toBe(`Invalid date-time formatted string ${text}: ${why}`);
  });

  it.each([
    ['2020-01-01T00:00:00Z', 'parsing time "2020-01-01T00:00:00Z": extra text: "T00:00:00Z"'],
    ['2020-02-31', 'parsing time "2020-02-31": day out of range'],
    ['w', 'parsing time "w" as "2006-01-02": cannot parse "w" as "2006"'],
  ])('%s is no day', (text, why) => {
    const expected = `Invalid date formatted string ${text}: ${why}`;
    expect(complaint(text, timestampType.withHints({ format: 'date' }))).toBe(expected);
  });

  it('an int-or-string is neither a boolean nor a fraction', () => {
    const type = dynType.withHints({ intOrString: true });
    const expected = 'invalid data, expected XIntOrString value to be either a string or integer';
    for (const raw of [true, 1.5, [], {}]) expect(complaint(raw, type)).toBe(expected);
    for (const raw of ['a', 1, 2n ** 60n]) expect(complaint(raw, type)).toBe('none');
  });
});

const self = objectType(
  'T',
  new Map([
    ['l', listType(stringType)],
    ['s', listType(stringType, { listType: 'set' })],
    ['m', mapType(stringType, stringType)],
  ]),
);

describe('what can be no key is shown by its type', () => {
  it.each([
    ['[0][object.l]', '[]interface {}'],
    ['[0][object.m]', 'map[string]interface {}'],
    ['[0][dyn(object.m)]', '*types.baseMap'],
    ['object.l[object.l.filter(x, true)]', '*types.baseList'],
    ['object.l[object.l + object.l]', '*types.concatList'],
    ['object.l[object.l + []]', '*types.baseList'],
    ['object.l[(object.l.size() == 1 ? object.m : 1)]', 'map[string]interface {}'],
    ['object.l[(object.l.size() == 1 ? dyn(object.m) : object.l)]', '*types.baseMap'],
    ['dyn([0])[dyn(self.l)]', '*common.unstructuredList'],
    ['dyn([0])[dyn(self.s)]', '*common.unstructuredSetList'],
    ['dyn([0])[dyn(self.m)]', '*common.unstructuredMap'],
  ])('%s', (source, name) => {
    const data = { l: ['a'], s: ['b'], m: { c: 'd' } };
    const { program } = compile(source, kubernetesEnv.extend({ variables: { self, object: dynType } }));
    const value = program?.evaluate({ self: data, object: data });
    expect(value).toEqual(new CelError(`invalid qualifier type: ${name}`));
  });
});

describe('rules on data that does not fit its schema', () => {
  const object = objectType('O', new Map([['i', intType]]));
  const type = objectType(
    'T',
    new Map<string, CelType>([
      ['li', listType(intType)],
      ['mi', mapType(stringType, intType)],
      ['o', object],
      ['b', boolType],
      ['ls', listType(stringType)],
      ['lset', listType(stringType, { listType: 'set' })],
      ['good', listType(stringType, { listType: 'set' })],
      ['lo', listType(object)],
    ]),
  );
  const data = {
    li: [1, 'w', 3],
    mi: { a: 'w', b: 2 },
    o: { i: 'w' },
    b: true,
    ls: ['a', {}],
    lset: ['a', {}],
    good: ['x'],
    lo: [null],
  };

  it.each(unreadableCases)('%s has the outcome and the cost the server gives it', (rule, outcome, cost) => {
    const { program, message } = compile(rule, kubernetesEnv.extend({ variables: { self: type } }));
    if (program === undefined) throw new Error(message);
    const budget = { remaining: perObjectBudget };
    const value = program.evaluate({ self: data }, budget);
    expect(value instanceof CelError ? `error: ${value.message}` : show(value)).toBe(outcome);
    expect(perObjectBudget - budget.remaining).toBe(cost);
  });
});
