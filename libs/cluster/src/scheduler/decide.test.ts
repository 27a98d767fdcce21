import { describe, expect, it } from 'vitest';
import type { PodSpec } from '../workload/pod-spec.js';
import type { Node, Pod } from '../workload/resources.js';
import { podRequests } from './amounts.js';
import { place } from './decide.js';
import type { NodeUse } from './fit.js';

const container = (requests: Record<string, string> = {}) => ({ name: 'c', image: 'i', resources: { requests } });

function pod(spec: Partial<PodSpec> = {}): Pod {
  const metadata = { name: 'p', namespace: 'n', uid: 'u' };
  return { apiVersion: 'v1', kind: 'Pod', metadata, spec: { containers: [container()], ...spec } } as Pod;
}

function node(
  name: string,
  more: { labels?: Record<string, string>; spec?: Node['spec']; pods?: number } = {},
): NodeUse {
  const { labels = {}, pods = 0, spec = {} } = more;
  const allocatable = { cpu: '2', memory: '1Gi', pods: '10' };
  const object: Node = { apiVersion: 'v1', kind: 'Node', metadata: { name, labels }, spec, status: { allocatable } };
  return { node: object, pods, used: new Map([['cpu', 1000]]), hostPorts: new Set(['TCP/80']) };
}

const NOT_HELPFUL = '0/1 nodes are available: 1 Preemption is not helpful for scheduling.';
const NO_VICTIMS = '0/1 nodes are available: 1 No preemption victims found for incoming pod.';

const affinity = (matchExpressions: object[]): Partial<PodSpec> =>
  ({
    affinity: {
      nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions }] } },
    },
  }) as Partial<PodSpec>;

describe('place', () => {
  it('takes the node with the fewest pods, of equals the first by name', () => {
    expect(place(pod(), [node('b', { pods: 2 }), node('c', { pods: 1 }), node('a', { pods: 1 })])).toEqual({
      node: 'a',
    });
  });

  it('reports that there are no nodes', () => {
    expect(place(pod(), [])).toEqual({ failure: 'no nodes available to schedule pods' });
  });

  const taint = { key: 'k', value: 'v', effect: 'NoSchedule' };
  it.each<[string, Partial<PodSpec>, NodeUse]>([
    ['a toleration by value', { tolerations: [{ key: 'k', value: 'v' }] }, node('a', { spec: { taints: [taint] } })],
    ['a toleration of everything', { tolerations: [{ operator: 'Exists' }] }, node('a', { spec: { taints: [taint] } })],
    ['a taint that only prefers', {}, node('a', { spec: { taints: [{ ...taint, effect: 'PreferNoSchedule' }] } })],
    ['a selector', { nodeSelector: { zone: 'x' } }, node('a', { labels: { zone: 'x' } })],
    [
      'affinity In',
      affinity([{ key: 'zone', operator: 'In', values: ['x', 'y'] }]),
      node('a', { labels: { zone: 'y' } }),
    ],
    ['affinity NotIn an absent label', affinity([{ key: 'zone', operator: 'NotIn', values: ['x'] }]), node('a')],
    ['affinity Gt', affinity([{ key: 'n', operator: 'Gt', values: ['9'] }]), node('a', { labels: { n: '10' } })],
    ['what is left of the cpu', { containers: [container({ cpu: '1' })] }, node('a')],
    [
      'a cordoned node that is tolerated',
      { tolerations: [{ key: 'node.kubernetes.io/unschedulable', operator: 'Exists' }] },
      node('a', { spec: { unschedulable: true } }),
    ],
  ])('accepts %s', (_, spec, use) => {
    expect(place(pod(spec), [use])).toEqual({ node: 'a' });
  });

  it.each<[string, string, Partial<PodSpec>, NodeUse]>([
    ['node(s) had untolerated taint(s)', NOT_HELPFUL, {}, node('a', { spec: { taints: [taint] } })],
    [
      'node(s) had untolerated taint(s)',
      NOT_HELPFUL,
      { tolerations: [{ key: 'k', value: 'other' }] },
      node('a', { spec: { taints: [{ ...taint, effect: 'NoExecute' }] } }),
    ],
    ['node(s) were unschedulable', NOT_HELPFUL, {}, node('a', { spec: { unschedulable: true } })],
    ["node(s) didn't match Pod's node affinity/selector", NOT_HELPFUL, { nodeSelector: { zone: 'x' } }, node('a')],
    ["node(s) didn't match Pod's node affinity/selector", NOT_HELPFUL, affinity([]), node('a')],
    [
      "node(s) didn't match Pod's node affinity/selector",
      NOT_HELPFUL,
      affinity([{ key: 'n', operator: 'Lt', values: ['9'] }]),
      node('a', { labels: { n: 'ten' } }),
    ],
    ['Insufficient cpu', NO_VICTIMS, { containers: [container({ cpu: '1001m' })] }, node('a')],
    ['Insufficient example.com/gpu', NO_VICTIMS, { containers: [container({ 'example.com/gpu': '1' })] }, node('a')],
    ['Too many pods', NO_VICTIMS, {}, node('a', { pods: 10 })],
    [
      "node(s) didn't have free ports for the requested pod ports",
      NO_VICTIMS,
      { containers: [{ name: 'c', ports: [{ containerPort: 8080, hostPort: 80 }] }] },
      node('a'),
    ],
  ])('refuses with "%s"', (reason, preemption, spec, use) => {
    const failure = `0/1 nodes are available: 1 ${reason}. no new claims to deallocate, preemption: ${preemption}`;
    expect(place(pod(spec), [use])).toEqual({ failure });
  });

  it('takes amounts that nobody has for the most that counts', () => {
    const endless = node('a');
    const allocatable = { cpu: '10e1215752190', memory: '1e5000', pods: '10' };
    const boasting: NodeUse = { ...endless, node: { ...endless.node, status: { allocatable } } };
    expect(place(pod({ containers: [container({ cpu: '1e5000' })] }), [node('b')])).toEqual({
      failure: expect.stringContaining('0/1 nodes are available: 1 Insufficient cpu.') as string,
    });
    expect(place(pod({ containers: [container({ cpu: '4' })] }), [node('b'), boasting])).toEqual({ node: 'a' });
  });

  it('counts the reasons of several nodes, in order', () => {
    const nodes = [
      node('a', { spec: { taints: [taint] } }),
      node('b', { pods: 10 }),
      node('c', { spec: { taints: [taint] } }),
    ];
    const small = pod({ preemptionPolicy: 'Never', containers: [container({ cpu: '3' })] });
    expect(place(small, nodes)).toEqual({
      failure:
        '0/3 nodes are available: 1 Insufficient cpu, 1 Too many pods, 2 node(s) had untolerated taint(s). no new claims to deallocate, preemption: not eligible due to preemptionPolicy=Never.',
    });
  });
});

describe('podRequests', () => {
  it('is the sum of the containers, or what initialization needs if that is more', () => {
    const spec: Partial<PodSpec> = {
      containers: [container({ cpu: '100m', memory: '1Mi' }), container({ cpu: '0.2' })],
      initContainers: [
        { ...container({ cpu: '1' }) },
        { ...container({ cpu: '50m', memory: '2Mi' }), restartPolicy: 'Always' },
        { ...container({ cpu: '1' }) },
      ],
      overhead: { cpu: '10m' },
    };
    expect(Object.fromEntries(podRequests(pod(spec)))).toEqual({ cpu: 1060, memory: 3 * 1024 * 1024 });
  });
});
