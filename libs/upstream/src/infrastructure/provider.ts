import {
  changedOutsideStatus,
  BadUsage,
  defineOperator,
  generationChanged,
  Manager,
  not,
  or,
  resourceVersionChanged,
} from '@capstan/kube';
import type { ManagerOptions, ObjectEvent, OperatorDefinition, Request } from '@capstan/kube';
import { cloudClient } from '../cloud/client.js';
import type { CloudApi } from '../cloud/client.js';
import type { Cloud } from '../cloud/cloud.js';
import type { CloudPlatform } from '../cloud/instance.js';
import { noticeSource } from '../cloud/notices.js';
import type { CloudNotices } from '../cloud/notices.js';
import { ClusterReconciler } from './cluster-reconciler.js';
import type { EndpointOf } from './cluster-reconciler.js';
import { MachineReconciler } from './machine-reconciler.js';
import { CLUSTER_LABEL, coreKind, isInfrastructureReady, kindOf } from './objects.js';
import type { Cluster, Contract, Machine } from './objects.js';
import { PLATFORMS } from './platforms.table.js';
import { DEFAULT_INTERVALS, retryExpectedErrors, NOTIFIED_INTERVALS } from './shared.js';
import type { ProviderContext, ProviderIntervals } from './shared.js';

export interface InfrastructureProviderOptions extends ManagerOptions {
  readonly platform: CloudPlatform;
  readonly cloud: CloudApi;
  /** In which words status is written. Default: those of every provider today, v1beta1. */
  readonly contract?: Contract | undefined;
  /** The version in which Clusters and Machines are read. Default v1beta2. */
  readonly coreVersion?: Contract | undefined;
  /** The endpoint of the API server of a cluster, for infrastructure clusters that report it. Default: none. */
  readonly endpointOf?: EndpointOf | undefined;
  /** Notifies of instances that changed, so that they need not wait for the next requeue. Default: none. */
  readonly notices?: CloudNotices | undefined;
  readonly intervals?: Partial<ProviderIntervals> | undefined;
  /** Machines worked on at once. Default 10. */
  readonly concurrency?: number | undefined;
}

/** The infrastructure provider of a platform, as Cluster API knows such: machines become instances of its cloud. */
export function infrastructureProvider(options: InfrastructureProviderOptions): Manager {
  const { concurrency = 10, contract = 'v1beta1', coreVersion = 'v1beta2', endpointOf, platform } = options;
  const row = PLATFORMS[platform];
  const manager = new Manager(options);
  const intervals = {
    ...DEFAULT_INTERVALS,
    ...(options.notices === undefined ? {} : NOTIFIED_INTERVALS),
    ...options.intervals,
  };
  const [machines, clusters] = [coreKind(coreVersion, 'Machine'), coreKind(coreVersion, 'Cluster')];
  const provider: ProviderContext = {
    manager,
    row,
    cloud: options.cloud,
    contract,
    core: { clusters, machines },
    intervals,
  };
  const [machineKind, clusterKind] = [kindOf(row, 'Machine'), kindOf(row, 'Cluster')];
  const known = manager.cache.informer(machineKind);
  manager.cache.addIndexer(machineKind, UID_INDEX, ({ metadata }) => [metadata.uid ?? '']);
  const ofCluster = (namespace: string, cluster: string): Request[] =>
    [...known.store.list()]
      .filter(({ metadata }) => metadata.namespace === namespace && metadata.labels?.[CLUSTER_LABEL] === cluster)
      .map(({ metadata }) => ({ namespace, name: metadata.name ?? '' }));
  const infraOf =
    (kind: string) =>
    ({ metadata, spec }: Machine): Request[] =>
      spec?.infrastructureRef?.kind === kind
        ? [{ namespace: metadata.namespace ?? '', name: spec.infrastructureRef.name ?? '' }]
        : [];
  const reconciler = new MachineReconciler(provider);
  const machineController = manager.controller({
    name: machineKind.kind.toLowerCase(),
    reconcile: retryExpectedErrors(provider, reconciler.reconcile),
    maxConcurrent: concurrency,
  });
  machineController
    // The status is written here only.
    .for(machineKind, { predicates: [or(changedOutsideStatus, isResync)] })
    .watches<Machine>(machines, infraOf(machineKind.kind), { predicates: [or(generationChanged, isResync)] })
    .watches<Cluster>(clusters, ({ metadata }) => ofCluster(metadata.namespace ?? '', metadata.name ?? ''), {
      predicates: [or<Cluster>(generationChanged, isReadinessChanged, isResync)],
    });
  if (options.notices !== undefined)
    machineController.from(
      noticeSource(options.notices, (uid) => {
        const found = known.store.byIndex(UID_INDEX, uid);
        if (found.length > 0) reconciler.instanceChanged(uid);
        return found;
      }),
      ({ metadata }) => [{ namespace: metadata.namespace ?? '', name: metadata.name ?? '' }],
    );
  const clusterController = manager.controller({
    name: clusterKind.kind.toLowerCase(),
    reconcile: retryExpectedErrors(
      provider,
      new ClusterReconciler(provider, endpointOf ?? (() => undefined)).reconcile,
    ),
  });
  clusterController
    .for(clusterKind)
    .watches<Machine>(clusters, infraOf(clusterKind.kind), { predicates: [or(changedOutsideStatus, isResync)] });
  return manager;
}

const UID_INDEX = 'uid';
const isResync = not(resourceVersionChanged);

/** Each such event is a call to the cloud for every machine of the cluster: other changes of its status cause none. */
function isReadinessChanged(event: ObjectEvent<Cluster>): boolean {
  return event.type === 'update' && isInfrastructureReady(event.old) !== isInfrastructureReady(event.object);
}

function isPlatform(text: string): text is CloudPlatform {
  return Object.hasOwn(PLATFORMS, text);
}

/** The settings of a provider that have no flag. */
export interface InfrastructureSettings extends Pick<
  InfrastructureProviderOptions,
  'contract' | 'coreVersion' | 'endpointOf' | 'intervals' | 'notices'
> {
  /** The platform; then the flag is not needed. */
  readonly platform?: CloudPlatform | undefined;
  /** Wraps the cloud that the provider calls. */
  readonly between?: ((cloud: CloudApi) => CloudApi) | undefined;
}

/** The provider as an operator: `--platform` names the infrastructure. */
export function infrastructureOperator(
  cloud: Cloud,
  settings: InfrastructureSettings = {},
): OperatorDefinition<typeof FLAGS> {
  return defineOperator({
    name: 'infrastructure-provider',
    flags: FLAGS,
    healthPort: 9440,
    build: ({ carry, flags, options }) => {
      const { namespace = '' } = flags;
      const platform = settings.platform ?? flags.platform ?? '';
      if (!isPlatform(platform))
        throw new BadUsage(`--platform must be one of ${Object.keys(PLATFORMS).join(', ')}, not "${platform}"`);
      const { between, ...given } = settings;
      const client = cloudClient(cloud, `capi-provider-${platform}`, carry);
      return infrastructureProvider({
        ...options,
        ...given,
        platform,
        cloud: between?.(client) ?? client,
        ...(namespace === '' ? {} : { cache: { selectionOf: () => ({ namespace }) } }),
        concurrency: flags.concurrency,
      });
    },
  });
}

const FLAGS = {
  'agent-namespace': 'string',
  concurrency: 'number',
  'disable-controllers-or-webhooks': 'string',
  platform: 'string',
  'provider-id-fmt': 'string',
  'skip-crd-migration-phases': 'repeated',
  'zap-log-level': 'string',
} as const;
