import { isAtLeastMinor } from '@capstan/hosting';
import type { ImageSource, ProviderContainer, ProviderProgram } from '@capstan/provider';
import { CLUSTER_API_IMAGE, CONTROL_PLANE_OPERATOR_IMAGE, imageOf } from './images.js';
import type { ImagePlaces } from './images.js';
import { ownField, probes } from './workloads.js';
import type { Workload } from './workloads.js';

export const CONTROL_PLANE_OPERATOR = 'control-plane-operator';
export const CLUSTER_API = 'cluster-api';
export const CAPI_PROVIDER = 'capi-provider';
/** Components that are made here; all others are made by the control plane operator. */
export const OWN_COMPONENTS: readonly string[] = [CONTROL_PLANE_OPERATOR, CLUSTER_API, CAPI_PROVIDER];
/** Certificate of the webhooks of Cluster API, which nobody calls but the manager will not start without. */
export const WEBHOOK_SECRET = 'capi-webhooks-tls';

const CLUSTER_API_HEALTH_PORT = 9440;
const OPERATOR_HEALTH_PORT = 6060;
const OPERATOR_METRICS_PORT = 8080;
/** Leases of a control plane are held long: management clusters carry very many of them. */
const ELECTION = [
  '--leader-elect=true',
  '--leader-elect-lease-duration=137s',
  '--leader-elect-retry-period=26s',
  '--leader-elect-renew-deadline=107s',
];

/** The images that the components need, where they would be found. */
export function neededImages(program: ProviderProgram | undefined): readonly ImageSource[] {
  return [
    CONTROL_PLANE_OPERATOR_IMAGE,
    ...(program === undefined ? [] : [CLUSTER_API_IMAGE, ...program.containers.map(({ image }) => image)]),
  ];
}

/** The operator of one control plane. */
export function controlPlaneOperator(places: ImagePlaces): Workload {
  return {
    name: CONTROL_PLANE_OPERATOR,
    selector: { name: CONTROL_PLANE_OPERATOR },
    isKept: false,
    volumes: [],
    containers: [
      {
        name: CONTROL_PLANE_OPERATOR,
        image: imageOf(CONTROL_PLANE_OPERATOR_IMAGE, places),
        imagePullPolicy: 'IfNotPresent',
        command: ['/usr/bin/control-plane-operator'],
        args: [
          'run',
          '--namespace',
          '$(MY_NAMESPACE)',
          '--deployment-name',
          CONTROL_PLANE_OPERATOR,
          '--metrics-addr',
          `0.0.0.0:${OPERATOR_METRICS_PORT}`,
          '--health-probe-addr',
          `0.0.0.0:${OPERATOR_HEALTH_PORT}`,
        ],
        env: [ownField('MY_NAMESPACE', 'metadata.namespace'), ownField('POD_NAME', 'metadata.name')],
        ports: [{ name: 'metrics', containerPort: OPERATOR_METRICS_PORT, protocol: 'TCP' }],
        ...probes(OPERATOR_HEALTH_PORT),
      },
    ],
  };
}

/** Since when the manager of Cluster API knows a flag. */
const GATED_ARGS: readonly (readonly [since: string, arg: string])[] = [
  ['4.19.0', '--feature-gates=MachineSetPreflightChecks=false'],
  ['4.20.0', '--skip-crd-migration-phases=StorageVersionMigration'],
  ['4.20.0', '--skip-crd-migration-phases=CleanupManagedFields'],
];

/** The manager of Cluster API. */
export function clusterApi(places: ImagePlaces): Workload {
  const { version } = places.release;
  return {
    name: CLUSTER_API,
    selector: { app: CLUSTER_API, name: CLUSTER_API },
    isKept: true,
    volumes: [{ name: WEBHOOK_SECRET, secret: { secretName: WEBHOOK_SECRET, defaultMode: 0o640 } }],
    containers: [
      {
        name: 'manager',
        image: imageOf(CLUSTER_API_IMAGE, places),
        imagePullPolicy: 'IfNotPresent',
        args: [
          '--namespace',
          '$(MY_NAMESPACE)',
          '--v=4',
          `--health-addr=:${CLUSTER_API_HEALTH_PORT}`,
          ...ELECTION,
          ...GATED_ARGS.filter(([since]) => isAtLeastMinor(version, since)).map(([, arg]) => arg),
        ],
        env: [ownField('MY_NAMESPACE', 'metadata.namespace')],
        volumeMounts: [{ name: WEBHOOK_SECRET, mountPath: '/tmp/k8s-webhook-server/serving-certs', readOnly: true }],
        ...probes(CLUSTER_API_HEALTH_PORT),
      },
    ],
  };
}

const SELECTED = 'capi-provider-controller-manager';

/** The program that makes the machines of a platform. */
export function capiProvider(program: ProviderProgram, places: ImagePlaces): Workload {
  const secrets = new Set(program.containers.flatMap(({ secrets: each = {} }) => Object.values(each)));
  const folders = new Set(program.containers.flatMap(({ sharedFolders = [] }) => sharedFolders));
  return {
    name: CAPI_PROVIDER,
    selector: { 'control-plane': SELECTED, app: SELECTED },
    isKept: true,
    volumes: [
      ...[...secrets].map((name) => ({ name, secret: { secretName: name } })),
      ...[...folders].map((path) => ({ name: folderName(path), emptyDir: {} })),
    ],
    containers: program.containers.map((container) => providerContainer(container, places)),
  };
}

/** A volume named after the folder it is. */
function folderName(path: string): string {
  return `shared${path.replaceAll(/[^a-z0-9]+/g, '-').replace(/-$/, '')}`;
}

function providerContainer(container: ProviderContainer, places: ImagePlaces): object {
  const { args, command, env = {}, healthPort, image, name, secrets = {}, sharedFolders = [] } = container;
  const mounts = [
    ...Object.entries(secrets).map(([mountPath, secret]) => ({ name: secret, mountPath, readOnly: true })),
    ...sharedFolders.map((mountPath) => ({ name: folderName(mountPath), mountPath })),
  ];
  return {
    name,
    image: imageOf(image, places),
    imagePullPolicy: 'IfNotPresent',
    command,
    args,
    env: [
      ownField('MY_NAMESPACE', 'metadata.namespace'),
      ...Object.entries(env).map(([key, value]) => ({ name: key, value })),
    ],
    volumeMounts: mounts.length === 0 ? undefined : mounts,
    ...(healthPort === undefined ? {} : probes(healthPort)),
  };
}
