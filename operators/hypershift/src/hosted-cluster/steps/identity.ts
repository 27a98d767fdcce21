import type { HostedCluster } from '@capstan/api/hypershift';
import { conditionsOf, FINALIZER, HAS_BEEN_AVAILABLE_ANNOTATION, HOSTED_CLUSTERS } from '@capstan/hosting';
import { uuid, withFinalizer } from '@capstan/kube';
import { isConditionTrue } from '@capstan/meta';
import type { Random } from '@capstan/meta';
import type { State } from '../state.js';

/** Cloud resources are named after an infraID, and some clouds allow no more. */
const MAX_INFRA_ID = 27;
const RANDOM_LENGTH = 5;
/** No vowels, so that no words come of it; nothing that looks like something else. */
const ALPHABET = 'bcdfghjkmnpqrstvwxz2456789';

/** `name-x7k2p`: short, and nobody else's. */
export function newInfraID(name: string, random: Random): string {
  const base = name
    .replaceAll('.', '-')
    .slice(0, MAX_INFRA_ID - RANDOM_LENGTH - 1)
    .replace(/-+$/, '');
  const suffix = Array.from({ length: RANDOM_LENGTH }, () => ALPHABET[random.below(ALPHABET.length)]);
  return `${base}-${suffix.join('')}`;
}

/** The cluster with what is made up once, and kept in its spec before anything is made by that name. */
export function identified(cluster: HostedCluster, random: Random): HostedCluster {
  const { clusterID, infraID } = cluster.spec ?? {};
  const made = {
    ...(clusterID === undefined || clusterID === '' ? { clusterID: uuid(random) } : {}),
    ...(infraID === undefined || infraID === '' ? { infraID: newInfraID(cluster.metadata.name ?? '', random) } : {}),
  };
  const spec = { ...cluster.spec, ...made } as NonNullable<HostedCluster['spec']>;
  return remembered(withFinalizer({ ...cluster, spec }, FINALIZER));
}

/** Remembers that the cluster was available, once it was. */
function remembered(cluster: HostedCluster): HostedCluster {
  const { annotations = {} } = cluster.metadata;
  const isKnown = Object.hasOwn(annotations, HAS_BEEN_AVAILABLE_ANNOTATION);
  if (isKnown || !isConditionTrue(conditionsOf(cluster), 'Available')) return cluster;
  const metadata = { ...cluster.metadata, annotations: { ...annotations, [HAS_BEEN_AVAILABLE_ANNOTATION]: 'true' } };
  return { ...cluster, metadata };
}

/** Finalizer, clusterID and infraID, before the first thing that needs them. */
export async function identity(state: State): Promise<void> {
  const { converger, dependencies, hostedCluster: before } = state;
  const after = identified(before, dependencies.random);
  state.hostedCluster = await converger.patch(HOSTED_CLUSTERS, before, after);
}
