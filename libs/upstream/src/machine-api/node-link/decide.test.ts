import { describe, expect, it } from 'vitest';
import { machine, node } from '../testing/objects.js';
import { dressedNode, linkOf, machineOfNode } from './decide.js';

const at = (address: string) => ({ addresses: [{ type: 'InternalIP', address }] });

describe('the machine behind a node', () => {
  const n1 = node('n1');
  it.each([
    [
      'is that of its provider ID',
      [machine('a', { spec: { providerID: 'aws:///us-east-1a/n1' } }), machine('b', { status: at('10.0.0.2') })],
      'a',
    ],
    [
      'is that of its address',
      [machine('a', { spec: { providerID: 'aws:///us-east-1a/n9' } }), machine('b', { status: at('10.0.0.2') })],
      'b',
    ],
    [
      'is nobody when two claim its provider ID',
      [
        machine('a', { spec: { providerID: 'aws:///us-east-1a/n1' } }),
        machine('b', { spec: { providerID: 'aws:///us-east-1a/n1' } }),
      ],
      undefined,
    ],
    [
      'is nobody when two claim its address',
      [machine('a', { status: at('10.0.0.2') }), machine('b', { status: at('10.0.0.2') })],
      undefined,
    ],
    ['is nobody among strangers', [machine('a')], undefined],
  ])('%s', (_name, machines, expected) => {
    expect(machineOfNode(n1, machines)?.metadata.name).toBe(expected);
  });

  it('is linked once, and again to a node of the same name', () => {
    expect(linkOf(machine('a'), n1)).toEqual({ kind: 'Node', name: 'n1', uid: 'uid-n1' });
    expect(
      linkOf(machine('a', { status: { nodeRef: { kind: 'Node', name: 'n1', uid: 'uid-n1' } } }), n1),
    ).toBeUndefined();
    expect(linkOf(machine('a', { status: { nodeRef: { name: 'n1', uid: 'old' } } }), n1)?.uid).toBe('uid-n1');
  });

  it('gives it labels, annotations and the taints it lacks', () => {
    const taints = [
      { key: 'a', effect: 'NoSchedule' },
      { key: 'b', effect: 'NoSchedule' },
    ];
    const spec = { metadata: { labels: { role: 'infra' }, annotations: { note: 'x' } }, taints };
    const there = node('n1', 'True', 1, {
      metadata: { labels: { kept: 'yes' } },
      spec: { taints: [{ key: 'a', value: 'mine', effect: 'NoSchedule' }] },
    });
    const dressed = dressedNode(there, machine('m', { spec }));
    expect(dressed.metadata.labels).toEqual({ kept: 'yes', role: 'infra' });
    expect(dressed.metadata.annotations).toEqual({
      'machine.openshift.io/machine': 'openshift-machine-api/m',
      note: 'x',
    });
    expect(dressed.spec?.taints).toEqual([{ key: 'a', value: 'mine', effect: 'NoSchedule' }, taints[1]]);
    expect(dressedNode(dressed, machine('m', { spec }))).toEqual(dressed);
  });
});
