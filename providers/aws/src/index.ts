import { awsCluster } from '@capstan/api/infrastructure/aws';
import type { AWSClusterSpec } from '@capstan/api/infrastructure/aws';
import { resource } from '@capstan/api/model';
import type { KubeObject } from '@capstan/meta';
import { missingSettings, opaqueSecret, withoutUndefined, settingsOf, TOKEN_FOLDER } from '@capstan/provider';
import type { HostedClusterInputs, HostingPlatform, NodePoolInputs, Problem } from '@capstan/provider';
import { components } from './components.js';
import { create } from './create.js';
import { capacityOf } from './capacity.js';
import { isSpot, machineTemplate } from './machine-template.js';
import { program } from './program.js';
import { clusterSettings, CREDENTIALS, KEY, poolSettings } from './settings.js';

export { conversion } from './conversion/index.js';

function clusterSpec({ hostedCluster }: HostedClusterInputs): AWSClusterSpec {
  const { cloudProviderConfig, region, resourceTags = [] } = clusterSettings(hostedCluster);
  const tags = Object.fromEntries(resourceTags.map(({ key, value }) => [key, value]));
  return withoutUndefined({
    region,
    network: cloudProviderConfig === undefined ? undefined : { vpc: { id: cloudProviderConfig.vpc } },
    additionalTags: resourceTags.length === 0 ? undefined : tags,
  });
}

/** Where a session of the role is had from: the token that is minted for it. */
function profile(roleArn: string, region: string): string {
  return [
    '[default]',
    `role_arn = ${roleArn}`,
    `web_identity_token_file = ${TOKEN_FOLDER}/token`,
    'sts_regional_endpoints = regional',
    `region = ${region}`,
    '',
  ].join('\n');
}

function credentials({ controlPlaneNamespace, hostedCluster }: HostedClusterInputs): KubeObject[] {
  const { region, rolesRef } = clusterSettings(hostedCluster);
  const secret = (name: string, role: string): KubeObject =>
    opaqueSecret(controlPlaneNamespace, name, { credentials: profile(role, region) });
  const made = Object.entries(CREDENTIALS).map(([name, field]) => secret(name, rolesRef[field]));
  const kms = hostedCluster.spec?.secretEncryption?.kms?.aws;
  return kms === undefined ? made : [...made, secret('kms-creds', kms.auth.awsKms)];
}

const ARN = /^arn:(?:aws|aws-cn|aws-us-gov):iam::\d{12}:role\/.+$/;

function validate({ hostedCluster }: HostedClusterInputs): Problem[] {
  const missing = missingSettings(hostedCluster, KEY, ['region', 'rolesRef']);
  if (missing.length > 0) return missing;
  const { region, rolesRef } = clusterSettings(hostedCluster);
  const roles = Object.entries(rolesRef)
    .filter(([, arn]) => !ARN.test(arn))
    .map(([field, arn]) => ({
      path: `spec.platform.aws.rolesRef.${field}`,
      message: `"${arn}" is no ARN of a role: give arn:aws:iam::<account>:role/<name>`,
    }));
  const noRegion = { path: 'spec.platform.aws.region', message: 'region is empty: name that of the infrastructure' };
  return [...(region === '' ? [noRegion] : []), ...roles];
}

function validateNodePool({ hostedCluster, nodePool }: NodePoolInputs): Problem[] {
  const { multiArch } = clusterSettings(hostedCluster);
  const pool = poolSettings(nodePool);
  const arch = nodePool.spec?.arch ?? 'amd64';
  const problems = missingSettings(nodePool, KEY, ['instanceType', 'subnet']);
  if (arch !== 'amd64' && multiArch === false)
    problems.push({
      path: 'spec.arch',
      message: `the cluster takes pools of one architecture: set multiArch of the HostedCluster to have ${arch} ones`,
    });
  if (isSpot(pool) && nodePool.spec?.management.upgradeType === 'InPlace')
    problems.push({
      path: 'spec.management.upgradeType',
      message: 'spot instances are replaced, never upgraded in place: use Replace',
    });
  return problems;
}

/** A role that is refused, or an issuer that is not trusted, cannot be asked for anything any more. */
function hasLostCredentials({ hostedCluster }: HostedClusterInputs): boolean {
  const isFalse = (type: string): boolean =>
    hostedCluster.status?.conditions?.some((each) => each.type === type && each.status === 'False') === true;
  return isFalse('ValidOIDCConfiguration') || isFalse('ValidAWSIdentityProvider');
}

/** Hosted clusters whose machines are instances of EC2. */
export const hosting: HostingPlatform = {
  type: 'AWS',
  key: KEY,
  hasSettings: true,
  cluster: {
    kind: resource(awsCluster),
    isExternal: true,
    namedBy: 'hosted-cluster',
    takesEndpoint: true,
    spec: (inputs) => ({ ...clusterSpec(inputs) }),
  },
  machineTemplate,
  nodePools: {
    architectures: ['amd64', 'arm64'],
    scalesFromZero: true,
    keepsUserData: true,
    capacity: ({ nodePool }) => capacityOf(poolSettings(nodePool).instanceType ?? ''),
    isInterruptible: ({ nodePool }) => isSpot(poolSettings(nodePool)),
  },
  validate,
  validateNodePool,
  // Roles are assumed with tokens that the control plane issues: no Secret is needed.
  secretNames: () => [],
  credentials,
  program,
  controlPlane: ({ hostedCluster }) => ({ type: 'AWS', settings: settingsOf(hostedCluster, { key: KEY }) }),
  mirroredAnnotations: [
    'hypershift.openshift.io/aws-karpenter-default-instance-profile',
    'hypershift.openshift.io/aws-kms-provider-image',
    'hypershift.openshift.io/aws-load-balancer-health-probe-mode',
    'hypershift.openshift.io/aws-load-balancer-subnets',
    'hypershift.openshift.io/aws-load-balancer-target-node-labels',
    'hypershift.openshift.io/aws-machine-public-ips',
    'hypershift.openshift.io/aws-termination-handler-queue-url',
  ],
  components,
  hasLostCredentials,
  create,
};
