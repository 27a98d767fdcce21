import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fieldErrorMessage } from '../validation/field-error.js';
import { LabelMatcher } from './label-matcher.js';
import { compileLabelSelector, formatLabelSelector, matcherFromSet, validateLabelSelector } from './label-selector.js';
import { parseLabelSelector } from './parse-label-selector.js';
import { labelRequirement, SelectorError, type Labels } from './requirement.js';

const key =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const value =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

function refusal(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    if (error instanceof SelectorError) return error.message;
    throw error;
  }
  return 'accepted';
}

describe('a label selector text', () => {
  it.each([
    ['', ''],
    [' ', ''],
    ['a', 'a'],
    ['!a', '!a'],
    ['a=b', 'a=b'],
    ['a==b', 'a==b'],
    [' a != b ', 'a!=b'],
    ['a=', 'a='],
    ['a==,b', 'a==,b'],
    ['z=1,a=2', 'a=2,z=1'],
    ['a>5,b<6', 'a>5,b<6'],
    ['x in (foo,,baz),y,z notin ()', 'x in (,baz,foo),y,z notin ()'],
    ['a in (,)', 'a in ()'],
    ['a in (b,b,a)', 'a in (a,b)'],
    ['in in (in,notin)', 'in in (in,notin)'],
    ['a\tin\n(b)', 'a in (b)'],
    ['a=b\0', 'a=b'],
  ])('%j is canonically %j', (text, canonical) => {
    expect(parseLabelSelector(text).toString()).toBe(canonical);
  });

  it.each([
    ['a foo b', "unable to parse requirement: found 'foo', expected: in, notin, =, ==, !=, gt, lt"],
    ['a in b', "unable to parse requirement: found 'b' expected: '('"],
    ['a notin', "unable to parse requirement: found '' expected: '('"],
    ['a in (', "unable to parse requirement: found '', expected: ',', ')' or identifier"],
    ['a in (b', "unable to parse requirement: found '', expected: ',' or ')'"],
    ['a in (b c)', "unable to parse requirement: found 'c', expected: ',' or ')'"],
    ['a in (b,', "unable to parse requirement: found '', expected: ',', or identifier"],
    ['a in (=)', "unable to parse requirement: found '=', expected: ',', ')' or identifier"],
    ['a=b=c', "found '=', expected: ',' or 'end of string'"],
    ['!a=b', "found '=', expected: ',' or 'end of string'"],
    ['!a b', "found 'b', expected: ',' or 'end of string'"],
    ['!', "unable to parse requirement: found '', expected: identifier"],
    ['!!a', "unable to parse requirement: found '!', expected: identifier"],
    ['a!b', "unable to parse requirement: found '!', expected: in, notin, =, ==, !=, gt, lt"],
    ['a=(', "unable to parse requirement: found '(', expected: identifier"],
    ['a==!b', "unable to parse requirement: found '!', expected: identifier"],
    [',', "found ',', expected: !, identifier, or 'end of string'"],
    ['=a', "found '=', expected: !, identifier, or 'end of string'"],
    ['!=x', "found '!=', expected: !, identifier, or 'end of string'"],
    ['a in (b),', "found '', expected: identifier after ','"],
    ['a\0b', "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt"],
    ['_a=1', `unable to parse requirement: <nil>: Invalid value: "_a": name part ${key}`],
    ['x=-y', `unable to parse requirement: values[0][x]: Invalid value: "-y": ${value}`],
    [
      'a in (b,-c,-d)',
      `unable to parse requirement: [values[0][a]: Invalid value: "-c": ${value}, values[1][a]: Invalid value: "-d": ${value}]`,
    ],
    [
      'a>x',
      "unable to parse requirement: values[0]: Invalid value: \"x\": for 'Gt', 'Lt' operators, the value must be an integer",
    ],
    [
      'a>9223372036854775808',
      "unable to parse requirement: values[0]: Invalid value: \"9223372036854775808\": for 'Gt', 'Lt' operators, the value must be an integer",
    ],
  ])('%j is refused: %s', (text, message) => {
    expect(refusal(() => parseLabelSelector(text))).toBe(message);
  });

  it('names the place it stands in', () => {
    expect(refusal(() => parseLabelSelector('_a', 'labelSelector'))).toBe(
      `unable to parse requirement: labelSelector: Invalid value: "_a": name part ${key}`,
    );
  });

  it('reads back its own canonical text', () => {
    const plain = fc.constantFrom('a', 'b', 'in', 'notin', 'A-1', '10');
    const word = fc.oneof(plain, fc.constant('x.y/z'));
    const requirement = fc.oneof(
      word,
      word.map((k) => `!${k}`),
      fc.tuple(word, fc.constantFrom('=', '==', '!='), plain).map((parts) => parts.join('')),
      fc
        .tuple(word, fc.constantFrom(' in ', ' notin '), fc.array(plain, { minLength: 1 }))
        .map(([k, operator, values]) => `${k}${operator}(${values.join(',')})`),
    );
    fc.assert(
      fc.property(fc.array(requirement), (requirements) => {
        const canonical = parseLabelSelector(requirements.join(',')).toString();
        expect(parseLabelSelector(canonical).toString()).toBe(canonical);
      }),
    );
  });
});

