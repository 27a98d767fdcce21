import { conversionPlatforms } from '@capstan/cli/platforms';
import { MachineConverter } from '@capstan/convert/machine-api';
import type { MachinePlatform } from '@capstan/convert/machine-api';
import { creationOf, firstDifference, planNewCluster, readyStatus } from '@capstan/machine-api';
import type { NewCluster, NewClusterInputs } from '@capstan/machine-api';
import type { JsonObject, KubeObject } from '@capstan/meta';
import { describe, expect, it } from 'vitest';
import { EXAMPLES, infrastructureOf, masterOf, NAME } from './new-cluster-examples.js';

const namespaces = { machineApi: 'openshift-machine-api', clusterApi: 'openshift-cluster-api' };
const controlPlaneEndpoint = { host: 'api-int.ocean.example.com', port: 6443 };
const platforms = [...(await conversionPlatforms())].flatMap((each) => ('refused' in each ? [] : [each]));

function inputs(platform: MachinePlatform, changes: Partial<NewClusterInputs> = {}): NewClusterInputs {
  const machines = [masterOf(platform.type), masterOf(platform.type, `${NAME}-master-1`)];
  return { platform, namespaces, infrastructure: infrastructureOf(platform.type), machines, ...changes };
}

function planOf(platform: MachinePlatform): NewCluster {
  const plan = planNewCluster(inputs(platform));
  if ('problems' in plan) throw new TypeError(plan.problems.join('\n'));
  return plan;
}

function problemsOf(type: string, changes: Partial<NewClusterInputs>): readonly string[] {
  const platform = platforms.find((each) => each.type === type) as MachinePlatform;
  const plan = planNewCluster(inputs(platform, changes));
  return 'problems' in plan ? plan.problems : [];
}

describe('The infrastructure cluster of machines that are there', () => {
  it('has an example for every platform that has conversion', () => {
    expect(Object.keys(EXAMPLES).toSorted()).toEqual(platforms.map(({ type }) => type).toSorted());
  });

  it.each(platforms.map((platform) => [platform.type, platform] as const))('is known on %s', (type, platform) => {
    const { cluster, infrastructureCluster, isManaged } = planOf(platform);
    expect(infrastructureCluster['spec']).toEqual({ ...EXAMPLES[type]?.expected, controlPlaneEndpoint });
    expect(infrastructureCluster.metadata.annotations).toEqual(
      isManaged ? undefined : { 'cluster.x-k8s.io/managed-by': 'capstan' },
    );
    expect(cluster).toMatchObject({
      metadata: { name: NAME, namespace: namespaces.clusterApi },
      spec: { controlPlaneEndpoint, infrastructureRef: { kind: platform.cluster.kind.kind, name: NAME } },
    });
  });

  it.each(platforms.map((platform) => [platform.type, platform] as const))(
    'is one that the Machines of the control plane of %s agree with',
    (_type, platform) => {
      const { infrastructureCluster } = planOf(platform);
      const { infrastructure, machines } = inputs(platform);
      const context = { clusterName: NAME, namespaces, infrastructure, infrastructureCluster };
      const { errors } = new MachineConverter(platform).toClusterApi(machines[0] as JsonObject, context);
      expect(errors.map(({ message, path }) => `${path}: ${message}`)).toEqual([]);
    },
  );

  it.each<[string, string, Partial<NewClusterInputs>, string]>([
    [
      'no name',
      'AWS',
      { infrastructure: named({}) },
      'Infrastructure cluster does not report status.infrastructureName',
    ],
    [
      'no endpoint',
      'AWS',
      { infrastructure: named({ infrastructureName: NAME }) },
      'Infrastructure cluster does not report status.apiServerInternalURI',
    ],
    ['no masters', 'AWS', { machines: [] }, 'namespace openshift-machine-api has no Machines of the control plane'],
    [
      'no load balancer',
      'AWS',
      { machines: [masterOf('AWS', 'm', { loadBalancers: [] })] },
      'Machines of the control plane are in 0 load balancers: an AWSCluster has one or two',
    ],
    [
      'masters that disagree',
      'VSphere',
      { machines: [masterOf('VSphere', 'm'), masterOf('VSphere', 'n', { workspace: { server: 'other' } })] },
      'workspace.server of Machine "m" is "vc.example.com", of Machine "n" "other": one cluster has one',
    ],
    [
      'no location',
      'Azure',
      { machines: [masterOf('Azure', 'm', { location: '' })] },
      'no Machine of the control plane has location',
    ],
    [
      'a master that cannot be converted',
      'PowerVS',
      { machines: [masterOf('PowerVS', 'm', { serviceInstance: {} })] },
      'Machine m: spec.providerSpec.value.serviceInstance',
    ],
  ])('is refused with %s', (_title, type, changes, problem) => {
    expect(problemsOf(type, changes)).toEqual(expect.arrayContaining([expect.stringContaining(problem)]));
  });

  it('is refused on a platform that does not know it', () => {
    const platform = platforms.find(({ type }) => type === 'AWS') as MachinePlatform;
    const plan = planNewCluster(inputs({ ...platform, newCluster: undefined } as unknown as MachinePlatform));
    expect(plan).toEqual({ problems: ['platform AWS: the AWSCluster has to be written by hand'] });
  });
});

function named(status: JsonObject): KubeObject {
  return { ...infrastructureOf('AWS'), status };
}

describe('An object of that name', () => {
  const live = (metadata: KubeObject['metadata'], more: JsonObject = {}): KubeObject => ({
    apiVersion: 'v1',
    kind: 'X',
    metadata,
    ...more,
  });
  it.each<[string, KubeObject | undefined, ReturnType<typeof creationOf>]>([
    ['is created where there is none', undefined, 'create'],
    ['of our own is kept', live({ labels: { 'app.kubernetes.io/managed-by': 'capstan' } }), 'keep'],
    [
      'of others is named',
      live({ annotations: { 'cluster.x-k8s.io/managed-by': 'them' } }),
      { problem: 'is managed by them' },
    ],
    ['of nobody is left alone', live({}), { problem: 'was created by others' }],
    [
      'that is being deleted is not waited for',
      live({ labels: { 'app.kubernetes.io/managed-by': 'capstan' }, deletionTimestamp: '2026-01-01T00:00:00Z' }),
      { problem: 'is being deleted' },
    ],
  ])('%s', (_title, object, expected) => {
    expect(creationOf(object)).toEqual(expected);
  });

  it('reports by either contract that it is ready, once', () => {
    expect(readyStatus(live({}), { ready: {} })).toEqual({ ready: true });
    expect(readyStatus(live({}), { initialization: {} })).toEqual({ initialization: { provisioned: true } });
    expect(readyStatus(live({}, { status: { ready: true } }), { ready: {} })).toBeUndefined();
    expect(readyStatus(live({}), {})).toBeUndefined();
  });

  it('is compared in what would be created alone', () => {
    expect(firstDifference({ a: { b: [1] } }, { a: { b: [1], c: 2 } })).toBeUndefined();
    expect(firstDifference({ a: { b: [1] } }, { a: { b: [2] } })).toBe('spec.a.b.0');
    expect(firstDifference({ a: { b: [1] } }, {})).toBe('spec.a');
  });
});
