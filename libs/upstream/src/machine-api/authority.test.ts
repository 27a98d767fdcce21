import { describe, expect, it } from 'vitest';
import { servesAuthority } from './authority-gate.js';
import { decideAuthority, isOurs } from './authority.js';
import { withCondition } from './conditions.js';
import type { MachineCondition } from './conditions.js';
import { machine, NOW } from './testing/objects.js';

const condition = (status: 'True' | 'False', reason: string, message: string, severity?: 'Info') =>
  withCondition([], { type: 'Paused', status, reason, message, ...(severity === undefined ? {} : { severity }) }, NOW);
const message = (authority: string): string => `The AuthoritativeAPI status is set to '${authority}'`;
const running = condition('False', 'AuthoritativeAPIMachineAPI', message('MachineAPI'), 'Info');
const paused = condition('True', 'AuthoritativeAPINotMachineAPI', message('ClusterAPI'));

describe('who acts on a machine', () => {
  it.each([
    ['a CRD without authority lets us act', false, undefined, {}, 'go'],
    ['an unset status is set to the spec first', true, 'ClusterAPI', {}, 'adopt'],
    ['an unset spec reads as ours', true, undefined, {}, 'adopt'],
    ['ours, but not reported yet', true, 'MachineAPI', { authoritativeAPI: 'MachineAPI' }, 'unpause'],
    [
      'ours, though it still reports paused',
      true,
      'MachineAPI',
      { authoritativeAPI: 'MachineAPI', conditions: paused },
      'unpause',
    ],
    ['ours, and reported', true, 'ClusterAPI', { authoritativeAPI: 'MachineAPI', conditions: running }, 'go'],
    ['theirs', true, 'ClusterAPI', { authoritativeAPI: 'ClusterAPI', conditions: running }, 'pause'],
    ['theirs, and reported', true, 'ClusterAPI', { authoritativeAPI: 'ClusterAPI', conditions: paused }, 'pause'],
    ['nobody’s for now', true, 'ClusterAPI', { authoritativeAPI: 'Migrating', conditions: running }, 'pause'],
    ['a word nobody knows', true, 'MachineAPI', { authoritativeAPI: 'Both' }, 'keep-away'],
    [
      'an object that names an authority is obeyed whatever the CRD',
      false,
      'ClusterAPI',
      { authoritativeAPI: 'ClusterAPI' },
      'pause',
    ],
  ])('%s', (...[, isGated, authoritativeAPI, status, act]) => {
    const spec = authoritativeAPI === undefined ? {} : { authoritativeAPI };
    expect(decideAuthority(machine('a', { spec, status }), isGated).act).toBe(act);
  });

  it('acts on a control plane, whose conditions have no severity', () => {
    const { severity: _, ...plain } = running[0] as MachineCondition;
    const status = { authoritativeAPI: 'MachineAPI', conditions: [plain] };
    expect(decideAuthority(machine('a', { status }), true, { hasSeverity: false }).act).toBe('go');
  });

  it('takes the authority of the spec over, or ours', () => {
    const adopt = (spec: object): unknown => decideAuthority(machine('a', { spec }), true);
    expect(adopt({ authoritativeAPI: 'ClusterAPI' })).toEqual({ act: 'adopt', authority: 'ClusterAPI' });
    expect(adopt({})).toEqual({ act: 'adopt', authority: 'MachineAPI' });
  });

  it('reports why it is paused', () => {
    expect(decideAuthority(machine('a', { status: { authoritativeAPI: 'Migrating' } }), true)).toEqual({
      act: 'pause',
      condition: {
        type: 'Paused',
        status: 'True',
        reason: 'AuthoritativeAPINotMachineAPI',
        message: "The AuthoritativeAPI status is set to 'Migrating'",
      },
    });
  });

  it.each([
    ['', true, false],
    ['', false, true],
    ['MachineAPI', true, true],
    ['ClusterAPI', false, false],
    ['Migrating', true, false],
  ])('authority %j with gate %j is ours: %j', (authoritativeAPI, isGated, ours) => {
    const status = authoritativeAPI === '' ? {} : { authoritativeAPI };
    expect(isOurs(machine('a', { status }), isGated)).toBe(ours);
  });

  it('reads from a CRD whether it knows of authority', () => {
    const crd = (properties: Record<string, { properties: Record<string, object> }>) => ({
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: {},
      spec: { versions: [{ name: 'v1beta1', schema: { openAPIV3Schema: { properties } } }] },
    });
    expect(servesAuthority(crd({ status: { properties: { authoritativeAPI: {} } } }), 'v1beta1')).toBe(true);
    expect(servesAuthority(crd({ status: { properties: { phase: {} } } }), 'v1beta1')).toBe(false);
    expect(servesAuthority(crd({ status: { properties: { authoritativeAPI: {} } } }), 'v1')).toBe(false);
  });
});

describe('conditions', () => {
  it('stay in order of type and move their time with any change', () => {
    const first = withCondition(undefined, { type: 'B', status: 'True' }, 'then');
    const second = withCondition(first, { type: 'A', status: 'False', reason: 'r' }, 'now');
    expect(second.map(({ type, lastTransitionTime }) => [type, lastTransitionTime])).toEqual([
      ['A', 'now'],
      ['B', 'then'],
    ]);
    expect(withCondition(second, { type: 'B', status: 'True' }, 'later')).toBe(second);
    expect(withCondition(second, { type: 'B', status: 'True', message: 'm' }, 'later')[1]).toEqual({
      type: 'B',
      status: 'True',
      message: 'm',
      lastTransitionTime: 'later',
    });
  });
});
