import type { PowerVSPlatform } from '@capstan/api/hypershift';
import { ibmPowerVsCluster, ibmPowerVsImage } from '@capstan/api/infrastructure/powervs';
import type { IBMPowerVSClusterSpec } from '@capstan/api/infrastructure/powervs';
import { resource } from '@capstan/api/model';
import type { KubeObject } from '@capstan/meta';
import { copiedSecret, missingSettings, secretText, settingsOf } from '@capstan/provider';
import type { HostedClusterInputs, HostingPlatform, NodePoolInputs, Problem } from '@capstan/provider';
import { components } from './components.js';
import { create } from './create.js';
import { machineTemplate, networkOf } from './machine-template.js';
import { clusterSettings, CREDENTIALS, KEY, poolSettings } from './settings.js';

export { conversion } from './conversion/index.js';

const CREDENTIALS_FOLDER = '/home/.ibmcloud';
const ENV_KEY = 'ibm-credentials.env';
const API_KEY = 'ibmcloud_api_key';

function secretNames(settings: PowerVSPlatform): string[] {
  const names = CREDENTIALS.map((field) => settings[field]?.name ?? '');
  return [...new Set(names.filter((name) => name !== ''))];
}

/** The program that makes machines takes a file alone; the others also the key itself. */
function credentials({ controlPlaneNamespace, hostedCluster, secrets }: HostedClusterInputs): KubeObject[] {
  const settings = clusterSettings(hostedCluster);
  return secretNames(settings).flatMap((name) => {
    const source = secrets.get(name);
    return source === undefined
      ? []
      : [copiedSecret(source, { name, namespace: controlPlaneNamespace }, [ENV_KEY, API_KEY])];
  });
}

function validate({ hostedCluster, secrets }: HostedClusterInputs): Problem[] {
  const required = [
    'accountID',
    'cisInstanceCRN',
    'region',
    'resourceGroup',
    'serviceInstanceID',
    'subnet',
    'vpc',
    'zone',
  ];
  const missing = missingSettings(hostedCluster, KEY, [...required, ...CREDENTIALS]);
  if (missing.length > 0) return missing;
  const settings = clusterSettings(hostedCluster);
  const problems: Problem[] = [];
  for (const field of CREDENTIALS) {
    const name = settings[field].name ?? '';
    const path = `spec.platform.powervs.${field}.name`;
    if (name === '') problems.push({ path, message: `${field} names no Secret: name one with ${ENV_KEY} in it` });
    const found = secrets.get(name);
    if (found !== undefined && secretText(found, ENV_KEY) === undefined)
      problems.push({ path, message: `Secret ${name} has no key ${ENV_KEY}: add it` });
  }
  return problems;
}

function validateNodePool({ nodePool }: NodePoolInputs): Problem[] {
  const { processors, processorType } = poolSettings(nodePool);
  const isWhole = Number.isInteger(Number(processors ?? '0.5'));
  if (processorType !== 'dedicated' || isWhole) return [];
  return [
    {
      path: 'spec.platform.powervs.processors',
      message: `dedicated processors come whole, not as ${processors ?? '0.5'}: give a whole number`,
    },
  ];
}

function clusterSpec({ hostedCluster }: HostedClusterInputs): IBMPowerVSClusterSpec {
  const settings = clusterSettings(hostedCluster);
  return { serviceInstanceID: settings.serviceInstanceID, network: networkOf(settings), zone: settings.zone };
}

/** Hosted clusters whose machines are partitions of Power servers in the IBM cloud. */
export const hosting: HostingPlatform = {
  type: 'PowerVS',
  key: KEY,
  hasSettings: true,
  cluster: {
    kind: resource(ibmPowerVsCluster),
    isExternal: true,
    namedBy: 'hosted-cluster',
    takesEndpoint: true,
    spec: (inputs) => ({ ...clusterSpec(inputs) }),
  },
  machineTemplate,
  nodePools: { architectures: ['ppc64le'], scalesFromZero: false, keepsUserData: false },
  validate,
  validateNodePool,
  secretNames: ({ hostedCluster }) => secretNames(clusterSettings(hostedCluster)),
  credentials,
  program: ({ controlPlaneNamespace, hostedCluster }) => ({
    containers: [
      {
        name: 'manager',
        image: {
          payload: 'ibmcloud-cluster-api-controllers',
          env: 'IMAGE_POWERVS_CAPI_PROVIDER',
          annotation: 'hypershift.openshift.io/capi-provider-powervs-image',
        },
        command: ['/bin/cluster-api-provider-ibmcloud-controller-manager'],
        args: [`--namespace=${controlPlaneNamespace}`, '--v=4', '--leader-elect=true', '--provider-id-fmt=v2'],
        env: { IBM_CREDENTIALS_FILE: `${CREDENTIALS_FOLDER}/${ENV_KEY}` },
        secrets: { [CREDENTIALS_FOLDER]: clusterSettings(hostedCluster).nodePoolManagementCreds.name ?? '' },
        healthPort: 9440,
      },
    ],
    rules: [],
  }),
  controlPlane: ({ hostedCluster }) => ({ type: 'PowerVS', settings: settingsOf(hostedCluster, { key: KEY }) }),
  components,
  companionKinds: [resource(ibmPowerVsImage)],
  create,
};
