import type { HostedControlPlane } from '@capstan/api/hypershift';
import type { KubeObject } from '@capstan/meta';
import { describe, expect, it } from 'vitest';
import { DEPLOYMENTS } from '../../kinds.js';
import { controlPlaneOwner } from '../../objects/ownership.js';
import { Snapshot } from '../../objects/snapshot.js';
import { ownerOf } from '../inputs.js';
import { decideDeletion } from './decide.js';

describe('the deletion of a control plane', () => {
  const plane = (annotations: Record<string, string>, conditions: object[]): HostedControlPlane =>
    ({
      apiVersion: 'hypershift.openshift.io/v1beta1',
      kind: 'HostedControlPlane',
      metadata: { name: 'one', namespace: 'ns', uid: 'u', annotations },
      status: { conditions },
    }) as unknown as HostedControlPlane;
  const CLEAN = { 'hypershift.openshift.io/cleanup-cloud-resources': 'true' };
  const UP = { type: 'KubeAPIServerAvailable', status: 'True' };
  const running = (hcp: HostedControlPlane, deletionTimestamp?: string): KubeObject => {
    const deployment = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'd' } };
    const object = controlPlaneOwner(ownerOf(hcp)).mark(deployment) as unknown as KubeObject;
    return deletionTimestamp === undefined
      ? object
      : { ...object, metadata: { ...object.metadata, deletionTimestamp } };
  };
  const decide = (hcp: HostedControlPlane, ...workloads: KubeObject[]): string => {
    const snapshot = new Snapshot();
    for (const each of workloads) snapshot.put(DEPLOYMENTS, each);
    return decideDeletion(hcp, snapshot, ownerOf(hcp)).do;
  };

  it('deletes its workloads, and removes the finalizer once none of them is left', () => {
    const hcp = plane({}, [UP]);
    expect(decide(hcp, running(hcp))).toBe('delete-workloads');
    expect(decide(hcp, running(hcp, 'now'))).toBe('await-workloads');
    expect(decide(hcp)).toBe('remove-finalizer');
    const foreign: KubeObject = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'mine' } };
    expect(decide(hcp, foreign)).toBe('remove-finalizer');
  });

  it('waits for the cloud resources to be deleted, where that is requested and its API server answers', () => {
    const asked = plane(CLEAN, [UP]);
    expect(decide(asked, running(asked))).toBe('await-cleanup');
    const done = plane(CLEAN, [UP, { type: 'CloudResourcesDestroyed', status: 'True' }]);
    expect(decide(done, running(done))).toBe('delete-workloads');
    const down = plane(CLEAN, [{ ...UP, status: 'False' }]);
    expect(decide(down, running(down))).toBe('delete-workloads');
  });
});
