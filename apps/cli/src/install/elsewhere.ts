import {
  LEASE,
  LEGACY_OPERATOR_NAME,
  OPERATOR_NAME,
  operatorName,
  PRIVATE_LEASE,
  shardLease,
  VERSION_ANNOTATION,
} from '@capstan/hypershift/manifests';
import type { Client } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import { CliError } from '../errors.js';
import type { InstallSettings } from './components.js';
import { DEPLOYMENTS } from './stopped.js';

const LEASES = { group: 'coordination.k8s.io', version: 'v1', plural: 'leases', namespaced: true };

type Place = Pick<InstallSettings, 'namespace' | 'scope'>;

/** Refuses operators in a second namespace: each namespace has leases of its own, so that both would reconcile at once. */
export async function refuseSecondNamespace(client: Client, place: Place): Promise<void> {
  const [other] = (await operatorNamespaces(client, place)).filter((each) => each !== place.namespace);
  if (other === undefined) return;
  throw new CliError(
    `${operatorName('standard', place.scope)} is installed in namespace ${other}: in ${place.namespace} another one would reconcile the same hosted clusters at the same time`,
    `give --namespace ${other}, or delete that Deployment first`,
  );
}

/** Refuses to delete what operators in another namespace use, where there are none in this one. */
export async function refuseOtherNamespace(client: Client, place: Place): Promise<void> {
  const found = await operatorNamespaces(client, place);
  const [other] = found;
  if (other === undefined || found.includes(place.namespace)) return;
  throw new CliError(
    `${operatorName('standard', place.scope)} is installed in namespace ${other}, not in ${place.namespace}`,
    `give --namespace ${other}`,
  );
}

/** The namespaces that have a Deployment of these operators. */
async function operatorNamespaces(client: Client, place: Place): Promise<readonly string[]> {
  const found = new Set<string>();
  for (const name of names(place))
    for (const deployment of await named(client, DEPLOYMENTS, name)) {
      const { annotations = {}, namespace = '' } = deployment.metadata;
      // Others may have a Deployment of that name: those of ours are marked, and HyperShift's have its lease.
      if (annotations[VERSION_ANNOTATION] !== undefined || (await hasLease(client, place, namespace)))
        found.add(namespace);
    }
  return [...found].toSorted();
}

function names({ scope }: Place): readonly string[] {
  return scope === undefined ? [OPERATOR_NAME, LEGACY_OPERATOR_NAME] : [operatorName('standard', scope)];
}

async function hasLease(client: Client, { scope }: Place, namespace: string): Promise<boolean> {
  const leases = scope === undefined ? [LEASE, PRIVATE_LEASE] : [shardLease(scope)];
  for (const name of leases) if ((await named(client, LEASES, name, namespace)).length > 0) return true;
  return false;
}

async function named(
  client: Client,
  resource: typeof DEPLOYMENTS,
  name: string,
  namespace?: string,
): Promise<readonly KubeObject[]> {
  const fieldSelector = `metadata.name=${name}`;
  const { items } = await client.list(resource, { namespace, fieldSelector, metadataOnly: true });
  return items;
}
