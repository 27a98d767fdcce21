import { describe, expect, it } from 'vitest';
import { electionOf, portOf } from './election.js';
import { parseFlags } from './flags.js';

const KINDS = {
  name: 'string',
  on: 'boolean',
  n: 'number',
  wait: 'duration',
  groups: 'list',
  rule: 'repeated',
} as const;

describe('flags', () => {
  it.each<[string[], object]>([
    [[], {}],
    [['--name=a', '--on', '--n', '4'], { name: 'a', on: true, n: 4 }],
    [['-name', 'a=b', '--on=false'], { name: 'a=b', on: false }],
    [['--wait=1h30m', '--groups=a,b', '--groups', 'c'], { wait: 5_400_000, groups: ['a', 'b', 'c'] }],
    [['manager', '--wait=1.5s', '--', '--unknown'], { wait: 1500 }],
    [['--wait=-10ms'], { wait: -10 }],
    [['--rule=a=1,b=2', '--rule', 'c'], { rule: ['a=1,b=2', 'c'] }],
  ])('%j are read', (args, values) => {
    expect(parseFlags(KINDS, args)).toEqual({ values });
  });

  it.each<[string[], string]>([
    [['--unknown=1'], 'unknown flag: --unknown'],
    [['--__proto__=1'], 'unknown flag: --__proto__'],
    [['--name'], 'flag needs an argument: --name'],
    [['--on=maybe'], 'invalid argument "maybe" for "--on" flag: strconv.ParseBool: parsing "maybe": invalid syntax'],
    [['--n=x'], 'invalid argument "x" for "--n" flag: strconv.ParseInt: parsing "x": invalid syntax'],
    [['--wait=5'], 'invalid argument "5" for "--wait" flag: time: invalid duration "5"'],
  ])('%j are refused', (args, problem) => {
    expect(parseFlags(KINDS, args)).toEqual({ problem });
  });
});

it('an election is held where the flags ask for one', () => {
  const who = { name: 'op', namespace: 'n', identity: 'me' };
  expect(electionOf({}, who)).toBeUndefined();
  expect(electionOf({ 'leader-elect': true }, who)).toEqual({
    name: 'op-leader-election',
    namespace: 'n',
    identity: 'me',
  });
  const flags = { 'leader-elect': true, 'leader-elect-lease-duration': 137_000, 'leader-election-id': 'x' };
  expect(electionOf(flags, who)).toMatchObject({ name: 'x', leaseDurationMs: 137_000 });
});

it.each<[string | undefined, number | undefined]>([
  [':8080', 8080],
  ['localhost:9440', 9440],
  ['0', undefined],
  ['', undefined],
  [undefined, undefined],
])('the port of %j is %j', (address, port) => {
  expect(portOf(address)).toBe(port);
});
