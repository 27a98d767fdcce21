import type { JsonObject } from '@capstan/meta';
import { listed, withoutUndefined, textAt } from '@capstan/provider';
import type { CreateOptions, CreateRequest, Problem } from '@capstan/provider';

/** Fields of `rolesRef`, and how the role of each is named after the infrastructure. */
const ROLES = {
  ingressARN: 'openshift-ingress',
  imageRegistryARN: 'openshift-image-registry',
  storageARN: 'aws-ebs-csi-driver-controller',
  networkARN: 'cloud-network-config-controller',
  kubeCloudControllerARN: 'cloud-controller',
  nodePoolManagementARN: 'node-pool',
  controlPlaneOperatorARN: 'control-plane-operator',
} as const;

function parsed(text: string | undefined): unknown {
  if (text === undefined) return {};
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function firstZone(infra: unknown): unknown {
  const zones = (infra as { zones?: unknown }).zones;
  return Array.isArray(zones) ? zones[0] : undefined;
}

function rolesOf(iam: unknown, account: string | undefined, infraID: string): Record<string, string> | undefined {
  const roles = Object.entries(ROLES).map(([field, suffix]) => {
    const made = account === undefined ? undefined : `arn:aws:iam::${account}:role/${infraID}-${suffix}`;
    return [field, textAt(iam, 'roles', field) ?? made] as const;
  });
  return roles.every(([, arn]) => arn !== undefined)
    ? (Object.fromEntries(roles) as Record<string, string>)
    : undefined;
}

function problem(flag: string, message: string): readonly Problem[] {
  return [{ path: `--${flag}`, message }];
}

function tagsOf(text: string | undefined): { key: string; value: string }[] | undefined {
  const tags = listed(text).map((each) => {
    const at = each.indexOf('=');
    return at < 1 ? undefined : { key: each.slice(0, at), value: each.slice(at + 1) };
  });
  return tags.includes(undefined) ? undefined : (tags as { key: string; value: string }[]);
}

/** Where load balancers go; undefined when not known. */
function networkOf(infra: unknown, flags: CreateRequest['flags']): JsonObject | undefined {
  const zone = firstZone(infra);
  const vpc = flags['vpc-id'] ?? textAt(infra, 'vpcID');
  if (vpc === undefined) return undefined;
  const subnet = flags['subnet-id'] ?? textAt(zone, 'subnetID');
  return withoutUndefined({
    vpc,
    zone: flags['zone'] ?? textAt(zone, 'name'),
    subnet: subnet === undefined ? undefined : { id: subnet },
  });
}

function cluster({ flags, infraID }: CreateRequest): ReturnType<CreateOptions['cluster']> {
  const [infra, iam] = [parsed(flags['infra-json']), parsed(flags['iam-json'])];
  if (infra === undefined)
    return problem('infra-json', 'the file is no JSON: give what `hypershift create infra` wrote');
  if (iam === undefined) return problem('iam-json', 'the file is no JSON: give what `hypershift create iam` wrote');
  const rolesRef = rolesOf(iam, flags['account-id'], infraID);
  if (rolesRef === undefined)
    return problem('account-id', 'say whose roles the cluster takes: --account-id, or --iam-json with their ARNs');
  const resourceTags = tagsOf(flags['additional-tags']);
  if (resourceTags === undefined) return problem('additional-tags', 'tags are written key=value, with commas between');
  const multiArch = flags['multi-arch'];
  return {
    settings: withoutUndefined({
      region: flags['region'],
      endpointAccess: flags['endpoint-access'],
      multiArch: multiArch === undefined ? undefined : multiArch === 'true',
      rolesRef,
      resourceTags: resourceTags.length === 0 ? undefined : resourceTags,
      cloudProviderConfig: networkOf(infra, flags),
    }),
    objects: [],
    publishing: { apiServer: 'LoadBalancer', others: 'Route' },
    spec: withoutUndefined({
      issuerURL: flags['oidc-issuer-url'] ?? textAt(iam, 'issuerURL'),
      dns: withoutUndefined({
        publicZoneID: textAt(infra, 'publicZoneID'),
        privateZoneID: textAt(infra, 'privateZoneID'),
      }),
    }),
    machineNetwork: textAt(infra, 'machineCIDR') ?? flags['vpc-cidr'],
  };
}

function nodePool({ flags, infraID }: CreateRequest): JsonObject | readonly Problem[] {
  const infra = parsed(flags['infra-json']);
  const subnet = flags['subnet-id'] ?? textAt(firstZone(infra ?? {}), 'subnetID');
  if (subnet === undefined) return problem('subnet-id', 'say in which subnet the machines are to be');
  const group = flags['securitygroup-id'];
  return withoutUndefined({
    instanceType: flags['instance-type'] ?? '',
    instanceProfile:
      flags['instance-profile'] ?? textAt(parsed(flags['iam-json']), 'profileName') ?? `${infraID}-worker`,
    subnet: { id: subnet },
    ami: flags['ami'],
    securityGroups: group === undefined ? undefined : listed(group).map((id) => ({ id })),
    rootVolume: withoutUndefined({
      type: flags['root-volume-type'] ?? 'gp3',
      size: Number(flags['root-volume-size'] ?? '120'),
      iops: flags['root-volume-iops'] === undefined ? undefined : Number(flags['root-volume-iops']),
      encrypted: flags['root-volume-kms-key'] === undefined ? undefined : true,
      encryptionKey: flags['root-volume-kms-key'],
    }),
  });
}

const SUBNET = {
  name: 'subnet-id',
  value: '<id>',
  help: 'subnet of the machines',
  isRequired: true,
  unless: 'infra-json',
};

/** `create cluster aws` and `create nodepool aws`. */
export const create: CreateOptions = {
  clusterFlags: [
    { name: 'region', value: '<region>', help: 'region of the infrastructure', default: 'us-east-1' },
    {
      name: 'account-id',
      value: '<account>',
      help: 'account whose roles the cluster takes, named after the infra id',
      isRequired: true,
      unless: 'iam-json',
    },
    {
      name: 'infra-json',
      value: '<file>',
      help: 'what `hypershift create infra` wrote: VPC, zones and subnets',
      isFile: true,
    },
    { name: 'iam-json', value: '<file>', help: 'what `hypershift create iam` wrote: roles and issuer', isFile: true },
    { name: 'vpc-id', value: '<id>', help: 'VPC of the machines' },
    { name: 'vpc-cidr', value: '<cidr>', help: 'network of that VPC', default: '10.0.0.0/16' },
    { name: 'zone', value: '<zone>', help: 'zone of load balancers' },
    { name: 'endpoint-access', value: '<access>', help: 'Public, PublicAndPrivate or Private', default: 'Public' },
    { name: 'oidc-issuer-url', value: '<url>', help: 'issuer of service account tokens' },
    { name: 'additional-tags', value: '<key=value,…>', help: 'tags of everything that is created' },
    { name: 'multi-arch', value: '<true|false>', help: 'whether to allow node pools of several architectures' },
  ],
  nodePoolFlags: [
    SUBNET,
    { name: 'instance-type', value: '<type>', help: 'type of the instances', default: 'm5.large' },
    { name: 'instance-profile', value: '<name>', help: 'profile of the instances; default after the infra id' },
    { name: 'securitygroup-id', value: '<id,…>', help: 'security groups of the instances' },
    { name: 'ami', value: '<id>', help: 'image of the instances; default that of the release' },
    { name: 'root-volume-type', value: '<type>', help: 'type of the root volume', default: 'gp3' },
    { name: 'root-volume-size', value: '<GiB>', help: 'size of the root volume', default: '120' },
    { name: 'root-volume-iops', value: '<number>', help: 'operations per second of the root volume' },
    { name: 'root-volume-kms-key', value: '<key>', help: 'key that the root volume is encrypted with' },
  ],
  cluster,
  nodePool,
};
