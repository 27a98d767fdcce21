import { cloneJson } from '@capstan/meta';
import type { JsonObject } from '@capstan/meta';
import { describe, expect, it } from 'vitest';
import { setAt } from '../engine/path.js';
import { MachineConverter } from './converter.js';
import { nodePropagationOf } from './node-propagation.js';
import { boat, context, harbour } from './testing/harbour.js';

const converter = new MachineConverter(harbour);

function issuesOf(spec: JsonObject, nodePropagation?: ReturnType<typeof nodePropagationOf>) {
  const machine = cloneJson(boat()) as JsonObject;
  for (const [name, value] of Object.entries(spec)) setAt(machine, ['spec', name], value);
  const { errors, warnings } = converter.toClusterApi(machine, { ...context, nodePropagation });
  return { errors: errors.map(({ message, path }) => `${path}: ${message}`), paths: warnings.map(({ path }) => path) };
}

const spec = {
  metadata: {
    labels: { 'node-role.kubernetes.io/infra': '', 'example.com/rack': 'r1' },
    annotations: { owner: 'ops' },
  },
  taints: [{ key: 'infra', effect: 'NoSchedule' }],
};

describe('what Machine API brings to nodes', () => {
  it('gives a warning for each key that Cluster API does not bring there by default', () => {
    expect(issuesOf(spec)).toEqual({
      errors: [],
      paths: ['spec.metadata.labels[example.com/rack]', 'spec.metadata.annotations[owner]', 'spec.taints[0]'],
    });
  });

  it('gives no warning where flags and feature gates of the manager bring it there', () => {
    const known = nodePropagationOf([
      '--v=2',
      '--additional-sync-machine-labels=^example\\.com/,^other$',
      '--additional-sync-machine-annotations',
      'owner',
      '--feature-gates=MachinePool=true,MachineTaintPropagation=true',
    ]);
    expect(issuesOf(spec, known).paths).toEqual([]);
  });

  it.each([
    ['other flags', ['--additional-sync-machine-labels=^other$', '--feature-gates=MachineTaintPropagation=false']],
    ['an expression that is none', ['--additional-sync-machine-labels=(']],
  ])('gives the warnings with %s', (_name, args) => {
    expect(issuesOf(spec, nodePropagationOf(args)).paths).toHaveLength(3);
  });
});

describe('what a server of Cluster API would refuse', () => {
  const taint = (key: string) => ({ taints: [{ key, effect: 'NoSchedule' }] });
  it.each<readonly [string, JsonObject, string]>([
    [
      'a hook with a long name',
      { lifecycleHooks: { preDrain: [{ name: 'a'.repeat(64), owner: 'me' }] } },
      'spec.lifecycleHooks.preDrain[0].name: has 64 characters: Cluster API keeps hooks as annotations, whose names may have 63',
    ],
    [
      'two taints of one key and effect',
      { taints: [taint('a').taints[0], { ...taint('a').taints[0], value: 'x' }] },
      'spec.taints[1]: has the key and effect of an earlier one (a:NoSchedule), which Cluster API refuses: remove one',
    ],
    [
      'a taint of the node controller',
      taint('node.kubernetes.io/unreachable'),
      'spec.taints[0].key: is "node.kubernetes.io/unreachable", which Cluster API refuses for machines: the kubelet and the node controller set it',
    ],
    [
      'a deprecated taint',
      taint('node-role.kubernetes.io/master'),
      'spec.taints[0].key: is "node-role.kubernetes.io/master", which Cluster API refuses for machines: use node-role.kubernetes.io/control-plane',
    ],
  ])('is refused: %s', (_name, fields, expected) => {
    expect(issuesOf(fields).errors).toEqual([expected]);
  });

  it('is accepted: a taint for nodes that are out of service', () => {
    expect(issuesOf(taint('node.kubernetes.io/out-of-service')).errors).toEqual([]);
  });

  it('is refused: annotations that would be too large with what is preserved', () => {
    const machine = boat((object) => setAt(object, ['metadata', 'annotations'], { note: 'x'.repeat(262_144) }));
    const { errors, objects } = converter.toClusterApi(machine, context);
    expect([objects, errors.map(({ path }) => path)]).toEqual([[], ['metadata.annotations']]);
  });
});
