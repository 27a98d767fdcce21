import { describe, expect, it } from 'vitest';
import { CelMap } from './values/collections.js';
import { DataList, DataMap } from './values/data.js';
import { errorCases, failureCases, issueCases, valueCases } from './conformance.table.js';
import { estimateCost } from './cost/estimate.js';
import { declaredSizes } from './cost/sizes.js';
import { kubernetesEnv } from './library/env.js';
import { compile, perObjectBudget } from './program.js';
import type { CelProgram } from './program.js';
import { show } from './testing.js';
import { typedRules } from './typed-rules.table.js';
import {
  boolType,
  bytesType,
  doubleType,
  durationType,
  dynType,
  formatType,
  intType,
  listType,
  mapType,
  objectType,
  stringType,
  timestampType,
} from './types/types.js';
import type { CelType } from './types/types.js';
import { CelError } from './values/values.js';

function programOf(expression: string, variables: Readonly<Record<string, CelType>> = {}): CelProgram {
  const { program, message, failure } = compile(expression, kubernetesEnv.extend({ variables }));
  if (program === undefined) throw new Error(`${expression}: ${message}${failure ?? ''}`);
  return program;
}

describe('expressions without variables', () => {
  it.each(valueCases)('%s has the type, value and cost the server gives it', (expression, type, value, cost) => {
    const program = programOf(expression);
    const budget = { remaining: perObjectBudget };
    expect(show(program.evaluate({}, budget))).toBe(value);
    expect(formatType(program.outputType)).toBe(type);
    expect(perObjectBudget - budget.remaining).toBe(cost);
  });

  it.each(errorCases)('%s ends in the error the server gives', (expression, error, cost) => {
    const budget = { remaining: perObjectBudget };
    expect(programOf(expression).evaluate({}, budget)).toEqual(new CelError(error));
    expect(perObjectBudget - budget.remaining).toBe(cost);
  });

  it.each(issueCases)('%s is refused in the words of the server', (expression, message) => {
    const compiled = compile(expression, kubernetesEnv);
    expect(compiled.message).toBe(message);
    expect(compiled.program).toBeUndefined();
  });

  it.each(failureCases)('%s has a constant that cannot be', (expression, failure) => {
    expect(compile(expression, kubernetesEnv)).toEqual({ program: undefined, issues: [], message: '', failure });
  });
});

/** No bound is what a request may hold. */
const unbounded = 3_145_726;

function sized(type: CelType, maxElements: number): CelType {
  return type.withHints({ maxElements });
}

const text = sized(stringType, unbounded);
const condition = objectType(
  'selfType.conds.@idx',
  new Map([
    ['type', sized(stringType, 400)],
    ['status', text],
    ['n', intType],
  ]),
);
const item = objectType(
  'selfType.objs.@idx',
  new Map([
    ['a', text],
    ['b', intType],
    ['t', sized(timestampType, 32)],
  ]),
);
const deep = objectType(
  'selfType.nested.deep',
  new Map([
    ['leaf', intType],
    ['s', text],
  ]),
);
const nested = new Map<string, CelType>([
  ['deep', deep],
  ['raw', objectType('selfType.nested.raw', new Map())],
]);
const entry = objectType(
  'selfType.omap.@elem',
  new Map([
    ['x', intType],
    ['d', doubleType],
  ]),
);
const selfType = objectType(
  'selfType',
  new Map([
    ['name', sized(stringType, 252)],
    ['free', text],
    ['enumed', sized(stringType, 3)],
    ['replicas', intType],
    ['ratio', doubleType],
    ['on', boolType],
    ['ios', sized(dynType, unbounded)],
    ['when', sized(timestampType, 32)],
    ['day', timestampType.withHints({ maxElements: 12, format: 'date' })],
    ['dur', sized(durationType, 32)],
    ['blob', sized(bytesType, unbounded)],
    ['nul', stringType.withHints({ maxElements: unbounded, nullable: true })],
    ['tags', listType(sized(stringType, 80), { maxElements: 10 })],
    ['unb', listType(text, { maxElements: 1_048_575 })],
    ['nums', listType(intType, { maxElements: 1_572_863 })],
    ['dbls', listType(doubleType, { maxElements: 5 })],
    ['set', listType(text, { maxElements: 1_048_575, listType: 'set' })],
    ['conds', listType(condition, { maxElements: 8, listType: 'map', listMapKeys: ['type'] })],
    ['objs', listType(item, { maxElements: 1_048_575 })],
    ['labels', mapType(stringType, sized(stringType, 252), { maxElements: 16 })],
    ['omap', mapType(stringType, entry, { maxElements: 393_215 })],
    ['foo-bar', text],
    ['namespace', text],
    ['a.b/c', text],
    ['__x__y', text],
    ['nested', objectType('selfType.nested', nested)],
    ['lol', listType(listType(intType, { maxElements: 1_572_863 }), { maxElements: 1_048_575 })],
  ]),
);

