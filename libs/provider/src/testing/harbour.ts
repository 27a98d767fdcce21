import type { Problem } from '@capstan/hosting';
import type { JsonObject, KubeObject } from '@capstan/meta';
import type { HostingPlatform, MachineTemplate } from '../hosting/platform.js';
import { settingsOf } from '../hosting/settings.js';
import type { OfPlatform } from '../hosting/settings.js';
import type { NodePoolInputs } from '../hosting/inputs.js';
import { HARBOUR_CLUSTERS, HARBOUR_MACHINE_TEMPLATES, HARBOUR_MACHINES } from './harbour-kinds.js';
import type { HarbourSettings } from './harbour-kinds.js';

const KEY = 'harbour';
const IMAGE = 'harbour-cluster-api-controllers';
/** The Secret that the programs of the platform find in the control plane namespace. */
const CREDENTIALS = 'harbour-credentials';

function settings(of: OfPlatform): HarbourSettings {
  return settingsOf(of, { key: KEY }) as HarbourSettings;
}

function bootImage({ nodePool, release }: NodePoolInputs): string | undefined {
  const images = release.bootImages?.[KEY] as JsonObject | undefined;
  const image = images?.[nodePool.spec?.arch ?? 'amd64'];
  return typeof image === 'string' ? image : `${KEY}-${release.version}`;
}

const machineTemplate: MachineTemplate = {
  kind: HARBOUR_MACHINE_TEMPLATES,
  machine: HARBOUR_MACHINES,
  spec: (inputs) => {
    const { berth = '', cranes, size = 'small' } = settings(inputs.nodePool);
    if (berth === '') return [{ path: 'spec.platform.harbour.berth', message: 'berth is empty: name one' }];
    return { template: { spec: { berth, cranes: cranes ?? 1, size, image: bootImage(inputs) } } };
  },
  failureDomain: ({ nodePool }) => settings(nodePool).berth,
};

function problems(isWrong: boolean, path: string, message: string): Problem[] {
  return isWrong ? [{ path, message }] : [];
}

const harbour: HostingPlatform = {
  type: 'Harbour',
  key: KEY,
  hasSettings: true,
  cluster: {
    kind: HARBOUR_CLUSTERS,
    isExternal: true,
    namedBy: 'hosted-cluster',
    takesEndpoint: true,
    spec: ({ hostedCluster }) => ({ port: settings(hostedCluster).port ?? '' }),
  },
  machineTemplate,
  nodePools: {
    architectures: ['amd64', 'arm64'],
    scalesFromZero: true,
    // Nobody knows what a small one has.
    capacity: ({ nodePool }) => (settings(nodePool).size === 'large' ? { cpus: 4, memoryMiB: 16_384 } : undefined),
    keepsUserData: false,
  },
  validate: ({ hostedCluster }) => {
    const { port = '' } = settings(hostedCluster);
    return problems(port === '', 'spec.platform.harbour.port', 'port is empty: name the port the cluster lies in');
  },
  validateNodePool: ({ nodePool }) => {
    const { cranes = 1 } = settings(nodePool);
    return problems(cranes > 9, 'spec.platform.harbour.cranes', `cranes is ${cranes}: a berth has at most 9`);
  },
  secretNames: ({ hostedCluster }) => {
    const { credentials } = settings(hostedCluster);
    return credentials === undefined ? [] : [credentials.name];
  },
  credentials: ({ controlPlaneNamespace: namespace, hostedCluster, secrets }) => {
    const source = secrets.get(settings(hostedCluster).credentials?.name ?? '');
    if (source === undefined) return [];
    const copy: KubeObject = {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: CREDENTIALS, namespace },
      type: 'Opaque',
      data: source['data'] ?? {},
    };
    return [copy];
  },
  program: ({ controlPlaneNamespace, hostedCluster }) => ({
    containers: [
      {
        name: 'manager',
        image: { payload: IMAGE, annotation: 'hypershift.openshift.io/capi-provider-harbour-image' },
        args: [`--namespace=${controlPlaneNamespace}`, '--leader-elect=true', '--v=4'],
        ...(settings(hostedCluster).credentials === undefined ? {} : { secrets: { '/etc/harbour': CREDENTIALS } }),
      },
    ],
    rules: [{ apiGroups: ['harbour.example.com'], resources: ['berths'], verbs: ['get', 'list', 'watch'] }],
  }),
  controlPlane: ({ hostedCluster }) => ({ type: 'Harbour', settings: { ...settings(hostedCluster) } }),
  components: () => [
    {
      name: 'harbour-cloud-controller-manager',
      image: 'harbour-cloud-controller-manager',
      command: ['/bin/harbour-cloud-controller-manager'],
      args: ['--cloud-provider=harbour'],
    },
  ],
  hasLostCredentials: ({ hostedCluster, secrets }) => {
    const { credentials } = settings(hostedCluster);
    return credentials !== undefined && !secrets.has(credentials.name);
  },
  create: {
    clusterFlags: [{ name: 'port', value: '<port>', help: 'the port the cluster lies in', default: 'rotterdam' }],
    nodePoolFlags: [{ name: 'berth', value: '<berth>', help: 'the berth of its machines', default: 'b1' }],
    cluster: ({ flags }) => ({
      settings: { port: flags['port'] ?? '' },
      objects: [],
      publishing: { apiServer: 'LoadBalancer', others: 'Route' },
    }),
    nodePool: ({ flags }) => ({ berth: flags['berth'] ?? '' }),
  },
};

/** A platform that no cloud has, for tests of core: `Harbour`, settings below `harbour`; whatever is given replaces its own. */
export function testPlatform(changes: Partial<HostingPlatform> = {}): HostingPlatform {
  return { ...harbour, ...changes };
}
