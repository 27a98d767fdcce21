import type { ControlPlaneComponent, HostedCluster, HostedControlPlane, NodePool } from '@capstan/api/hypershift';
import {
  CONTROL_PLANE_COMPONENTS,
  HOSTED_CLUSTERS,
  HOSTED_CONTROL_PLANES,
  NODE_POOLS,
  publishingOf,
} from '@capstan/hosting';
import type { KubeObject } from '@capstan/meta';
import type { NamedBy } from '@capstan/provider';
import { CONFIG_MAPS, NAMESPACES, SECRETS, SERVICES } from '../kinds.js';
import { copiesOf } from './references.js';
import type { State } from './state.js';

/** The index of HostedClusters by infraID. */
export const INFRA_ID_INDEX = 'spec.infraID';
/** Of the Service, and of the Route where that is published by one. */
export const IGNITION_SERVICE = 'ignition-server';

/** Reads from the cache what the other steps decide by. */
export async function gather(state: State): Promise<void> {
  const { hostedCluster, namespace, dependencies, signal, converger } = state;
  const { name = '', namespace: home } = hostedCluster.metadata;
  const { cache } = dependencies;
  const secrets = state.platform?.secretNames({ hostedCluster }) ?? [];
  const pools = await cache.list<NodePool>(NODE_POOLS, { namespace: home });
  const components = await cache.list<ControlPlaneComponent>(CONTROL_PLANE_COMPONENTS, { namespace });
  state.controlPlane = await converger.find<HostedControlPlane>(HOSTED_CONTROL_PLANES, name, namespace);
  state.snapshot = {
    namespace: await converger.find(NAMESPACES, namespace),
    nodePools: pools.items.filter(({ spec }) => spec?.clusterName === name),
    components: components.items,
    sources: await sources(state),
    platformSecrets: await named(state, secrets),
    absentNamespaces: await absentNamespaces(state),
    rival: await rival(state),
    ignitionService: await converger.find(SERVICES, IGNITION_SERVICE, namespace),
    routes: isNamedByRouter(hostedCluster) ? await dependencies.routes.in(namespace, signal) : undefined,
  };
}

function isNamedByRouter({ spec }: HostedCluster): boolean {
  const strategy = publishingOf(spec?.services, 'Ignition');
  return strategy?.type === 'Route' && (strategy.route?.hostname ?? '') === '';
}

async function sources({ hostedCluster, converger }: State): Promise<Map<string, KubeObject>> {
  const found = new Map<string, KubeObject>();
  for (const { kind, name } of copiesOf(hostedCluster)) {
    const resource = kind === 'Secret' ? SECRETS : CONFIG_MAPS;
    const object = await converger.find(resource, name, hostedCluster.metadata.namespace);
    if (object !== undefined) found.set(`${kind} ${name}`, object);
  }
  return found;
}

async function named({ hostedCluster, converger }: State, names: readonly string[]): Promise<Map<string, KubeObject>> {
  const found = new Map<string, KubeObject>();
  for (const name of names) {
    const secret = await converger.find(SECRETS, name, hostedCluster.metadata.namespace);
    if (secret !== undefined) found.set(name, secret);
  }
  return found;
}

async function absentNamespaces({ hostedCluster, platform, converger }: State): Promise<NamedBy[]> {
  const absent: NamedBy[] = [];
  for (const wanted of platform?.namespaces?.({ hostedCluster }) ?? [])
    if ((await converger.find(NAMESPACES, wanted.name)) === undefined) absent.push(wanted);
  return absent;
}

/** An older cluster with the same infraID, which it belongs to; of two of the same age, the first by name. */
async function rival({ hostedCluster, dependencies }: State): Promise<HostedCluster | undefined> {
  const { infraID } = hostedCluster.spec ?? {};
  if (infraID === undefined) return undefined;
  const { items } = await dependencies.cache.list<HostedCluster>(HOSTED_CLUSTERS, {
    fieldSelector: `${INFRA_ID_INDEX}=${infraID}`,
  });
  const age = ({ metadata }: HostedCluster): string =>
    `${metadata.creationTimestamp ?? ''} ${metadata.namespace ?? ''}/${metadata.name ?? ''}`;
  return items.filter(
    (other) => other.metadata.uid !== hostedCluster.metadata.uid && age(other) < age(hostedCluster),
  )[0];
}