const self = {
  name: 'web',
  free: 'hello there, a longer string to have a cost',
  enumed: 'a',
  replicas: 3,
  ratio: 1,
  on: true,
  ios: '50%',
  when: '2020-02-03T04:05:06Z',
  day: '2020-02-03',
  dur: '1h30m',
  blob: 'aGk=',
  nul: null,
  tags: ['a', 'bb', 'ccc'],
  unb: ['x', 'y'],
  nums: [3, 1, 2],
  dbls: [1, 2.5],
  set: ['p', 'q'],
  conds: [
    { type: 'Ready', status: 'True', n: 1 },
    { type: 'Live', status: 'False' },
  ],
  objs: [
    { a: 'x', b: 1, t: '2020-01-01T00:00:00Z' },
    { a: 'y', extra: 1 },
  ],
  labels: { app: 'web', 'x/y': 'z' },
  omap: { k: { x: 1, d: 2 } },
  'foo-bar': 'fb',
  namespace: 'ns',
  'a.b/c': 'abc',
  __x__y: 'xy',
  nested: { deep: { leaf: 5 }, raw: { a: 1 } },
  lol: [[1], [2, 3]],
};
const { ratio: _, ...rest } = self;
const oldSelf = {
  ...rest,
  name: 'web2',
  replicas: 5,
  set: ['q', 'p'],
  conds: self.conds.toReversed(),
  tags: ['bb', 'a', 'ccc'],
  labels: { app: 'web' },
  nested: { deep: { leaf: 5 }, raw: { a: 2 } },
  objs: self.objs.slice(0, 1),
};

describe('rules on typed data', () => {
  it.each(typedRules)(
    '%s has the outcome, cost and estimate the server gives it',
    (rule, outcome, cost, [min, max]) => {
      const { program, message } = compile(
        rule,
        kubernetesEnv.extend({ variables: { self: selfType, oldSelf: selfType } }),
      );
      if (program === undefined) {
        expect(message).toBe(outcome);
        return;
      }
      const budget = { remaining: perObjectBudget };
      const value = program.evaluate({ self, oldSelf }, budget);
      expect(value instanceof CelError ? `error: ${value.message}` : show(value)).toBe(outcome);
      expect(perObjectBudget - budget.remaining).toBe(cost);
      expect(estimateCost(program.ast, declaredSizes(selfType))).toEqual({ min, max });
    },
  );

  it('shows only declared fields when a typed value is taken for dyn', () => {
    const program = programOf('dyn(self.objs[1]).extra', { self: selfType });
    expect(program.evaluate({ self })).toEqual(new CelError('no such key: extra'));
  });

  it('keeps the schema of lists and objects that leave an expression', () => {
    expect(programOf('self.objs', { self: selfType }).evaluate({ self })).toBeInstanceOf(DataList);
    expect(programOf('self.nested', { self: selfType }).evaluate({ self })).toBeInstanceOf(DataMap);
    expect(programOf("{'a': 1}").evaluate({})).toBeInstanceOf(CelMap);
  });
});
