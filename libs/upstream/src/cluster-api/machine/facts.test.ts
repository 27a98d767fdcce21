import { describe, expect, it } from 'vitest';
import type { Node } from '../types.js';
import { nodeFacts } from './facts.js';

const EARLIER = '2026-01-01T00:00:00Z';

describe('what a machine depends on in its node', () => {
  const seen = (metadata: object = {}, more: object = {}): string => {
    const conditions = [{ type: 'Ready', status: 'True', lastHeartbeatTime: EARLIER, ...more }];
    return nodeFacts({ apiVersion: 'v1', kind: 'Node', metadata, status: { conditions } } as Node);
  };

  it.each<[string, string, boolean]>([
    ['heartbeats', seen({}, { lastHeartbeatTime: 'later' }), false],
    ['labels and annotations of others', seen({ labels: { a: 'b' }, annotations: { 'c.example/d': 'e' } }), false],
    ['labels it may have given', seen({ labels: { 'node-role.kubernetes.io/worker': '' } }), true],
    ['annotations of its own', seen({ annotations: { 'cluster.x-k8s.io/machine': 'other' } }), true],
    ['readiness', seen({}, { status: 'False' }), true],
  ])('%s', (_, text, isNews) => {
    expect(text !== seen()).toBe(isNews);
  });
});
