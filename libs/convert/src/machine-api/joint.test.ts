import type { JsonObject } from '@capstan/meta';
import { describe, expect, it } from 'vitest';
import { same } from '../engine/field-rules.js';
import { TwoWayMap } from '../engine/two-way-map.js';
import { joint } from './joint.js';
import { absentMeans, integerBetween } from './meanings.js';
import type { MachineContext } from './platform.js';
import { runsControlPlane } from './runs-control-plane.js';
import { context } from './testing/harbour.js';
import { text } from './values.js';

const issueLines = (issues: readonly { readonly path: string; readonly message: string }[]): string[] =>
  issues.map(({ message, path }) => `${path}: ${message}`);

describe('fields that are read together', () => {
  const map = new TwoWayMap<MachineContext>({
    rules: [
      joint({
        left: { size: 'boat.size', isFast: 'boat.fast' },
        right: { class: 'class' },
        forward: (read) => ({ class: `${read.text('size') ?? 'small'}${read.flag('isFast') === true ? '+' : ''}` }),
        backward: (read) => {
          const found = read.text('class') ?? 'small';
          if (found === 'raft') read.error('class', 'is no boat');
          return { size: found.replace('+', ''), isFast: found.endsWith('+') };
        },
      }),
    ],
  });

  it('are known by names of their own', () => {
    expect(map.forward({ boat: { size: 'large', fast: true } }, context).value).toEqual({ class: 'large+' });
    expect(map.backward({ class: 'large+' }, context).value).toEqual({ boat: { size: 'large', fast: true } });
  });

  it('say what is wrong where it is', () => {
    expect(issueLines(map.forward({ boat: { size: 7, fast: 'x' } }, context).errors)).toEqual([
      'boat.size: must be a string',
      'boat.fast: must be true or false',
    ]);
    expect(issueLines(map.backward({ class: 'raft' }, context).errors)).toEqual(['class: is no boat']);
  });

  it('have the normal form in which they come back', () => {
    expect(map.normalise('left', {}, context)).toEqual({ boat: { size: 'small', fast: false } });
    expect(map.normalise('right', {}, context)).toEqual({ class: 'small' });
  });
});

describe('what an absent value means', () => {
  const map = new TwoWayMap<MachineContext>({
    rules: [
      same('kind', absentMeans(text, { left: 'boat', right: { error: 'must be set' } })),
      same('berths', absentMeans(integerBetween(0, 9), { left: 2 })),
    ],
  });

  it.each<[JsonObject, JsonObject]>([
    [{}, { kind: 'boat', berths: 2 }],
    [
      { kind: '', berths: 0 },
      { kind: 'boat', berths: 0 },
    ],
    [
      { kind: 'raft', berths: 9 },
      { kind: 'raft', berths: 9 },
    ],
  ])('%j is %j', (left, right) => {
    expect(map.forward(left, context)).toEqual({ value: right, errors: [], warnings: [] });
    expect(map.normalise('left', left, context)).toEqual(right);
  });

  it('may be an error', () => {
    expect(issueLines(map.backward({}, context).errors)).toEqual(['kind: must be set']);
    expect(issueLines(map.forward({ berths: 10 }, context).errors)).toEqual(['berths: must be from 0 to 9, and is 10']);
    expect(issueLines(map.forward({ berths: 1.5 }, context).errors)).toEqual(['berths: must be a whole number']);
  });
});

describe('machines of a control plane', () => {
  const role = 'machine.openshift.io/cluster-api-machine-role';
  const mark = { 'cluster.x-k8s.io/control-plane': '' };
  it.each<[JsonObject, boolean]>([
    [{ metadata: { labels: { [role]: 'master' } } }, true],
    [{ metadata: { labels: { [role]: 'worker' } } }, false],
    [{ spec: { template: { metadata: { labels: { [role]: 'master' } } } } }, true],
    [{ metadata: { ownerReferences: [{ kind: 'ControlPlaneMachineSet' }] } }, true],
    [{ kind: 'ControlPlaneMachineSet' }, true],
    [{ machine: { metadata: { labels: mark } } }, true],
    [{ machineSet: { spec: { template: { metadata: { labels: mark } } } } }, true],
    [{ machine: { metadata: { labels: {} } } }, false],
    [{ set: {}, template: {} }, true],
    [{ metadata: 'x' }, false],
  ])('%j: %j', (root, expected) => {
    expect(runsControlPlane(root)).toBe(expected);
  });
});
