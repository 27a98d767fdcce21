import { cluster, kinds, machine } from '@capstan/api/cluster-api';
import type { Cluster, Machine, MachineV1Beta1 } from '@capstan/api/cluster-api';
import type { ClusterVersion } from '@capstan/api/config';
import type { HostedCluster, NodePool } from '@capstan/api/hypershift';
import type { HostedAWSCluster } from '@capstan/api/hypershift-infrastructure';
import type { AWSMachine } from '@capstan/api/infrastructure/aws';
import { machine as openshiftMachine } from '@capstan/api/machine';
import type { Machine as OpenshiftMachine } from '@capstan/api/machine';
import { resource } from '@capstan/api/model';
import type { CustomResourceDefinition, KindResource } from '@capstan/api/model';
import type { ResourceKind } from '@capstan/kube';
import type { KubeObject, ObjectMeta } from '@capstan/meta';
import { expect, expectTypeOf, it } from 'vitest';

it('gives types that clients take as they are', () => {
  expectTypeOf<Machine>().toExtend<KubeObject>();
  expectTypeOf<MachineV1Beta1>().toExtend<KubeObject>();
  expectTypeOf<OpenshiftMachine>().toExtend<KubeObject>();
  expectTypeOf<HostedCluster>().toExtend<KubeObject>();
  expectTypeOf<HostedAWSCluster>().toExtend<KubeObject>();
  expectTypeOf<AWSMachine>().toExtend<KubeObject>();
  expectTypeOf<Machine['metadata']>().toEqualTypeOf<ObjectMeta>();
  expectTypeOf<CustomResourceDefinition>().toExtend<KubeObject>();
  expectTypeOf<KindResource>().toExtend<ResourceKind>();
  expect(resource(machine)).toEqual({
    group: 'cluster.x-k8s.io',
    version: 'v1beta2',
    plural: 'machines',
    namespaced: true,
    kind: 'Machine',
  });
  expect(resource(openshiftMachine).group).toBe('machine.openshift.io');
  expect(kinds).toContain(cluster);
});

it('gives types as precise as the definition', () => {
  expectTypeOf<Machine['apiVersion']>().toEqualTypeOf<'cluster.x-k8s.io/v1beta2'>();
  expectTypeOf<Machine['spec']['clusterName']>().toEqualTypeOf<string>();
  expectTypeOf<Machine['spec']['providerID']>().toEqualTypeOf<string | undefined>();
  expectTypeOf<NonNullable<Cluster['status']>['phase']>().toEqualTypeOf<
    'Pending' | 'Provisioning' | 'Provisioned' | 'Deleting' | 'Failed' | 'Unknown' | undefined
  >();
  expectTypeOf<NonNullable<OpenshiftMachine['status']>['authoritativeAPI']>().toEqualTypeOf<
    'MachineAPI' | 'ClusterAPI' | 'Migrating' | undefined
  >();
  expectTypeOf<NonNullable<NonNullable<ClusterVersion['status']>['desired']>['version']>().toEqualTypeOf<string>();
  expectTypeOf<NonNullable<NodePool['spec']>['platform']['type']>().toEqualTypeOf<
    'AWS' | 'Azure' | 'IBMCloud' | 'KubeVirt' | 'Agent' | 'PowerVS' | 'None' | 'OpenStack' | 'GCP'
  >();
  type ControlPlaneVersion = NonNullable<NonNullable<HostedCluster['status']>['controlPlaneVersion']>;
  type Update = NonNullable<ControlPlaneVersion['history']>[number];
  expectTypeOf<Update['state']>().toEqualTypeOf<'Completed' | 'Partial'>();
  expectTypeOf<Update['completionTime']>().toEqualTypeOf<string | null | undefined>();
  expectTypeOf<Update['verified']>().toEqualTypeOf<boolean | undefined>();
  expectTypeOf<ControlPlaneVersion['observedGeneration']>().toEqualTypeOf<number>();
});
