import { CLUSTERS, HOSTED_CLUSTERS, HOSTED_CONTROL_PLANES } from '@capstan/hosting';
import type { Client, ResourceRef } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import { HARBOUR_CLUSTERS } from '@capstan/provider/testing';
import { hostedDefinitions } from '../hosted-cluster/definitions.js';
import {
  CLUSTER_STATUS,
  clusterObjects,
  CONTROL_PLANE_STATUS,
  controlPlane,
  HOME,
  HOSTED,
  hostedCluster,
  IGNITION_CA,
  NAMESPACE,
  secret,
  SECRETS,
} from './objects.js';

/** Every CRD that pools need. */
export function definitions(): KubeObject[] {
  return hostedDefinitions().map((definition) => {
    const { labels, name = '' } = definition.metadata;
    // Cluster API learns from the label which version of a control plane keeps its contract.
    const contract = name.startsWith('hostedcontrolplanes.') ? { 'cluster.x-k8s.io/v1beta1': 'v1beta1' } : {};
    return { ...definition, metadata: { ...definition.metadata, labels: { ...labels, ...contract } } };
  });
}

/** Writes the status of an object. */
export async function setStatus(
  client: Client,
  ref: ResourceRef,
  { name, namespace }: { readonly namespace: string; readonly name: string },
  status: object,
): Promise<void> {
  const patch = { type: 'merge', value: { status } } as const;
  await client.patch(ref, name, patch, { namespace, subresource: 'status' });
}

/** What the operators of the cluster would have made. */
export async function hostCluster(client: Client): Promise<void> {
  await client.create(SECRETS, secret(NAMESPACE, 'pull-secret', { '.dockerconfigjson': '{"auths":{}}' }));
  await client.create(SECRETS, secret(HOME, IGNITION_CA, { 'ca.crt': 'CERTIFICATE' }));
  await client.create(HOSTED_CLUSTERS, hostedCluster());
  await client.create(HOSTED_CONTROL_PLANES, controlPlane());
  const [infrastructure, cluster] = clusterObjects();
  if (infrastructure !== undefined) await client.create(HARBOUR_CLUSTERS, infrastructure);
  if (cluster !== undefined) await client.create(CLUSTERS, cluster);
  await setStatus(client, HOSTED_CLUSTERS, { namespace: NAMESPACE, name: HOSTED }, CLUSTER_STATUS);
  await setStatus(client, HOSTED_CONTROL_PLANES, { namespace: HOME, name: HOSTED }, CONTROL_PLANE_STATUS);
  await setStatus(client, HARBOUR_CLUSTERS, { namespace: HOME, name: HOSTED }, { ready: true });
}