describe('matching labels', () => {
  it.each<readonly [string, Labels, boolean]>([
    ['', undefined, true],
    ['a', undefined, false],
    ['a', { a: '' }, true],
    ['!a', undefined, true],
    ['!a', { a: '' }, false],
    ['a=b', { a: 'b' }, true],
    ['a=b', { a: 'c' }, false],
    ['a=', {}, false],
    ['a=', { a: '' }, true],
    ['a!=b', undefined, true],
    ['a!=b', {}, true],
    ['a!=b', { a: 'b' }, false],
    ['a in (b,c)', { a: 'c' }, true],
    ['a in (b,c)', {}, false],
    ['a in (1,2,3,4,5,6,7,8,9)', { a: '9' }, true],
    ['a in (1,2,3,4,5,6,7,8,9)', {}, false],
    ['a notin (1,2,3,4,5,6,7,8,9)', { a: '9' }, false],
    ['a notin (1,2,3,4,5,6,7,8,9)', undefined, true],
    ['a notin (b)', { a: 'c' }, true],
    ['a notin (b)', {}, true],
    ['a>5', { a: '6' }, true],
    ['a>5', { a: '5' }, false],
    ['a>5', { a: 'six' }, false],
    ['a>5', {}, false],
    ['a>9007199254740992', { a: '9007199254740993' }, true],
    ['a<5', { a: '-7' }, true],
    ['a,b=c', { a: '', b: 'c' }, true],
    ['a,b=c', { a: '', b: 'd' }, false],
    ['constructor', {}, false],
    ['!constructor', {}, true],
    ['toString notin (x)', {}, true],
    ['toString>1', {}, false],
  ])('%j against %j is %s', (text, labels, expected) => {
    expect(parseLabelSelector(text).matches(labels)).toBe(expected);
  });

  it('returns the value a label must have', () => {
    const matcher = parseLabelSelector('a=1,b==2,c in (3),d in (4,5),e!=6,f');
    expect(['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((label) => matcher.requiresExactMatch(label))).toEqual([
      '1',
      '2',
      '3',
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('knows everything, nothing and more', () => {
    expect(parseLabelSelector('')).toBe(LabelMatcher.everything);
    expect([LabelMatcher.everything.isEmpty(), LabelMatcher.nothing.isEmpty()]).toEqual([true, false]);
    expect(LabelMatcher.nothing.matches({})).toBe(false);
    expect(LabelMatcher.nothing.with(labelRequirement('a', 'exists', []))).toBe(LabelMatcher.nothing);
    expect(
      parseLabelSelector('b')
        .with(labelRequirement('a', 'exists', []))
        .toString(),
    ).toBe('a,b');
  });
});

describe('a label requirement', () => {
  it.each<readonly [string, readonly string[], string]>([
    ['in', [], "values: Invalid value: null: for 'in', 'notin' operators, values set can't be empty"],
    ['=', ['a', 'b'], 'values: Invalid value: ["a","b"]: exact-match compatibility requires one single value'],
    ['exists', ['a'], 'values: Invalid value: ["a"]: values set must be empty for exists and does not exist'],
    ['gt', [], "values: Invalid value: null: for 'Gt', 'Lt' operators, exactly one value is required"],
    [
      'like',
      [],
      'operator: Unsupported value: "like": supported values: "in", "notin", "=", "==", "!=", "gt", "lt", "exists", "!"',
    ],
  ])('with operator %s and values %j is refused', (operator, values, message) => {
    expect(refusal(() => labelRequirement('k', operator, values))).toBe(message);
  });

  it('reports every complaint, each with its place', () => {
    expect(refusal(() => labelRequirement('_k', '=', ['-v'], 'at'))).toBe(
      `[at.key: Invalid value: "_k": name part ${key}, at.values[0][_k]: Invalid value: "-v": ${value}]`,
    );
  });
});

describe('a LabelSelector object', () => {
  it('compiles, absent to nothing and empty to everything', () => {
    expect(compileLabelSelector(undefined)).toBe(LabelMatcher.nothing);
    expect(compileLabelSelector({})).toBe(LabelMatcher.everything);
    const selector = {
      matchLabels: { z: '1' },
      matchExpressions: [
        { key: 'b', operator: 'In', values: ['y', 'x'] },
        { key: 'a', operator: 'DoesNotExist' },
        { key: 'c', operator: 'Exists', values: [] },
        { key: 'd', operator: 'NotIn', values: ['q'] },
      ],
    };
    expect(compileLabelSelector(selector).toString()).toBe('!a,b in (x,y),c,d notin (q),z=1');
    expect(compileLabelSelector(selector).matches({ b: 'x', c: '', z: '1' })).toBe(true);
    expect(formatLabelSelector(selector)).toBe('!a,b in (x,y),c,d notin (q),z=1');
    expect(formatLabelSelector({})).toBe('<none>');
    expect(formatLabelSelector({ matchExpressions: [{ key: 'a', operator: 'Foo' }] })).toBe('<error>');
  });

  it('is refused with an unknown operator or missing values', () => {
    expect(refusal(() => compileLabelSelector({ matchExpressions: [{ key: 'a', operator: 'Foo' }] }))).toBe(
      '"Foo" is not a valid label selector operator',
    );
    expect(
      refusal(() => compileLabelSelector({ matchExpressions: [{ key: 'a', operator: 'In', values: null }] })),
    ).toBe("values: Invalid value: null: for 'in', 'notin' operators, values set can't be empty");
  });

  it('is validated in the words of the server', () => {
    const selector = {
      matchLabels: { 'a b': 'c d' },
      matchExpressions: [
        { key: 'x', operator: 'Foo' },
        { key: 'y', operator: 'In' },
        { key: 'z', operator: 'Exists', values: ['q'] },
        { key: '_', operator: 'In', values: ['-'] },
      ],
    };
    expect(validateLabelSelector(selector, 'spec.selector').map(fieldErrorMessage)).toEqual([
      `spec.selector.matchLabels: Invalid value: "a b": name part ${key}`,
      `spec.selector.matchLabels: Invalid value: "c d": ${value}`,
      'spec.selector.matchExpressions[0].operator: Invalid value: "Foo": not a valid selector operator',
      "spec.selector.matchExpressions[1].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
      "spec.selector.matchExpressions[2].values: Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
      `spec.selector.matchExpressions[3].key: Invalid value: "_": name part ${key}`,
      `spec.selector.matchExpressions[3].values[0]: Invalid value: "-": ${value}`,
    ]);
    expect(validateLabelSelector(undefined, 'spec.selector')).toEqual([]);
  });

  it('of plain labels needs no checks', () => {
    expect(matcherFromSet({ b: '1', a: '2' }).toString()).toBe('a=2,b=1');
    expect(matcherFromSet(undefined)).toBe(LabelMatcher.everything);
  });
});
