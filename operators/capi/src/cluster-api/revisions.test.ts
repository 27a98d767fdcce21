import type { ClusterAPI } from '@capstan/api/operator';
import { describe, expect, it } from 'vitest';
import type { Snapshot } from './snapshot.js';
import { definition, transportMap } from '../testing/objects.js';
import { readReleases } from '../transport/releases.js';
import { observedStatus } from './revisions.js';

const MAP = transportMap('core', [definition('Machine', { v1: {} })]);

function snapshot(
  generation: number,
  status?: ClusterAPI['status'],
  listed: string[] = ['machines.cluster.x-k8s.io'],
): Snapshot {
  return {
    mode: { active: true, future: true },
    clusterApi: {
      apiVersion: 'operator.openshift.io/v1alpha1',
      kind: 'ClusterAPI',
      metadata: { name: 'cluster', generation },
      spec: { unmanagedCustomResourceDefinitions: listed },
      ...(status === undefined ? {} : { status }),
    },
    releases: readReleases([MAP]),
    installed: new Map(),
    written: new Map(),
    requirements: new Map(),
    foreignRequirements: new Set(),
    clusterOperator: undefined,
  };
}

describe('the status of ClusterAPI', () => {
  it('begins with a first revision', () => {
    expect(observedStatus(snapshot(3))).toMatchObject({
      observedRevisionGeneration: 3,
      currentRevision: expect.stringMatching(/^4\.22\.0-[0-9a-f]{8}-1$/),
      revisions: [{ revision: 1, unmanagedCustomResourceDefinitions: ['machines.cluster.x-k8s.io'] }],
    });
  });

  it('gets no revision when nothing changed', () => {
    const first = observedStatus(snapshot(3));
    expect(observedStatus(snapshot(4, first))).toEqual({ ...first, observedRevisionGeneration: 4 });
  });

  it('gets a revision with the next number when the list grew, and forgets the oldest of sixteen', () => {
    let status = observedStatus(snapshot(1));
    for (let at = 2; at <= 18; at += 1)
      status = observedStatus(
        snapshot(
          at,
          status,
          Array.from({ length: at }, (_, n) => `a${n}.b.io`),
        ),
      );
    expect(status?.revisions.map(({ revision }) => revision)).toEqual(Array.from({ length: 16 }, (_, at) => at + 3));
    expect(status?.desiredRevision).toBe(status?.revisions.at(-1)?.name);
  });

  it('is not written where there is no ClusterAPI', () => {
    expect(observedStatus({ ...snapshot(1), clusterApi: undefined })).toBeUndefined();
  });
});
