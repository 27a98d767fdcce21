import type { JsonObject, KubeObject } from '@capstan/meta';
import { opaqueSecret, withoutUndefined } from '@capstan/provider';
import type { CreatedCluster, CreateRequest, HostingPlatform, Problem } from '@capstan/provider';
import { UsageError } from '../errors.js';

const API_VERSION = 'hypershift.openshift.io/v1beta1';
/** Marks an object that may be deleted together with the cluster. */
export const SAFE_TO_DELETE_LABEL = 'hypershift.openshift.io/safe-to-delete-with-cluster';
/** Names the infrastructure that something was made for by this command. */
export const INFRA_LABEL = 'hypershift.openshift.io/auto-created-for-infra';

/** A pool of nodes, as it was asked for. */
export interface PoolPlan {
  readonly name: string;
  readonly clusterName: string;
  readonly namespace: string;
  readonly infraID: string;
  readonly releaseImage: string;
  readonly replicas: number;
  readonly arch?: string | undefined;
  readonly upgradeType: string;
  readonly autoRepair: boolean;
  /** Those of the platform. */
  readonly flags: Readonly<Record<string, string>>;
}

/** A cluster, as it was asked for. */
export interface ClusterPlan extends CreateRequest {
  readonly releaseImage: string;
  /** The content of the files. */
  readonly pullSecret: string;
  readonly sshKey?: string | undefined;
  /** Base64 of 32 random bytes; undefined for a cluster whose etcd is not encrypted. */
  readonly encryptionKey?: string | undefined;
  readonly availability: string;
  readonly infraAvailability: string;
  readonly etcdStorageClass?: string | undefined;
  readonly etcdStorageSize: string;
  readonly networkType: string;
  readonly clusterCidrs: readonly string[];
  readonly serviceCidrs: readonly string[];
  readonly machineCidrs: readonly string[];
  readonly annotations: Readonly<Record<string, string>>;
  readonly labels: Readonly<Record<string, string>>;
  readonly pausedUntil?: string | undefined;
  readonly featureSet?: string | undefined;
  readonly fips: boolean;
  /** Undefined for a cluster without one. */
  readonly pool?: PoolPlan | undefined;
}

function refuse(problems: readonly Problem[]): never {
  const lines = problems.map(({ message, path }) => `${path}: ${message}`);
  throw new UsageError(lines.join('\nerror: '), 'nothing was created: change what the message names and try again');
}

/** All that a cluster is made of, in the order in which it is made. */
export function clusterObjects(platform: HostingPlatform, plan: ClusterPlan): KubeObject[] {
  const created = platform.create.cluster(plan);
  if (!('publishing' in created)) return refuse(created);
  const { name, namespace } = plan;
  const secrets = [...secretsOf(plan), ...created.objects].map((secret) => withLabels(secret, plan.infraID, true));
  const cluster = hostedClusterOf(platform, plan, created);
  const problems = platform.validate({
    hostedCluster: cluster as never,
    controlPlaneNamespace: `${namespace}-${name}`,
    infraID: plan.infraID,
    // The registry is not asked from here: the operator does that, and reports what it finds.
    release: { version: 'unknown', image: () => undefined },
    secrets: new Map(secrets.map((secret) => [secret.metadata.name ?? '', secret])),
  });
  if (problems.length > 0) return refuse(problems);
  return [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
    ...secrets,
    withLabels(cluster, plan.infraID),
    ...(plan.pool === undefined ? [] : [poolObject(platform, plan.pool)]),
  ];
}

function withLabels(object: KubeObject, infraID: string, goesAlong = false): KubeObject {
  const labels = {
    ...object.metadata.labels,
    [INFRA_LABEL]: infraID,
    ...(goesAlong ? { [SAFE_TO_DELETE_LABEL]: 'true' } : {}),
  };
  return { ...object, metadata: { ...object.metadata, labels } };
}

function secretsOf({ encryptionKey, name, namespace, pullSecret, sshKey }: ClusterPlan): KubeObject[] {
  const pull = opaqueSecret(namespace, `${name}-pull-secret`, { '.dockerconfigjson': pullSecret });
  return [
    { ...pull, type: 'kubernetes.io/dockerconfigjson' },
    ...(sshKey === undefined ? [] : [opaqueSecret(namespace, `${name}-ssh-key`, { 'id_rsa.pub': sshKey })]),
    ...(encryptionKey === undefined
      ? []
      : [{ ...opaqueSecret(namespace, `${name}-etcd-encryption-key`, {}), data: { key: encryptionKey } }]),
  ];
}

