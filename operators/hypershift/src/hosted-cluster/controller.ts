import type { ControlPlaneComponent, HostedCluster, HostedControlPlane, NodePool } from '@capstan/api/hypershift';
import {
  clusterOf,
  CLUSTERS,
  conditionsOf,
  CONTROL_PLANE_COMPONENTS,
  controlPlaneNamespace,
  HOSTED_CLUSTERS,
  HOSTED_CONTROL_PLANES,
  NODE_POOLS,
  ReleaseLookups,
} from '@capstan/hosting';
import { changedOutsideStatus, changedExceptStatus, OptionalResource, requestFor } from '@capstan/kube';
import type { Client, Controller, Manager, Predicate, Request, ResourceKind, Source } from '@capstan/kube';
import { isConditionTrue } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import type { HostingPlatforms } from '@capstan/provider';
import type { ReleaseProvider } from '@capstan/release';
import type { HypershiftSettings } from '../config.js';
import {
  CLUSTER_ROLE_BINDINGS,
  CONFIG_MAPS,
  DEFINITIONS,
  DEPLOYMENTS,
  isBuiltIn,
  NAMESPACES,
  NETWORK_POLICIES,
  POD_MONITORS,
  ROLES,
  ROLE_BINDINGS,
  ROUTES,
  SECRETS,
  SERVICES,
  SERVICE_ACCOUNTS,
} from '../kinds.js';
import type { OperatorImages } from '../operator-image/images.js';
import type { SidecarInjection } from '../sidecar/sidecar.js';
import type { Turns } from '../turns/turns.js';
import { registerHostedClusterMetrics } from '../metrics/hosted-clusters.js';
import { reconcileHostedCluster } from './reconcile.js';
import { copiesOf } from './references.js';
import type { HostedClusterDependencies } from './state.js';
import { INFRA_ID_INDEX } from './gather.js';

/** What the HostedCluster controller needs in addition to its manager. */
export interface HostedClusterControllerOptions {
  /** On the transport that is declared for this controller. */
  readonly client: Client;
  readonly platforms: HostingPlatforms;
  readonly releases: ReleaseProvider;
  readonly settings: HypershiftSettings;
  readonly turns: Turns;
  readonly sidecar?: SidecarInjection | undefined;
  /** Images of control plane operators, which have to add the proxy to their components; undefined where that is not checked. */
  readonly operatorImages?: OperatorImages | undefined;
  readonly env: Readonly<Record<string, string>>;
  /** Derives keys from the random source of the operator: for simulations only. */
  readonly drawsKeys: boolean;
}

/** A control plane changes a hundred times while it starts: events are gathered this long. */
const GATHER_MS = 250;
const MIN_GAP_MS = 2_000;
const CONTROL_PLANE_INDEX = 'controlPlaneNamespace';
const SOURCE_INDEX = 'sources';
/** Kinds in a control plane namespace whose objects concern the HostedCluster of that namespace. */
const INSIDE: readonly ResourceKind[] = [
  CONTROL_PLANE_COMPONENTS,
  DEPLOYMENTS,
  SERVICES,
  SERVICE_ACCOUNTS,
  ROLES,
  ROLE_BINDINGS,
];

/** Adds the controller of HostedClusters to a manager. */
export function addHostedClusterController(manager: Manager, options: HostedClusterControllerOptions): Controller {
  const { cache } = manager;
  cache.addIndexer<HostedCluster>(HOSTED_CLUSTERS, INFRA_ID_INDEX, ({ spec }) => present(spec?.infraID));
  cache.addIndexer<HostedCluster>(
    HOSTED_CLUSTERS,
    CONTROL_PLANE_INDEX,
    ({ metadata: { name = '', namespace = '' } }) => [controlPlaneNamespace(namespace, name)],
  );
  cache.addIndexer<HostedCluster>(HOSTED_CLUSTERS, SOURCE_INDEX, (cluster) => sourcesOf(cluster, options.platforms));
  registerHostedClusterMetrics({
    clusters: () =>
      [...cache.informer<HostedCluster>(HOSTED_CLUSTERS).store.list()].filter((cluster) =>
        options.turns.isOwn(cluster),
      ),
    clock: manager.clock,
    metrics: manager.metrics,
  });
  const own = partsOf(manager, options);
  const controller = manager.controller({
    name: 'hostedcluster',
    reconcile: (request, context) => reconcileHostedCluster(own, request, context),
    maxConcurrent: options.settings.hostedClusters,
    gatherMs: GATHER_MS,
    minGapMs: MIN_GAP_MS,
  });
  watch(manager, controller, own.routes.changes);
  return options.sidecar === undefined ? controller : watchProxies(manager, controller);
}

function present<T>(value: T | undefined): T[] {
  return value === undefined ? [] : [value];
}

function partsOf(
  manager: Manager,
  { client, drawsKeys, env, operatorImages, platforms, releases, sidecar, turns }: HostedClusterControllerOptions,
): HostedClusterDependencies & { readonly routes: OptionalResource } {
  const { cache, clock, logger, random } = manager;
  const definitions = cache.informer(DEFINITIONS);
  return {
    client,
    cache: {
      get: (ref, name, options) => cache.get(ref, name, options),
      list: (ref, options) => cache.list(ref, options),
      canRead: (kind) => isBuiltIn(kind) || definitions.store.get(`${kind.plural}.${kind.group}`) !== undefined,
    },
    clock,
    random: random.split('hosted clusters'),
    recorder: manager.eventRecorder('hypershift-operator'),
    platforms,
    releases: new ReleaseLookups(releases),
    env,
    drawsKeys,
    turns,
    logger,
    sidecar,
    operatorImages,
    appliedSettings: new Map(),
    routes: new OptionalResource(ROUTES, { cache, client, clock }),
  };
}

