/** Instances of Google Cloud in Machine API and in Cluster API. */
import { gcpCluster, gcpMachine, gcpMachineTemplate } from '@capstan/api/infrastructure/gcp';
import { gcpProviderSpecFields, gcpProviderStatusFields } from '@capstan/api/machine/provider-specs';
import { getAt, move } from '@capstan/convert';
import {
  credentials,
  noMetadata,
  ofCluster,
  optionalText,
  requiredText,
  sameProviderId,
  userData,
} from '@capstan/convert/machine-api';
import type { MachineContext, MachinePlatform, ProviderSpecProblem } from '@capstan/convert/machine-api';
import type { JsonObject } from '@capstan/meta';
import { stringifyJson } from '@capstan/meta';
import { disks } from './disks.js';
import { equivalences } from './equivalences.js';
import { network } from './network.js';
import { newCluster } from './new-cluster.js';
import { options } from './options.js';
import { status } from './status.js';

const VERSION = 'v1beta1';
const API_VERSIONS = ['machine.openshift.io/v1beta1', 'gcpprovider.openshift.io/v1beta1'] as const;
const GROUP_TAG = ['spec', 'loadBalancer', 'apiServerInstanceGroupTagOverride'];

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** Both put machines of the control plane into an instance group, which must be called the same. */
function check(
  _providerSpec: JsonObject,
  { context, isControlPlane }: { readonly isControlPlane: boolean; readonly context: MachineContext },
): ProviderSpecProblem[] {
  const { infrastructureCluster: cluster } = context;
  if (!isControlPlane || cluster === undefined) return [];
  const tag = getAt(cluster, GROUP_TAG);
  if (tag === 'master') return [];
  const message =
    `joins an instance group of masters, but ${GROUP_TAG.join('.')} of the infrastructure cluster is ` +
    `${tag === undefined ? 'empty' : stringifyJson(tag)}: set it to "master"`;
  return [{ code: 'ClusterMismatch', path: 'zone', message }];
}

/** Instances of Google Cloud. */
export const conversion: MachinePlatform = {
  type: 'GCP',
  providerSpec: { kind: 'GCPMachineProviderSpec', apiVersions: API_VERSIONS, fields: gcpProviderSpecFields },
  machine: { kind: gcpMachine, version: VERSION },
  template: { kind: gcpMachineTemplate, version: VERSION },
  cluster: { kind: gcpCluster, version: VERSION },
  infrastructure: [
    noMetadata,
    credentials('gcp-cloud-credentials'),
    ofCluster('region', { path: 'spec.region' }),
    ofCluster('projectID', { path: 'spec.project' }),
    move('machineType', 'instanceType', requiredText('must be set: nothing else gives the size of the machine')),
    ...disks,
    ...network,
    ...options,
  ],
  machineSpec: [userData, move('zone', 'failureDomain', optionalText)],
  identity: sameProviderId({
    pattern: /^gce:\/\/[^/]+\/[^/]+\/[^/]+$/,
    form: 'gce://<project>/<zone>/<name>',
    use: 'Machine API knows instances by',
  }),
  traits: ({ machineType, region, zone }) => ({
    instanceType: text(machineType),
    region: text(region),
    zone: text(zone),
  }),
  check,
  failureDomains: {
    key: 'gcp',
    platform: 'GCP',
    toName: ({ zone }) => {
      const name = text(zone);
      if (name !== undefined) return { name };
      return { path: 'zone', message: 'must be set: Cluster API knows a failure domain by its zone' };
    },
    toDomain: (name) => ({ domain: { zone: name } }),
  },
  credentials: (cluster) => {
    const to = text(getAt(cluster, ['spec', 'credentialsRef', 'name']));
    const namespace = getAt(cluster, ['spec', 'credentialsRef', 'namespace']);
    if (to === undefined || namespace !== getAt(cluster, ['metadata', 'namespace'])) return [];
    return [{ from: 'gcp-cloud-credentials', to, keys: { credentials: 'service_account.json' } }];
  },
  status: {
    providerStatus: { kind: 'GCPMachineProviderStatus', apiVersions: API_VERSIONS, fields: gcpProviderStatusFields },
    rules: status,
  },
  newCluster,
  equivalences,
};
