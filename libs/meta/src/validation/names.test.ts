import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  checkConfigMapKey,
  checkDns1035Label,
  checkDns1123Label,
  checkDns1123Subdomain,
  checkLabelValue,
  checkPathSegment,
  checkQualifiedName,
  nameIsDeclaredLong,
  nameIsDns1035Label,
  nameIsDnsLabel,
  nameIsDnsSubdomain,
  nameIsPathSegment,
  regexMessage,
  type Complaints,
} from './names.js';

const label =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const subdomain =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const dns1035 =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";
const key =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const value =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
const configKey =
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";

const a = (length: number): string => 'a'.repeat(length);

const cases: readonly (readonly [(text: string) => Complaints, string, Complaints])[] = [
  [checkDns1123Label, 'a-1', []],
  [checkDns1123Label, a(63), []],
  [checkDns1123Label, a(64), ['must be no more than 63 characters']],
  [checkDns1123Label, 'a.b', ['must not contain dots']],
  [checkDns1123Label, '', [label]],
  [checkDns1123Label, `A${a(63)}`, ['must be no more than 63 characters', label]],
  [checkDns1123Label, 'a-', [label]],
  [checkDns1123Label, 'a\n', [label]],
  [checkDns1123Subdomain, 'a.b-c.1', []],
  [checkDns1123Subdomain, a(253), []],
  [checkDns1123Subdomain, a(254), ['must be no more than 253 characters']],
  [checkDns1123Subdomain, 'a..b', [subdomain]],
  [checkDns1123Subdomain, 'a.-b', [subdomain]],
  [checkDns1123Subdomain, '_A', [subdomain]],
  [checkDns1123Subdomain, 'é'.repeat(127), ['must be no more than 253 characters', subdomain]],
  [checkDns1035Label, 'a-1', []],
  [checkDns1035Label, '1a', [dns1035]],
  [checkDns1035Label, a(64), ['must be no more than 63 characters']],
  [checkQualifiedName, 'a_B.c-d', []],
  [checkQualifiedName, `${a(253)}/${a(63)}`, []],
  [checkQualifiedName, '/b', ['prefix part must be non-empty']],
  [checkQualifiedName, 'a/', ['name part must be non-empty', `name part ${key}`]],
  [checkQualifiedName, `Up.com/${a(64)}`, [`prefix part ${subdomain}`, 'name part must be no more than 63 bytes']],
  [checkQualifiedName, `${a(254)}/x`, ['prefix part must be no more than 253 bytes']],
  [checkQualifiedName, 'a b', [`name part ${key}`]],
  [checkQualifiedName, `${a(63)} `, ['name part must be no more than 63 bytes', `name part ${key}`]],
  [
    checkQualifiedName,
    'a/b/c',
    [`a valid label key ${key} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`],
  ],
  [checkLabelValue, '', []],
  [checkLabelValue, 'My.value_1', []],
  [checkLabelValue, 'x y', [value]],
  [checkLabelValue, `-${a(63)}`, ['must be no more than 63 bytes', value]],
  [checkLabelValue, a(64), ['must be no more than 63 bytes']],
  [checkConfigMapKey, '.a', []],
  [checkConfigMapKey, '.', ["must not be '.'"]],
  [checkConfigMapKey, '..', ["must not be '..'"]],
  [checkConfigMapKey, '..a', ["must not start with '..'"]],
  [checkConfigMapKey, 'a/b', [configKey]],
  [checkConfigMapKey, a(254), ['must be no more than 253 characters']],
  [checkPathSegment, 'system:admin', []],
  [checkPathSegment, '..', ["may not be '..'"]],
  [checkPathSegment, 'a%/b', ["may not contain '/'", "may not contain '%'"]],
];

describe('name formats', () => {
  it.each(cases.map(([check, text, complaints]) => [check.name, text, check, complaints] as const))(
    '%s of %j complains in the words of the server',
    (_name, text, check, complaints) => {
      expect(check(text)).toEqual(complaints);
    },
  );

  it.each([
    [checkDns1123Label, /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/, 63],
    [checkDns1123Subdomain, /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/, 253],
    [checkDns1035Label, /^[a-z]([-a-z0-9]*[a-z0-9])?$/, 63],
    [checkLabelValue, /^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/, 63],
  ])('%o accepts what the format it quotes accepts', (check, format, length) => {
    const text = fc.array(fc.constantFrom('a', 'b', '0', '-', '.', '_', 'A', '\n'), { maxLength: 12 });
    fc.assert(
      fc.property(text, (characters) => {
        const candidate = characters.join('');
        expect(check(candidate).length === 0).toBe(format.test(candidate) && candidate.length <= length);
      }),
      { numRuns: 500 },
    );
  });

  it('are refused in linear time however they are built', () => {
    for (const hostile of [
      `${a(100_000)}_`,
      `${'a-'.repeat(50_000)}_`,
      `${'a.'.repeat(50_000)}_`,
      '-'.repeat(100_000),
    ]) {
      expect(checkDns1123Subdomain(hostile).length).toBe(2);
      expect(checkLabelValue(hostile).length).toBe(2);
    }
  });
});

describe('name validators', () => {
  it('let a prefix end in a dash', () => {
    expect(nameIsDnsSubdomain('a-', true)).toEqual([]);
    expect(nameIsDnsSubdomain('a-', false)).toEqual([subdomain]);
    expect(nameIsDnsLabel('a-', true)).toEqual([]);
    expect(nameIsDns1035Label('a-', true)).toEqual([]);
    expect(nameIsDnsLabel('-', true)).toEqual([label]);
  });

  it('let a prefix pass with a bad character before its dash, as the server does', () => {
    expect(nameIsDnsSubdomain('a.-', true)).toEqual([]);
    expect(nameIsDnsSubdomain('aé-', true)).toEqual([subdomain]);
  });

  it('let a path prefix be dots', () => {
    expect(nameIsPathSegment('..', true)).toEqual([]);
    expect(nameIsPathSegment('..', false)).toEqual(["may not be '..'"]);
    expect(nameIsPathSegment('%', true)).toEqual(["may not contain '%'"]);
  });

  it('are counted in bytes, and only whole, where the rule is declared', () => {
    expect(nameIsDeclaredLong(`A${'a'.repeat(253)}`, false)).toEqual(['must be no more than 253 bytes', subdomain]);
    expect(nameIsDeclaredLong('A', true)).toEqual([]);
  });
});

describe('regexMessage', () => {
  it('names the format alone when there are no examples', () => {
    expect(regexMessage('bad', 'x+')).toBe("bad (regex used for validation is 'x+')");
  });
});
