import type { Client, ReconcileContext } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import { CloudError } from '../../cloud/errors.js';
import type { CloudApi } from '../../cloud/client.js';
import type { Instance, InstanceRequest } from '../../cloud/instance.js';
import { OWNER_TAG } from '../../cloud/instance.js';
import { CLUSTER_LABEL, clusterTag } from '../names.js';
import type { WantedInstance } from '../platforms.js';
import { SECRETS } from '../resources.js';
import type { Machine } from '../resources.js';
import { found } from './drain.js';

/** The tags an instance is found by: no two machines ever share them. */
export function tagsOf({ metadata }: Machine): Record<string, string> {
  return {
    [clusterTag(metadata.labels?.[CLUSTER_LABEL] ?? '')]: 'owned',
    [OWNER_TAG]: metadata.uid ?? '',
  };
}

/** What is asked for. The token is the machine's own identity, so that asking twice gives one instance. */
export function instanceRequest(machine: Machine, wanted: WantedInstance, userData: string): InstanceRequest {
  const { name = '', uid = '' } = machine.metadata;
  return {
    platform: wanted.row.platform,
    token: uid,
    name,
    type: wanted.instanceType,
    image: wanted.image,
    region: wanted.region,
    zone: wanted.zone,
    account: wanted.account,
    group: wanted.group,
    tags: { Name: name, ...tagsOf(machine) },
    userData,
  };
}

interface Order {
  readonly machine: Machine;
  readonly wanted: WantedInstance;
  readonly context: ReconcileContext;
}

/** Orders the instance of a machine; safe to be repeated. */
export async function orderInstance(
  { machine, wanted, context }: Order,
  cloud: CloudApi,
  client: Client,
): Promise<Instance> {
  const userData = await readUserData(machine, wanted, client, context.signal);
  // A manager that has lost the lease must not create anything more.
  context.signal.throwIfAborted();
  return cloud.create(instanceRequest(machine, wanted, userData));
}

/** Read past the cache: a Secret is not for keeping in memory. */
async function readUserData(
  machine: Machine,
  { userDataSecret }: WantedInstance,
  client: Client,
  signal: AbortSignal,
): Promise<string> {
  if (userDataSecret === '') return '';
  const { namespace = '' } = machine.metadata;
  const secret = await found(client.get<KubeObject>(SECRETS, userDataSecret, { namespace, signal }));
  const data = (secret?.['data'] ?? {}) as { readonly userData?: string };
  if (data.userData === undefined)
    throw new CloudError('InvalidParameter', `user data secret ${namespace}: "${userDataSecret}" not found`);
  return Buffer.from(data.userData, 'base64').toString('utf8');
}
