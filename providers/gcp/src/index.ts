import { gcpCluster } from '@capstan/api/infrastructure/gcp';
import type { GCPClusterSpec } from '@capstan/api/infrastructure/gcp';
import { resource } from '@capstan/api/model';
import { missingSettings, opaqueSecret, settingsOf, TOKEN_FOLDER } from '@capstan/provider';
import type { HostedClusterInputs, HostingPlatform, NodePoolInputs, Problem } from '@capstan/provider';
import { components } from './components.js';
import { create } from './create.js';
import { isInterruptible, machineTemplate } from './machine-template.js';
import { program } from './program.js';
import { clusterSettings, CREDENTIALS, CREDENTIALS_FILE, KEY, labelsOf, poolSettings } from './settings.js';

function clusterSpec({ hostedCluster, infraID }: HostedClusterInputs): GCPClusterSpec {
  const { networkConfig, project, region, resourceLabels } = clusterSettings(hostedCluster);
  const { network, privateServiceConnectSubnet } = networkConfig;
  return {
    project,
    region,
    network: { name: network.name, subnets: [{ name: privateServiceConnectSubnet.name, region }] },
    additionalLabels: labelsOf({ infraID, name: hostedCluster.metadata.name ?? '' }, resourceLabels),
  };
}

/** How a program becomes its account: with a token of the hosted cluster. */
function federation({ hostedCluster }: HostedClusterInputs, email: string): string {
  const { poolID, projectNumber, providerID } = clusterSettings(hostedCluster).workloadIdentity;
  const pool = `projects/${projectNumber}/locations/global/workloadIdentityPools/${poolID}/providers/${providerID}`;
  const account = `https://iamcredentials.googleapis.com/v1/projects/-/serviceAccounts/${email}:generateAccessToken`;
  return JSON.stringify({
    type: 'external_account',
    audience: `//iam.googleapis.com/${pool}`,
    subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
    token_url: 'https://sts.googleapis.com/v1/token',
    service_account_impersonation_url: account,
    credential_source: { file: `${TOKEN_FOLDER}/token`, format: { type: 'text' } },
  });
}

const NEEDED = ['networkConfig', 'project', 'region', 'workloadIdentity'];

function validateNodePool({ hostedCluster, nodePool }: NodePoolInputs): Problem[] {
  const problems = missingSettings(nodePool, KEY, ['machineType', 'subnet', 'zone']);
  const { region } = clusterSettings(hostedCluster);
  const { zone } = poolSettings(nodePool);
  if (problems.length > 0 || zone.startsWith(`${region}-`)) return problems;
  return [
    {
      path: 'spec.platform.gcp.zone',
      message: `zone ${zone} is not in region ${region} of the cluster: take one that is`,
    },
  ];
}

/** Hosted clusters whose machines are instances of Google Compute Engine. */
export const hosting: HostingPlatform = {
  type: 'GCP',
  key: KEY,
  hasSettings: true,
  cluster: {
    kind: resource(gcpCluster),
    isExternal: true,
    namedBy: 'hosted-cluster',
    takesEndpoint: true,
    spec: (inputs) => ({ ...clusterSpec(inputs) }),
  },
  machineTemplate,
  nodePools: {
    architectures: ['amd64', 'arm64'],
    scalesFromZero: false,
    keepsUserData: false,
    isInterruptible: ({ nodePool }) => isInterruptible(poolSettings(nodePool)),
  },
  validate: ({ hostedCluster }) => missingSettings(hostedCluster, KEY, NEEDED),
  validateNodePool,
  // Accounts are used with tokens that the control plane issues: no Secret is needed.
  secretNames: () => [],
  credentials: (inputs) => {
    const { serviceAccountsEmails } = clusterSettings(inputs.hostedCluster).workloadIdentity;
    return Object.entries(CREDENTIALS).map(([name, field]) =>
      opaqueSecret(inputs.controlPlaneNamespace, name, {
        [CREDENTIALS_FILE]: federation(inputs, serviceAccountsEmails[field]),
      }),
    );
  },
  program,
  controlPlane: ({ hostedCluster }) => ({ type: 'GCP', settings: settingsOf(hostedCluster, { key: KEY }) }),
  components,
  hasLostCredentials: ({ hostedCluster }) =>
    hostedCluster.status?.conditions?.some(
      ({ status, type }) => type === 'ValidGCPWorkloadIdentity' && status === 'False',
    ) === true,
  create,
};

export { conversion } from './conversion/index.js';