function servicesOf({ publishing: { address, apiServer, others } }: CreatedCluster): JsonObject[] {
  const strategy = (type: string): JsonObject =>
    type === 'NodePort' && address !== undefined ? { type, nodePort: { address } } : { type };
  return ['APIServer', 'Ignition', 'Konnectivity', 'OAuthServer'].map((service) => ({
    service,
    servicePublishingStrategy: strategy(service === 'APIServer' ? apiServer : others),
  }));
}

function hostedClusterOf(platform: HostingPlatform, plan: ClusterPlan, created: CreatedCluster): KubeObject {
  const { name, namespace } = plan;
  const { dns: zones, ...more } = created.spec ?? {};
  const machine = plan.machineCidrs.length > 0 ? plan.machineCidrs : [created.machineNetwork ?? ''];
  const cidrs = (networks: readonly string[]): JsonObject[] | undefined => {
    const given = networks.filter((cidr) => cidr !== '');
    return given.length === 0 ? undefined : given.map((cidr) => ({ cidr }));
  };
  const named = (suffix: string): { name: string } => ({ name: `${name}-${suffix}` });
  const spec = withoutUndefined({
    release: { image: plan.releaseImage },
    infraID: plan.infraID,
    dns: { baseDomain: plan.baseDomain, ...(zones as JsonObject | undefined) },
    controllerAvailabilityPolicy: plan.availability,
    infrastructureAvailabilityPolicy: plan.infraAvailability,
    etcd: {
      managementType: 'Managed',
      managed: {
        storage: {
          type: 'PersistentVolume',
          persistentVolume: withoutUndefined({ size: plan.etcdStorageSize, storageClassName: plan.etcdStorageClass }),
        },
      },
    },
    networking: withoutUndefined({
      networkType: plan.networkType,
      clusterNetwork: cidrs(plan.clusterCidrs),
      serviceNetwork: cidrs(plan.serviceCidrs),
      machineNetwork: cidrs(machine),
    }),
    platform: {
      type: platform.type,
      ...(platform.hasSettings ? { [platform.key]: created.settings ?? {} } : {}),
    },
    pullSecret: named('pull-secret'),
    sshKey: plan.sshKey === undefined ? undefined : named('ssh-key'),
    secretEncryption:
      plan.encryptionKey === undefined
        ? undefined
        : { type: 'aescbc', aescbc: { activeKey: named('etcd-encryption-key') } },
    services: servicesOf(created),
    configuration: plan.featureSet === undefined ? undefined : { featureGate: { featureSet: plan.featureSet } },
    fips: plan.fips ? true : undefined,
    pausedUntil: plan.pausedUntil,
    ...more,
  });
  const metadata = withoutUndefined({
    name,
    namespace,
    labels: some(plan.labels),
    annotations: some(plan.annotations),
  });
  return { apiVersion: API_VERSION, kind: 'HostedCluster', metadata, spec };
}

function some(record: Readonly<Record<string, string>>): Record<string, string> | undefined {
  return Object.keys(record).length === 0 ? undefined : { ...record };
}

/** A pool of nodes. */
export function poolObject(platform: HostingPlatform, plan: PoolPlan): KubeObject {
  const { clusterName, name, namespace } = plan;
  const [usual = 'amd64'] = platform.nodePools.architectures;
  const arch = plan.arch ?? usual;
  if (!platform.nodePools.architectures.includes(arch))
    refuse([{ path: '--arch', message: `machines here are ${platform.nodePools.architectures.join(' or ')}` }]);
  const settings = platform.create.nodePool({ ...plan, name: clusterName, baseDomain: '' });
  if (Array.isArray(settings)) return refuse(settings as readonly Problem[]);
  const pool = {
    apiVersion: API_VERSION,
    kind: 'NodePool',
    metadata: { name, namespace },
    spec: {
      clusterName,
      release: { image: plan.releaseImage },
      arch,
      replicas: plan.replicas,
      management: { upgradeType: plan.upgradeType, autoRepair: plan.autoRepair },
      platform: {
        type: platform.type,
        ...(platform.hasSettings && settings !== undefined ? { [platform.key]: settings } : {}),
      },
    },
  };
  return withLabels(pool, plan.infraID);
}
