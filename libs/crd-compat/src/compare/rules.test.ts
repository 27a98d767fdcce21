import { describe, expect, test } from 'vitest';
import { check, widget } from '../testing.js';

type Fields = Readonly<Record<string, unknown>>;

const text = { type: 'string' };
const integer = { type: 'integer' };
const struct = (properties: Fields, more: Fields = {}): Fields => ({ type: 'object', properties, ...more });
const list = (items: Fields): Fields => ({ type: 'array', maxItems: 4, items });
const ruled = (node: Fields, ...rules: string[]): Fields => ({
  ...node,
  'x-kubernetes-validations': rules.map((rule) => ({ rule })),
});

/** The errors of a change of `spec.a` whose fields are those of the requirement and some more. */
function errorsOf(required: Fields, live: Fields): readonly string[] {
  const { findings } = check(widget({ a: required }), widget({ a: live }));
  return findings.filter(({ severity }) => severity === 'error').map(({ path, rule }) => `${rule} ${path}`);
}

const old = struct({ b: text, kind: { ...text, enum: ['A', 'B'] }, items: list(struct({ b: text })) });
const grown = struct({
  b: text,
  kind: { ...text, enum: ['A', 'B', 'C'] },
  n: integer,
  o: integer,
  items: list(struct({ b: text, n: integer, name: text })),
});

describe('a rule that asks for new fields', () => {
  test.each([
    ['that they are good', '!has(self.n) || self.n > 3'],
    ['in a macro', '!has(self.items) || self.items.all(x, !has(x.n) || x.n > 3)'],
    [
      'in a macro within a macro',
      '!has(self.items) || self.items.all(x, !has(x.name) || self.items.exists_one(y, has(y.name) && x.name == y.name))',
    ],
    ['that none is there', '!has(self.items) || !self.items.exists(x, has(x.n) && x.n > 3)'],
    ['behind a condition', 'has(self.n) ? self.n > 3 : true'],
    ['in sums', '(has(self.n) ? 1 : 0) + (has(self.o) ? 1 : 0) <= 1'],
    ['in lists', '[has(self.n), has(self.o), has(self.b)].filter(x, x == true).size() <= 1'],
    ['with a value that the requirement does not know', '!(has(self.kind) && self.kind == "C") || has(self.n)'],
    ['the other way round', '!(has(self.n) && self.kind != "C")'],
    ['together', 'has(self.n) == has(self.o)'],
  ])('%s holds for objects without them', (_what, rule) => {
    expect(errorsOf(old, ruled(grown, rule))).toEqual([]);
  });

  test.each([
    ['that they are there', 'has(self.n)'],
    ['in a macro', '!has(self.items) || self.items.all(x, has(x.n))'],
    ['of members that may be missing', '!has(self.items) || self.items.all(x, x.b != "" && !has(x.n))'],
    ['or an error', '!has(self.n.o) || has(self.b)'],
    ['of what was there before', '!has(self.n) == (size(oldSelf.b) > 0)'],
    ['or a value that may be', '!(has(self.kind) && self.kind == "A") || has(self.n)'],
  ])('%s may refuse objects without them', (_what, rule) => {
    const live = rule.includes('self.n.o')
      ? struct({ b: text, n: struct({ o: integer }), kind: text, items: list(struct({ b: text })) })
      : grown;
    expect(errorsOf(old, ruled(live, rule))).not.toEqual([]);
  });

  test('is not trusted where the requirement keeps unknown fields or the new field has a default', () => {
    const open = { ...old, 'x-kubernetes-preserve-unknown-fields': true };
    expect(errorsOf(open, ruled({ ...grown, 'x-kubernetes-preserve-unknown-fields': true }, '!has(self.n)'))).toContain(
      'rule-added spec.a',
    );
    const filled = struct({ b: text, n: { ...integer, default: 1 } });
    expect(errorsOf(struct({ b: text }), ruled(filled, '!has(self.n)'))).toEqual(['rule-added spec.a']);
  });
});

describe('a rule that is weaker than one of the requirement', () => {
  const before = struct({
    b: text,
    c: text,
    flag: { type: 'boolean' },
    items: list(struct({ b: text, c: text }, { required: ['c'] })),
  });
  test.each([
    ['by an exception', 'self.b != "x"', '!has(self.b) || self.b != "x"'],
    ['by half of it', 'self.b != "x" && self.c != "y"', 'self.c != "y"'],
    ['by two halves in two rules', 'self.b != "x" && self.c != "y"', 'self.c != "y" && self.b != "x"'],
    ['in one branch', 'self.flag ? self.b != "x" : true', 'self.flag ? (self.c == "" || self.b != "x") : true'],
    ['for every item', 'self.items.all(x, x.b != "x")', 'self.items.all(x, !has(x.b) || x.b != "x")'],
    ['by a new field', 'self.b == self.c', 'has(self.n) || self.b == self.c'],
    ['by one of two', 'self.b == "x" || self.b == "y"', 'self.b == "y" || self.b == "z" || self.b == "x"'],
    ['by what is always there', 'self.items.all(x, x.c == "y")', 'self.items.all(x, has(x.c) && x.c == "y")'],
    [
      'by what is always there, of one',
      'self.items.exists_one(x, x.c == "y")',
      'self.items.exists_one(x, has(x.c) && x.c == "y")',
    ],
    ['at updates', 'self.b == oldSelf.b', 'self.b == oldSelf.b || self.c == "x"'],
  ])('%s holds', (_what, given, wanted) => {
    const after = struct({ ...(before['properties'] as Fields), n: integer });
    expect(errorsOf(ruled(before, given), ruled(after, wanted))).toEqual([]);
  });

  test.each([
    ['is stronger', 'self.b != "x" || self.c != "y"', 'self.b != "x"'],
    ['is about other items', 'self.items.exists(x, x.b != "x")', 'self.items.all(x, x.b != "x")'],
    ['holds at creation as well', 'self.b == oldSelf.b', 'has(self.b)'],
    ['has another condition', 'self.flag ? self.b != "x" : true', '!self.flag ? self.b != "x" : true'],
    ['is turned round', '!(self.b == "x" && self.c == "y")', '!(self.b == "x")'],
  ])('is an error where it %s', (_what, given, wanted) => {
    expect(errorsOf(ruled(before, given), ruled(before, wanted))).not.toEqual([]);
  });

  test('is not trusted where the old one sees other types now', () => {
    const required = ruled(struct({ b: integer, c: text }), 'self.b > 3');
    const live = ruled(
      struct({ b: { type: 'number' }, c: text }),
      'self.b > 3.0 || has(self.c)',
      'self.b > 3 || has(self.c)',
    );
    expect(errorsOf(required, live)).not.toEqual([]);
  });
});
