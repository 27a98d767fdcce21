// Drafted by tools/src/api-kinds/draft from github.com/openshift/hypershift@v0.1.82-0.20260822141928-3ee9615567ac; not edited by hand.
import type { Infer, KindOf, Schema } from '../../model/index.js';
import { array, boolean, condition, kind, named, object, optional, string } from '../../model/index.js';
import { meanings } from '../meanings.table.js';
import { apiEndpoint } from './shared.js';

const hostedAwsClusterStatusShape = object({
  apiEndpoint: optional(apiEndpoint),
  conditions: optional(array(condition, { maxItems: 100, listMapKeys: ['type'], listType: 'map' })),
  network: optional(object({
    defaultWorkerSecurityGroupID: optional(string({ maxLength: 255, minLength: 1 })),
    subnetIDs: optional(array(string({ maxLength: 255, minLength: 1 }), { maxItems: 50, listType: 'set' })),
    vpcID: optional(string({ maxLength: 255, minLength: 1 })),
  })),
  privateLink: optional(object({ ready: boolean(), vpcEndpointID: optional(string({ maxLength: 255, minLength: 1 })) })),
  ready: boolean(),
});

/** A value of the shape HostedAWSClusterStatus. */
export interface HostedAWSClusterStatus extends Infer<typeof hostedAwsClusterStatusShape> {}

/** The shape HostedAWSClusterStatus. */
export const hostedAwsClusterStatus: Schema<HostedAWSClusterStatus> = named('HostedAWSClusterStatus', hostedAwsClusterStatusShape);

const hostedAwsClusterSpecShape = object({
  additionalAllowedPrincipals: optional(array(string({ maxLength: 255 }), { maxItems: 25 })),
  endpointAccess: optional(object({ type: optional(string({ default: 'Public', enum: ['Public', 'PublicAndPrivate', 'Private'] })) })),
  multiArch: optional(boolean({ default: false })),
  privateLink: optional(object({ enabled: boolean() })),
  region: string({ maxLength: 255 }),
  resourceTags: optional(array(
    object({
      key: string({
        maxLength: 128,
        minLength: 1,
        rules: [
          {
            message: 'key must only contain letters, digits, and the characters _ . : / = + - @',
            rule: "self.matches('^[0-9A-Za-z_.:/=+@-]+$')",
          },
        ],
      }),
      overridePolicy: optional(string({ enum: ['Allow', 'Deny'] })),
      value: string({
        maxLength: 256,
        minLength: 1,
        rules: [
          {
            message: 'value must only contain letters, digits, and the characters _ . : / = + - @',
            rule: "self.matches('^[0-9A-Za-z_.:/=+@-]+$')",
          },
        ],
      }),
    }),
    { maxItems: 25 },
  )),
  rolesRef: optional(object({
    controlPlaneOperatorARN: string({ maxLength: 2048 }),
    imageRegistryARN: string({ maxLength: 2048 }),
    ingressARN: string({ maxLength: 2048 }),
    kubeCloudControllerARN: string({ maxLength: 2048 }),
    networkARN: string({ maxLength: 2048 }),
    nodePoolManagementARN: string({ maxLength: 2048 }),
    storageARN: string({ maxLength: 2048 }),
  })),
  secretEncryption: optional(object({
    backupKMSKeyARN: optional(string({ maxLength: 2048, minLength: 1, pattern: '^arn:' })),
    kmsKeyARN: string({ maxLength: 2048, minLength: 1, pattern: '^arn:' }),
    roleARN: optional(string({ maxLength: 2048, minLength: 1, pattern: '^arn:' })),
  })),
  serviceEndpoints: optional(array(
    object({ name: string({ maxLength: 255 }), url: string({ maxLength: 2048, pattern: '^https://' }) }),
    { maxItems: 50 },
  )),
  sharedVPC: optional(object({
    localZoneID: string({ maxLength: 32 }),
    rolesRef: object({
      controlPlaneARN: string({ maxLength: 2048, pattern: '^arn:(aws|aws-cn|aws-us-gov):iam::[0-9]{12}:role\\/.*$' }),
      ingressARN: string({ maxLength: 2048, pattern: '^arn:(aws|aws-cn|aws-us-gov):iam::[0-9]{12}:role\\/.*$' }),
    }),
  })),
  subnets: optional(array(
    object({ id: string({ maxLength: 255, minLength: 1 }), zone: optional(string({ maxLength: 255, minLength: 1 })) }),
    { maxItems: 50, listMapKeys: ['id'], listType: 'map' },
  )),
  terminationHandlerQueueURL: optional(string({
    maxLength: 512,
    pattern: '^https://sqs\\.[a-z0-9-]+\\.amazonaws\\.com/[0-9]{12}/[a-zA-Z0-9_-]+(\\.fifo)?$',
  })),
  vpc: optional(object({ id: string({ maxLength: 255, minLength: 1 }) })),
});

/** A value of the shape HostedAWSClusterSpec. */
export interface HostedAWSClusterSpec extends Infer<typeof hostedAwsClusterSpecShape> {}

/** The shape HostedAWSClusterSpec. */
export const hostedAwsClusterSpec: Schema<HostedAWSClusterSpec> = named('HostedAWSClusterSpec', hostedAwsClusterSpecShape);

/** The kind HostedAWSCluster. */
export const hostedAwsCluster = kind({
  group: 'infrastructure.hypershift.openshift.io',
  kind: 'HostedAWSCluster',
  plural: 'hostedawsclusters',
  scope: 'Namespaced',
  meanings: meanings,
  versions: [
    {
      name: 'v1beta1',
      storage: true,
      columns: [
        { name: 'Region', type: 'string', jsonPath: '.spec.region' },
        { name: 'Ready', type: 'boolean', jsonPath: '.status.ready' },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
      ],
      subresources: { status: true },
      schema: object({ spec: hostedAwsClusterSpec, status: optional(hostedAwsClusterStatus) }),
    },
  ],
});

/** HostedAWSCluster in `infrastructure.hypershift.openshift.io/v1beta1`. */
export type HostedAWSCluster = KindOf<typeof hostedAwsCluster, 'v1beta1'>;
