/** A server with machines of Machine API, as they are before the operator has been there. */
import { kinds as clusterApiKinds } from '@capstan/api/cluster-api';
import { kinds as configKinds } from '@capstan/api/config';
import { awsCluster, awsMachine, awsMachineTemplate } from '@capstan/api/infrastructure/aws';
import { crd } from '@capstan/api/model';
import type { Client, ResourceKind } from '@capstan/kube';
import { CLUSTER_API_NAMESPACE, CLUSTERS, MAPI_MACHINE_SETS, MAPI_MACHINES } from '@capstan/machine-api';
import type { KubeObject } from '@capstan/meta';
import { eachBounded } from '@capstan/migration';
import { MACHINE_API_NAMESPACE, machineCrds, machineSetObject, USER_DATA } from '@capstan/simulation';

const CLUSTER = 'demo-x7k2p';
const AT_ONCE = 16;

const kind = (group: string, version: string, plural: string, name: string): ResourceKind => ({
  group,
  version,
  plural,
  namespaced: true,
  kind: name,
});
const whole = (of: ResourceKind): ResourceKind => ({ ...of, namespaced: false });
const INFRASTRUCTURE = 'infrastructure.cluster.x-k8s.io';
/** Infrastructure machines. */
export const AWS_MACHINES = kind(INFRASTRUCTURE, 'v1beta2', 'awsmachines', 'AWSMachine');
const AWS_CLUSTERS = kind(INFRASTRUCTURE, 'v1beta2', 'awsclusters', 'AWSCluster');
const CRDS = whole(kind('apiextensions.k8s.io', 'v1', 'customresourcedefinitions', 'CustomResourceDefinition'));
const INFRASTRUCTURES = whole(kind('config.openshift.io', 'v1', 'infrastructures', 'Infrastructure'));
const NAMESPACES = whole(kind('', 'v1', 'namespaces', 'Namespace'));
const SECRETS = kind('', 'v1', 'secrets', 'Secret');

const object = (of: ResourceKind, metadata: object, rest: object): KubeObject =>
  ({
    apiVersion: of.group === '' ? of.version : `${of.group}/${of.version}`,
    kind: of.kind,
    metadata,
    ...rest,
  }) as KubeObject;

/** Kinds, namespaces, and the Cluster of the platform. */
export async function createPlatform(client: Client): Promise<void> {
  const all = [...clusterApiKinds, ...configKinds, awsCluster, awsMachine, awsMachineTemplate];
  const crds = [...machineCrds(true), ...all.map((each) => crd(each, { conversion: 'none' }) as unknown as KubeObject)];
  for (const each of crds) await client.create(CRDS, each);
  for (const name of [MACHINE_API_NAMESPACE, CLUSTER_API_NAMESPACE])
    await client.create(NAMESPACES, object(NAMESPACES, { name }, {}));
  await client.create(SECRETS, USER_DATA);
  const aws = { aws: { region: 'us-east-1' }, type: 'AWS' };
  const status = { infrastructureName: CLUSTER, platformStatus: aws, platform: 'AWS' };
  const made = await client.create(INFRASTRUCTURES, object(INFRASTRUCTURES, { name: 'cluster' }, { spec: {} }));
  await client.update(INFRASTRUCTURES, { ...made, status }, { subresource: 'status' });
  const metadata = { name: CLUSTER, namespace: CLUSTER_API_NAMESPACE };
  const spec = { region: 'us-east-1', controlPlaneEndpoint: { host: 'api.demo.example.com', port: 6443 } };
  await client.create(AWS_CLUSTERS, object(AWS_CLUSTERS, metadata, { spec }));
  const infrastructureRef = { apiGroup: INFRASTRUCTURE, kind: 'AWSCluster', name: CLUSTER };
  await client.create(CLUSTERS, object(CLUSTERS, metadata, { spec: { infrastructureRef } }));
}

/** Sets with machines that run; several at once, or creating them takes longer than what is measured. */
export async function createMachines(client: Client, sets: readonly string[], each: number): Promise<void> {
  await eachBounded(sets, AT_ONCE, async (name, index = sets.indexOf(name)) => {
    const set = await client.create(MAPI_MACHINE_SETS, machineSetObject(name, each));
    const { uid = '' } = set.metadata;
    const owner = { apiVersion: set.apiVersion, kind: set.kind, name, uid, controller: true };
    const { metadata, spec } = (set['spec'] as { template: { metadata: object; spec: object } }).template;
    for (let at = 0; at < each; at += 1) {
      const own = { ...metadata, namespace: MACHINE_API_NAMESPACE, name: `${name}-${at}`, ownerReferences: [owner] };
      const providerID = `aws:///us-east-1a/i-${String(index * each + at).padStart(17, '0')}`;
      const finalizers = ['machine.machine.openshift.io'];
      const machine = object(MAPI_MACHINES, { ...own, finalizers }, { spec: { ...spec, providerID } });
      const created = await client.create(MAPI_MACHINES, machine);
      const status = { phase: 'Running', authoritativeAPI: 'MachineAPI' };
      await client.update(MAPI_MACHINES, { ...created, status }, { subresource: 'status' });
    }
  });
}
