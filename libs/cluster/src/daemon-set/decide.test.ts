import { describe, expect, it } from 'vitest';
import type { Pod } from '../workload/resources.js';
import { daemonSetStatus, decideDaemons, REVISION_LABEL } from './decide.js';
import type { DaemonInput, DaemonSet } from './decide.js';
import { decidePlacement, specForNode, targetNode } from './placement.js';
import type { Node, Taint } from './placement.js';

const NOW = Date.UTC(2030, 0, 1);

function node(name: string, labels: Record<string, string> = {}, taints: Taint[] = []): Node {
  return { apiVersion: 'v1', kind: 'Node', metadata: { name, labels }, spec: { taints } };
}

/** `a` ready and new, `a*` old, `a!` not ready, `a-` leaving, `ax` failed; the letter is the node. */
function pod(text: string, at: number): Pod {
  const has = (mark: string): boolean => text.includes(mark);
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: text,
      uid: text,
      creationTimestamp: new Date(NOW - 60_000 + at * 1000).toISOString(),
      labels: { [REVISION_LABEL]: has('*') ? 'old' : 'new' },
      ...(has('-') ? { deletionTimestamp: '2030-01-01T00:00:00Z' } : {}),
    },
    spec: { nodeName: text[0] ?? '' },
    status: {
      phase: has('x') ? 'Failed' : 'Running',
      conditions: [{ type: 'Ready', status: has('!') || has('x') ? 'False' : 'True' }],
    },
  };
}

function input(pods: string, strategy: DaemonSet['spec']['updateStrategy'] = {}, nodes = 'abc'): DaemonInput {
  const metadata = { name: 'd', namespace: 'n', generation: 4 };
  const spec = { selector: {}, template: {}, updateStrategy: strategy };
  return {
    set: { apiVersion: 'apps/v1', kind: 'DaemonSet', metadata, spec },
    pods: pods.split(' ').filter(Boolean).map(pod),
    nodes: [...nodes].map((name) => node(name)),
    hash: 'new',
    nowMs: NOW,
  };
}

describe('the pods of a DaemonSet', () => {
  const half = { rollingUpdate: { maxUnavailable: '50%' } };
  const surge = { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } };
  it.each([
    ['one on each node', input(''), 'a b c', ''],
    ['where one is missing', input('a c'), 'b', ''],
    ['not while the old one is still leaving', input('a b- c'), '', ''],
    ['one per node, the oldest', input('a a! b c'), '', 'a!'],
    ['instead of a failed one', input('a bx c'), '', 'bx'],
    ['updated one by one', input('a* b* c*'), '', 'a*'],
    ['those that serve nobody first, and no other', input('a* b*! c*'), '', 'b*!'],
    ['none while a new one is not ready', input('a! b* c*'), '', ''],
    ['more at once by percentage, rounded up', input('a* b* c*', half), '', 'a* b*'],
    ['none on delete', input('a* b* c*', { type: 'OnDelete' }), '', ''],
    ['with surge the new before the old', input('a* b* c*', surge), 'a', ''],
    ['with surge the old when the new is available', input('a* a b* c*', surge), '', 'a*'],
    ['with surge no other meanwhile', input('a* a! b* c*', surge), '', ''],
  ])('are made and taken: %s', (_, of, create, remove) => {
    const step = decideDaemons(of);
    expect([step.create.join(' '), step.remove.map(({ metadata }) => metadata.name).join(' ')]).toEqual([
      create,
      remove,
    ]);
  });

  it('are counted by node', () => {
    expect(daemonSetStatus(input('a b* c! c*-'))).toEqual({
      currentNumberScheduled: 3,
      numberMisscheduled: 0,
      desiredNumberScheduled: 3,
      numberReady: 2,
      observedGeneration: 4,
      updatedNumberScheduled: 2,
      numberAvailable: 2,
      numberUnavailable: 1,
    });
  });
});

describe('the nodes of a DaemonSet', () => {
  const terms = (nodeSelectorTerms: object[]) => ({
    affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } } },
  });
  const expression = (key: string, operator: string, ...values: string[]) => ({
    matchExpressions: [{ key, operator, values }],
  });
  const YES = { shouldRun: true, mayStay: true };
  const NO = { shouldRun: false, mayStay: false };
  const STAY = { shouldRun: false, mayStay: true };
  it.each([
    ['any', {}, node('a'), YES],
    ['a named one', { nodeName: 'b' }, node('a'), NO],
    ['selected by label', { nodeSelector: { os: 'x' } }, node('a', { os: 'x' }), YES],
    ['not selected', { nodeSelector: { os: 'x' } }, node('a'), NO],
    [
      'fitting one of the terms',
      terms([expression('n', 'Gt', '5'), expression('os', 'In', 'x')]),
      node('a', { os: 'x' }),
      YES,
    ],
    ['fitting none', terms([expression('os', 'NotIn', 'x')]), node('a', { os: 'x' }), NO],
    ['an empty term', terms([{}]), node('a'), NO],
    ['tainted against new pods', {}, node('a', {}, [{ key: 't', effect: 'NoSchedule' }]), STAY],
    ['tainted against all', {}, node('a', {}, [{ key: 't', effect: 'NoExecute' }]), NO],
    ['cordoned', {}, node('a', {}, [{ key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' }]), YES],
    ['not ready', {}, node('a', {}, [{ key: 'node.kubernetes.io/not-ready', effect: 'NoExecute' }]), YES],
    [
      'tolerated',
      { tolerations: [{ key: 't', value: 'v' }] },
      node('a', {}, [{ key: 't', value: 'v', effect: 'NoExecute' }]),
      YES,
    ],
    [
      'not tolerated',
      { tolerations: [{ key: 't', value: 'w' }] },
      node('a', {}, [{ key: 't', value: 'v', effect: 'NoExecute' }]),
      NO,
    ],
  ])('are found: %s', (_, spec, of, wanted) => {
    expect(decidePlacement(spec, of)).toEqual(wanted);
  });

  it('name their node for the scheduler', () => {
    const spec = specForNode(terms([expression('os', 'In', 'x')]), 'a');
    expect(targetNode({ apiVersion: 'v1', kind: 'Pod', metadata: {}, spec })).toBe('a');
  });
});