function watch({ cache }: Manager, controller: Controller, routes: Source): Controller {
  const { store } = cache.informer<HostedCluster>(HOSTED_CLUSTERS);
  const ofNamespace = (namespace = ''): Request[] => store.byIndex(CONTROL_PLANE_INDEX, namespace).map(requestFor);
  const inside = ({ metadata }: KubeObject): Request[] => ofNamespace(metadata.namespace);
  const marked = (object: KubeObject): Request[] => present(clusterOf(object));
  const naming = (kind: SourceKind, metadata: KubeObject['metadata']): Request[] =>
    store.byIndex(SOURCE_INDEX, sourceKey(kind, metadata)).map(requestFor);
  const sources = (kind: SourceKind) => (object: KubeObject) => [
    ...inside(object),
    ...marked(object),
    ...naming(kind, object.metadata),
  ];
  controller
    .for<HostedCluster>(HOSTED_CLUSTERS)
    // A cluster that waits for the infraID or namespace of another is reconciled when that is deleted.
    .watches<HostedCluster>(HOSTED_CLUSTERS, ({ spec }) =>
      present(spec?.infraID).flatMap((infraID) => store.byIndex(INFRA_ID_INDEX, infraID).map(requestFor)),
    )
    .watches<KubeObject>(NAMESPACES, ({ metadata }) => [
      ...ofNamespace(metadata.name),
      ...naming('Namespace', metadata),
    ])
    // The statuses of NodePools and of the Cluster change with every machine, and nothing here depends on them.
    .watches<NodePool>(
      NODE_POOLS,
      ({ metadata, spec }) => [{ namespace: metadata.namespace ?? '', name: spec?.clusterName ?? '' }],
      { predicates: [changedOutsideStatus] },
    )
    .watches<KubeObject>(CLUSTERS, inside, { predicates: [changedOutsideStatus] })
    .watches<KubeObject>(CLUSTER_ROLE_BINDINGS, marked)
    .watches<KubeObject>(SECRETS, sources('Secret'))
    .watches<KubeObject>(CONFIG_MAPS, sources('ConfigMap'))
    .watches<KubeObject>(DEFINITIONS, () => unsupported(store.list()), { predicates: [comesOrGoes] });
  controller.watches<HostedControlPlane>(HOSTED_CONTROL_PLANES, inside, {
    predicates: [changedExceptStatus('nodeCount')],
  });
  for (const kind of INSIDE) controller.watches<ControlPlaneComponent & KubeObject>(kind, inside);
  controller.from(routes, inside);
  return controller;
}

/** Only of an operator on private types: another may not read these kinds. */
function watchProxies({ cache }: Manager, controller: Controller): Controller {
  const { store } = cache.informer<HostedCluster>(HOSTED_CLUSTERS);
  const inside = ({ metadata: { namespace = '' } }: KubeObject): Request[] =>
    store.byIndex(CONTROL_PLANE_INDEX, namespace).map(requestFor);
  const isOfMonitors = ({ metadata: { name } }: KubeObject): boolean =>
    name === `${POD_MONITORS.plural}.${POD_MONITORS.group}`;
  return controller
    .watches<KubeObject>(NETWORK_POLICIES, inside)
    .watches<KubeObject>(DEFINITIONS, (crd) => (isOfMonitors(crd) ? [...store.list()].map(requestFor) : []), {
      predicates: [comesOrGoes],
    });
}

type SourceKind = 'ConfigMap' | 'Namespace' | 'Secret';

function sourceKey(kind: SourceKind, { name = '', namespace = '' }: KubeObject['metadata']): string {
  return `${kind} ${namespace}/${name}`;
}

/** All objects in the namespace of a cluster that its spec or its platform names, as index keys. */
export function sourcesOf(cluster: HostedCluster, platforms: HostingPlatforms): string[] {
  const { namespace = '' } = cluster.metadata;
  const platform = platforms.find(cluster.spec?.platform.type ?? '');
  const secrets = platform?.secretNames({ hostedCluster: cluster }) ?? [];
  const namespaces = platform?.namespaces?.({ hostedCluster: cluster }) ?? [];
  const keys = [
    ...copiesOf(cluster).map(({ kind, name }) => sourceKey(kind, { namespace, name })),
    ...secrets.map((name) => sourceKey('Secret', { namespace, name })),
    ...namespaces.map(({ name }) => sourceKey('Namespace', { name })),
  ];
  return [...new Set(keys)];
}

const comesOrGoes: Predicate = ({ type }) => type !== 'update';

/** Clusters that may wait for a CRD, also those whose condition is not written yet. */
export function unsupported(clusters: Iterable<HostedCluster>): Request[] {
  return [...clusters]
    .filter((cluster) => !isConditionTrue(conditionsOf(cluster), 'SupportedHostedCluster'))
    .map(requestFor);
}
