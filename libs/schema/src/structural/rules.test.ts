import { cloneJson, fieldErrorMessage } from '@capstan/meta';
import { describe, expect, test } from 'vitest';
import { admitSchema } from './admission.js';
import { ruleAdmissionCases } from './rule-admission.table.js';
import type { RuleEngine } from './rules/engine.js';
import { parseSchema } from './schema/parse-schema.js';
import { RuleTree } from './rules/tree.js';
import { ruleCases } from './rules.table.js';
import { StructuralSchema } from './structural-schema.js';

function resource(value: unknown): Record<string, unknown> {
  return { apiVersion: 'g.io/v1', kind: 'Foo', metadata: { name: 'x' }, v: cloneJson(value) };
}

function rootOf(member: object): object {
  return { type: 'object', properties: { v: member } };
}

describe('rules are evaluated as the server evaluates them', () => {
  test.each(ruleCases)('$name', ({ schema, value, old, errors, warnings }) => {
    const structural = new StructuralSchema(rootOf(schema));
    const after = resource(value);
    const before = old === undefined ? undefined : resource(old);
    structural.prepare(after);
    structural.prepare(before);
    const result = structural.validate(after, before === undefined ? {} : { old: before });
    expect(result.errors.map(fieldErrorMessage)).toEqual(errors);
    expect(result.warnings).toEqual(warnings);
  });
});

describe('rules are admitted as the server admits them', () => {
  test.each(ruleAdmissionCases)('$name', ({ schema, errors }) => {
    expect(admitSchema(schema, { path: 'spec.validation' }).map(fieldErrorMessage)).toEqual(errors);
  });

  test('a schema that did not change is not held to the limit of each rule again', () => {
    const unbounded = { type: 'array', items: { type: 'string', maxLength: 60 }, maxItems: 3000 };
    const rule = { rule: 'self.all(x, self.exists(y, y == x))' };
    const schema = rootOf({ ...unbounded, 'x-kubernetes-validations': [rule] });
    const fresh = admitSchema(schema, { path: 'spec.validation' }).map(({ detail }) => detail);
    const known = admitSchema(schema, { path: 'spec.validation', unchanged: true }).map(({ detail }) => detail);
    expect(fresh.some((detail) => detail.startsWith('estimated rule cost exceeds budget'))).toBe(true);
    expect(known.some((detail) => detail.startsWith('estimated rule cost exceeds budget'))).toBe(false);
  });
});

test('before 1.35 a failed rule shows the type instead of the value', () => {
  const rules = [{ rule: 'self > 0', message: 'm' }];
  const schema = new StructuralSchema(rootOf({ type: 'integer', 'x-kubernetes-validations': rules }), { minor: 34 });
  expect(schema.validate(resource(0)).errors.map(fieldErrorMessage)).toEqual(['v: Invalid value: "integer": m']);
});

describe('the budget of an object', () => {
  /** Every rule fails at the cost that its text names. */
  const engine: RuleEngine = {
    compileRule: (text) => ({
      expression: {
        usesOldSelf: false,
        maxCost: () => 0,
        evaluate: () => ({ value: false, cost: Number(text) }),
      },
    }),
    compileMessage: (text) => ({
      expression: { usesOldSelf: false, maxCost: () => 0, evaluate: () => ({ value: 'failed', cost: Number(text) }) },
    }),
  };
  const out = 'validation failed due to running out of cost budget, no further validation rules will be run';
  const cases = [
    {
      name: 'covers several rules',
      rules: [{ rule: '4' }, { rule: '6' }],
      errors: ['failed rule: 4', 'failed rule: 6'],
    },
    {
      name: 'ends with the rule that exceeds it',
      rules: [{ rule: '4' }, { rule: '7' }, { rule: '1' }],
      errors: ['failed rule: 4', out],
    },
    {
      name: 'is charged for messages',
      rules: [{ rule: '4', messageExpression: '5' }, { rule: '2' }],
      errors: ['failed', out],
    },
    {
      name: 'ends with the message that exceeds it',
      rules: [{ rule: '4', messageExpression: '7' }, { rule: '1' }],
      errors: [
        'messageExpression evaluation failed due to running out of cost budget, no further validation rules will be run',
      ],
    },
  ];
  test.each(cases)('$name', ({ rules, errors }) => {
    const node = parseSchema({ type: 'integer', 'x-kubernetes-validations': rules });
    const tree = new RuleTree(node, { resource: false, minor: 36, engine });
    expect(tree.run(1, undefined, { budget: 10 }).errors.map(({ detail }) => detail)).toEqual(errors);
  });

  test('is spent by the values above before those below are looked at', () => {
    const node = parseSchema({
      type: 'array',
      'x-kubernetes-validations': [{ rule: '10' }],
      items: { type: 'integer', 'x-kubernetes-validations': [{ rule: '1' }] },
    });
    const tree = new RuleTree(node, { resource: false, minor: 36, engine });
    const { errors, budget } = tree.run([1, 2], undefined, { budget: 10 });
    expect(errors.map(fieldErrorMessage)).toEqual([
      '<nil>: Invalid value: failed rule: 10',
      `[0]: Invalid value: "integer": ${out}`,
    ]);
    expect(budget).toBe(-1);
  });
});

describe('a value that an update leaves as it was', () => {
  /** Rules pass at a cost of four but for values that are marked; counts how often they are asked. */
  function counting(): { readonly engine: RuleEngine; readonly asked: () => number } {
    let asked = 0;
    const evaluate = (self: unknown): { value: boolean; cost: number } => {
      asked++;
      return { value: (self as { bad?: boolean }).bad !== true, cost: 4 };
    };
    const expression = { usesOldSelf: false, maxCost: () => 0, evaluate };
    const compile = (): { expression: typeof expression } => ({ expression });
    return { engine: { compileRule: compile, compileMessage: compile }, asked: () => asked };
  }
  const inner = {
    type: 'object',
    properties: { bad: { type: 'boolean' } },
    'x-kubernetes-validations': [{ rule: 'any' }],
  };
  const node = parseSchema({ type: 'object', properties: { v: inner } });
  const treeWith = (engine: RuleEngine): RuleTree => new RuleTree(node, { resource: false, minor: 36, engine });

  test('passes again without being asked, at the same cost', () => {
    const { engine, asked } = counting();
    const tree = treeWith(engine);
    const v = {};
    expect(tree.run({ v }, { v }, { budget: 10 }).budget).toBe(6);
    expect(tree.run({ v }, { v }, { budget: 10 }).budget).toBe(6);
    expect(asked()).toBe(1);
  });

  test('is asked again where it is another, equal or not', () => {
    const { engine, asked } = counting();
    const tree = treeWith(engine);
    const v = {};
    tree.run({ v }, { v });
    tree.run({ v }, { v: {} });
    tree.run({ v: {} }, { v });
    expect(asked()).toBe(3);
  });

  test('is complained of every time, and every time the budget ends', () => {
    const { engine, asked } = counting();
    const tree = treeWith(engine);
    const v = { bad: true };
    for (let time = 0; time < 2; time++) expect(tree.run({ v }, { v }).errors).toHaveLength(1);
    const good = {};
    tree.run({ v: good }, { v: good });
    for (let time = 0; time < 2; time++)
      expect(tree.run({ v: good }, { v: good }, { budget: 3 })).toMatchObject({ budget: -1 });
    expect(asked()).toBe(5);
  });
});
