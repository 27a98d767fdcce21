import type { KubeObject } from '@capstan/meta';
import { describe, expect, it } from 'vitest';
import { hostConsumer, withConsumer } from './host.js';

const object = (apiVersion: string, kind: string, namespace: string): KubeObject => ({
  apiVersion,
  kind,
  metadata: { name: 'worker-0', namespace },
});
const mapi = object('machine.openshift.io/v1beta1', 'Machine', 'openshift-machine-api');
const child = object('infrastructure.cluster.x-k8s.io/v1beta2', 'Metal3Machine', 'openshift-cluster-api');
const host = (consumerRef?: object): KubeObject => ({
  ...object('metal3.io/v1alpha1', 'BareMetalHost', 'openshift-machine-api'),
  spec: { online: true, ...(consumerRef && { consumerRef }) },
});
const inMachineApi = {
  apiVersion: mapi.apiVersion,
  kind: 'Machine',
  name: 'worker-0',
  namespace: 'openshift-machine-api',
};
const inClusterApi = {
  apiVersion: child.apiVersion,
  kind: 'Metal3Machine',
  name: 'worker-0',
  namespace: 'openshift-cluster-api',
};

describe('The consumer of a host', () => {
  it.each<[string, KubeObject | undefined, string]>([
    ['none without a host', undefined, 'none'],
    ['none of a host that nothing uses', host(), 'none'],
    ['the machine of Machine API', host(inMachineApi), 'MachineAPI'],
    ['the infrastructure machine', host(inClusterApi), 'ClusterAPI'],
    [
      'the infrastructure machine in another version',
      host({ ...inClusterApi, apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta1' }),
      'ClusterAPI',
    ],
    ['another machine', host({ ...inMachineApi, name: 'worker-1' }), 'other'],
    ['a machine of another group', host({ ...inMachineApi, apiVersion: 'cluster.x-k8s.io/v1beta1' }), 'other'],
  ])('is %s', (_, found, expected) => {
    expect(hostConsumer({ mapi, child, host: found })).toBe(expected);
  });

  it('moves to the other side, and back to what it was', () => {
    const before = host(inMachineApi);
    const moved = withConsumer({ mapi, child }, before, 'ClusterAPI');
    expect(moved['spec']).toEqual({ online: true, consumerRef: inClusterApi });
    expect(withConsumer({ mapi, child }, moved, 'MachineAPI')).toEqual(before);
    expect(withConsumer({ mapi, child }, before, 'MachineAPI')).toBe(before);
  });
});
