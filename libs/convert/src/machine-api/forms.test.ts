import { describe, expect, it } from 'vitest';
import { same } from '../engine/field-rules.js';
import { codecViolations } from '../engine/laws.js';
import { TwoWayMap } from '../engine/two-way-map.js';
import type { MachineContext, MachineRule } from './platform.js';
import { noMetadata, sameProviderId, secretNamespace } from './rules.js';
import { distinctTexts, oncePer, textMap, textOf, wholeNumber } from './forms.js';

const context: MachineContext = {
  clusterName: 'c',
  namespaces: { machineApi: 'openshift-machine-api', clusterApi: 'openshift-cluster-api' },
};

function issuesOf(rule: MachineRule, source: Record<string, unknown>): string[] {
  const { errors } = new TwoWayMap<MachineContext>({ rules: [rule] }).forward(source, context);
  return errors.map(({ path, message }) => `${path}: ${message}`);
}

describe('a text', () => {
  const short = textOf({ maxLength: 3, form: { pattern: /^[a-z]+$/, mustBe: 'must be letters' }, needed: 'is needed' });

  it.each([
    ['abc', []],
    ['', ['a: is needed']],
    [undefined, ['a: is needed']],
    [null, ['a: is needed']],
    [7, ['a: must be a string']],
    [['a'], ['a: must be a string']],
    ['abcd', ['a: must have at most 3 characters']],
    ['a1', ['a: is "a1": must be letters']],
  ])('%j gives the expected errors', (value, expected) => {
    expect(issuesOf(same('a', short), { a: value })).toEqual(expected);
  });

  it('means absent when empty', () => {
    expect(codecViolations(textOf(), { left: ['', 'x'], right: ['', 'x'] }, context)).toEqual([]);
  });
});

describe('a list of texts', () => {
  it.each([
    [['a', 'b'], []],
    [[], []],
    ['a', ['a: must be a list']],
    [['a', ''], ['a: has an item that cannot be kept: an empty string has no meaning']],
    [['a', 7], ['a: has an item that cannot be kept: 7 must be a string']],
    [[{}], ['a: has an item that cannot be kept: {} must be a string']],
  ])('%j gives the expected errors', (value, expected) => {
    expect(issuesOf(same('a', distinctTexts()), { a: value })).toEqual(expected);
  });

  it('has each of them once, in their order', () => {
    const map = new TwoWayMap<MachineContext>({ rules: [same('a', distinctTexts())] });
    expect(map.forward({ a: ['b', 'a', 'b'] }, context).value).toEqual({ a: ['b', 'a'] });
    expect(codecViolations(distinctTexts(), { left: [['b', 'a', 'b']], right: [['b', 'b']] }, context)).toEqual([]);
  });
});

describe('a map of texts', () => {
  it.each([
    [{ a: 'b' }, []],
    [{ a: 1 }, ['a: must be an object with a text for each key']],
    [['a'], ['a: must be an object with a text for each key']],
    ['a', ['a: must be an object with a text for each key']],
  ])('%j gives the expected errors', (value, expected) => {
    expect(issuesOf(same('a', textMap), { a: value })).toEqual(expected);
  });
});

describe('metadata of a provider spec', () => {
  it.each([[undefined], [null], [{}], [{ creationTimestamp: null }], [{ labels: {} }]])('may be %j', (metadata) => {
    expect(issuesOf(noMetadata, { metadata })).toEqual([]);
  });

  it.each([[{ name: 'x' }], [{ labels: { a: 'b' } }], ['x'], [7]])('may not be %j', (metadata) => {
    expect(issuesOf(noMetadata, { metadata })).toEqual([
      'metadata: has no place in Cluster API, and nothing reads it: remove it',
    ]);
  });
});

describe('the namespace of a secret', () => {
  const elsewhere = (value: string): string =>
    `s.namespace: is ${value}: only secrets in "openshift-machine-api" can be kept, as Cluster API reads them where its machines are`;

  it.each([
    [undefined, []],
    ['', []],
    ['openshift-machine-api', []],
    ['default', [elsewhere('"default"')]],
    [7, [elsewhere('7')]],
  ])('%j gives the expected errors', (namespace, expected) => {
    expect(issuesOf(secretNamespace('s.namespace', 'never'), { s: { namespace } })).toEqual(expected);
  });

  it('is written next to a name, when it is always written', () => {
    const back = (isWritten: 'always' | 'never', source: Record<string, unknown>): unknown =>
      new TwoWayMap<MachineContext>({
        rules: [same('s.name'), secretNamespace('s.namespace', isWritten)],
      }).backward(source, context).value;
    expect(back('always', { s: { name: 'x' } })).toEqual({ s: { name: 'x', namespace: 'openshift-machine-api' } });
    expect(back('always', {})).toEqual({});
    expect(back('never', { s: { name: 'x' } })).toEqual({ s: { name: 'x' } });
  });
});

describe('a whole number', () => {
  it.each([
    [1, []],
    [0, ['a: is needed']],
    [undefined, ['a: is needed']],
    [-1, ['a: must be a whole number of at least 1']],
    [1.5, ['a: must be a whole number of at least 1']],
    ['1', ['a: must be a whole number of at least 1']],
  ])('%j gives the expected errors', (value, expected) => {
    expect(issuesOf(same('a', wholeNumber({ min: 1, needed: 'is needed' })), { a: value })).toEqual(expected);
  });
});

describe('a list that Cluster API keeps by a key', () => {
  it('has no key twice', () => {
    const list = [{ k: 'a' }, { k: 'b' }, 7, { k: 'a' }, {}, {}];
    expect(issuesOf(oncePer('list', 'k'), { list }).filter((each) => !each.includes('does not know'))).toEqual([
      'list[3].k: Duplicate value: "a": Cluster API keeps the list by its k',
    ]);
  });
});

describe('a provider ID that both sides have', () => {
  const rules = [
    same('spec.providerID'),
    ...sameProviderId({ pattern: /^boat:\/\/\d+$/, form: 'boat://<number>', use: 'Machine API finds boats by' }),
  ];
  const map = new TwoWayMap<MachineContext>({ rules });
  const back = (providerID: unknown): string[] => {
    const whole = new TwoWayMap<MachineContext>({ rules: [...rules, same('machine')] });
    return whole
      .backward({ machine: { spec: { providerID } } }, context)
      .errors.map(({ path, message }) => `${path}: ${message}`);
  };

  it('is written on the infrastructure machine', () => {
    const { errors, value } = map.forward({ spec: { providerID: 'boat://7' } }, context);
    expect({ errors, value }).toEqual({
      errors: [],
      value: { spec: { providerID: 'boat://7' }, providerID: 'boat://7' },
    });
  });

  it('must be of the form that Machine API knows, on either way', () => {
    const { errors } = map.forward({ spec: { providerID: 'ship://7' } }, context);
    expect(errors.map(({ path, message }) => `${path}: ${message}`)).toEqual([
      'spec.providerID: is "ship://7": Machine API finds boats by boat://<number>',
    ]);
    expect(back('boat://7')).toEqual([]);
    expect(back(undefined)).toEqual([]);
    expect(back('ship://7')).toEqual([
      'machine.spec.providerID: is "ship://7": Machine API finds boats by boat://<number>, and the ID of a node cannot change: replace the machine',
    ]);
  });
});
