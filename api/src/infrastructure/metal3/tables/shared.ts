// Drafted by tools/src/api-kinds/draft from github.com/metal3-io/cluster-api-provider-metal3@v1.13.2; not edited by hand.
import type { Infer, Schema } from '../../../model/index.js';
import { array, boolean, int32, integer, map, named, object, optional, string, time } from '../../../model/index.js';

const metaDataShape = object({ name: optional(string()), namespace: optional(string()) }, { mapType: 'atomic' });

/** A value of the shape MetaData. */
export interface MetaData extends Infer<typeof metaDataShape> {}

/** The shape MetaData. */
export const metaData: Schema<MetaData> = named('MetaData', metaDataShape);

const failureDomainsV1Beta1Shape = object({ attributes: optional(map(string())), controlPlane: optional(boolean()) });

/** A value of the shape FailureDomains in v1beta1. */
export interface FailureDomainsV1Beta1 extends Infer<typeof failureDomainsV1Beta1Shape> {}

/** The shape FailureDomains in v1beta1. */
export const failureDomainsV1Beta1: Schema<FailureDomainsV1Beta1> = named('FailureDomains', failureDomainsV1Beta1Shape);

const metal3RemediationStatusV1Beta1Shape = object({ lastRemediated: optional(time()), phase: optional(string()), retryCount: optional(integer()) });

/** A value of the shape Metal3RemediationStatus in v1beta1. */
export interface Metal3RemediationStatusV1Beta1 extends Infer<typeof metal3RemediationStatusV1Beta1Shape> {}

/** The shape Metal3RemediationStatus in v1beta1. */
export const metal3RemediationStatusV1Beta1: Schema<Metal3RemediationStatusV1Beta1> = named('Metal3RemediationStatus', metal3RemediationStatusV1Beta1Shape);

const templateShape = object(
  {
    name: optional(string({ maxLength: 253, minLength: 1 })),
    namespace: optional(string({ maxLength: 253, minLength: 1 })),
  },
  { mapType: 'atomic' },
);

/** A value of the shape Template. */
export interface Template extends Infer<typeof templateShape> {}

/** The shape Template. */
export const template: Schema<Template> = named('Template', templateShape);

const metadataShape = object(
  { annotations: optional(map(string())), labels: optional(map(string())) },
  { minProperties: 1 },
);

/** A value of the shape Metadata. */
export interface Metadata extends Infer<typeof metadataShape> {}

/** The shape Metadata. */
export const metadata: Schema<Metadata> = named('Metadata', metadataShape);

const failureDomainShape = object({
  attributes: optional(map(string())),
  controlPlane: optional(boolean()),
  name: string({ maxLength: 256, minLength: 1 }),
});

/** A value of the shape FailureDomain. */
export interface FailureDomain extends Infer<typeof failureDomainShape> {}

/** The shape FailureDomain. */
export const failureDomain: Schema<FailureDomain> = named('FailureDomain', failureDomainShape);

const metal3RemediationSpecV1Beta1Shape = object({
  strategy: optional(object({ retryLimit: optional(integer()), timeout: optional(string()), type: optional(string()) })),
});

/** A value of the shape Metal3RemediationSpec in v1beta1. */
export interface Metal3RemediationSpecV1Beta1 extends Infer<typeof metal3RemediationSpecV1Beta1Shape> {}

/** The shape Metal3RemediationSpec in v1beta1. */
export const metal3RemediationSpecV1Beta1: Schema<Metal3RemediationSpecV1Beta1> = named('Metal3RemediationSpec', metal3RemediationSpecV1Beta1Shape);

const metal3RemediationStatusShape = object({
  lastRemediated: optional(time()),
  phase: optional(string({ enum: ['Running', 'Waiting', 'Deleting machine', 'Failed'] })),
  retryCount: optional(int32({ minimum: 1 })),
});

/** A value of the shape Metal3RemediationStatus. */
export interface Metal3RemediationStatus extends Infer<typeof metal3RemediationStatusShape> {}

/** The shape Metal3RemediationStatus. */
export const metal3RemediationStatus: Schema<Metal3RemediationStatus> = named('Metal3RemediationStatus', metal3RemediationStatusShape);

const metal3RemediationSpecShape = object({
  strategy: optional(object({
    retryLimit: optional(int32({ default: 1, minimum: 1 })),
    timeoutSeconds: optional(int32({ default: 600, minimum: 100 })),
    type: optional(string({ enum: ['Reboot'] })),
  })),
});

/** A value of the shape Metal3RemediationSpec. */
export interface Metal3RemediationSpec extends Infer<typeof metal3RemediationSpecShape> {}

/** The shape Metal3RemediationSpec. */
export const metal3RemediationSpec: Schema<Metal3RemediationSpec> = named('Metal3RemediationSpec', metal3RemediationSpecShape);

const v1beta1ConditionShape = object({
  lastTransitionTime: time(),
  message: optional(string({ maxLength: 10240, minLength: 1 })),
  reason: optional(string({ maxLength: 256, minLength: 1 })),
  severity: optional(string({ maxLength: 32 })),
  status: string(),
  type: string({ maxLength: 256, minLength: 1 }),
});

/** A value of the shape V1beta1Condition. */
export interface V1beta1Condition extends Infer<typeof v1beta1ConditionShape> {}

/** The shape V1beta1Condition. */
export const v1beta1Condition: Schema<V1beta1Condition> = named('V1beta1Condition', v1beta1ConditionShape);

const templateV1Beta1Shape = object(
  {
    apiVersion: optional(string()),
    fieldPath: optional(string()),
    kind: optional(string()),
    name: optional(string()),
    namespace: optional(string()),
    resourceVersion: optional(string()),
    uid: optional(string()),
  },
  { mapType: 'atomic' },
);

/** A value of the shape Template in v1beta1. */
export interface TemplateV1Beta1 extends Infer<typeof templateV1Beta1Shape> {}

/** The shape Template in v1beta1. */
export const templateV1Beta1: Schema<TemplateV1Beta1> = named('Template', templateV1Beta1Shape);

const metal3ClusterSpecV1Beta1Shape = object({
  cloudProviderEnabled: optional(boolean()),
  controlPlaneEndpoint: optional(object({ host: string(), port: integer() })),
  failureDomains: optional(map(failureDomainsV1Beta1)),
  noCloudProvider: optional(boolean()),
});

/** A value of the shape Metal3ClusterSpec in v1beta1. */
export interface Metal3ClusterSpecV1Beta1 extends Infer<typeof metal3ClusterSpecV1Beta1Shape> {}

/** The shape Metal3ClusterSpec in v1beta1. */
export const metal3ClusterSpecV1Beta1: Schema<Metal3ClusterSpecV1Beta1> = named('Metal3ClusterSpec', metal3ClusterSpecV1Beta1Shape);

const metal3ClusterSpecShape = object({
  cloudProviderEnabled: optional(boolean()),
  controlPlaneEndpoint: optional(object(
    { host: optional(string({ maxLength: 512, minLength: 1 })), port: optional(int32({ maximum: 65535, minimum: 1 })) },
    { minProperties: 1 },
  )),
  failureDomains: optional(array(failureDomain, { maxItems: 100, minItems: 1, listMapKeys: ['name'], listType: 'map' })),
});

/** A value of the shape Metal3ClusterSpec. */
export interface Metal3ClusterSpec extends Infer<typeof metal3ClusterSpecShape> {}

/** The shape Metal3ClusterSpec. */
export const metal3ClusterSpec: Schema<Metal3ClusterSpec> = named('Metal3ClusterSpec', metal3ClusterSpecShape);

const metal3MachineSpecV1Beta1Shape = object({
  automatedCleaningMode: optional(string({ enum: ['metadata', 'disabled'] })),
  customDeploy: optional(object({ method: string() })),
  dataTemplate: optional(templateV1Beta1),
  failureDomain: optional(string()),
  hostSelector: optional(object({
    matchExpressions: optional(array(object({ key: string(), operator: string(), values: array(string()) }))),
    matchLabels: optional(map(string())),
  })),
  image: optional(object({
    checksum: string(),
    checksumType: optional(string({ enum: ['md5', 'sha256', 'sha512'] })),
    format: optional(string({ enum: ['raw', 'qcow2', 'vdi', 'vmdk', 'live-iso'] })),
    url: string(),
  })),
  metaData: optional(metaData),
  networkData: optional(metaData),
  providerID: optional(string()),
  userData: optional(metaData),
});

/** A value of the shape Metal3MachineSpec in v1beta1. */
export interface Metal3MachineSpecV1Beta1 extends Infer<typeof metal3MachineSpecV1Beta1Shape> {}

/** The shape Metal3MachineSpec in v1beta1. */
export const metal3MachineSpecV1Beta1: Schema<Metal3MachineSpecV1Beta1> = named('Metal3MachineSpec', metal3MachineSpecV1Beta1Shape);

const metal3MachineSpecShape = object({
  automatedCleaningMode: optional(string({ enum: ['metadata', 'disabled'] })),
  customDeploy: optional(object({ method: string({ maxLength: 512, minLength: 1 }) })),
  dataTemplate: optional(template),
  failureDomain: optional(string({ maxLength: 256, minLength: 1 })),
  hostSelector: optional(object({
    matchExpressions: optional(array(
      object({
        key: string({ maxLength: 512, minLength: 1 }),
        operator: string(),
        values: array(string({ maxLength: 512, minLength: 1 }), { maxItems: 512, listType: 'set' }),
      }),
      { maxItems: 512, minItems: 1, listMapKeys: ['key'], listType: 'map' },
    )),
    matchLabels: optional(map(string())),
  })),
  image: optional(object({
    checksum: string({ maxLength: 512, minLength: 0 }),
    checksumType: optional(string({ enum: ['md5', 'sha256', 'sha512'] })),
    diskFormat: optional(string({ enum: ['raw', 'qcow2', 'vdi', 'vmdk', 'live-iso'] })),
    url: string({ format: 'uri', maxLength: 512, minLength: 1 }),
  })),
  metaData: optional(metaData),
  networkData: optional(metaData),
  providerID: optional(string({ maxLength: 512, minLength: 1 })),
  userData: optional(metaData),
});

/** A value of the shape Metal3MachineSpec. */
export interface Metal3MachineSpec extends Infer<typeof metal3MachineSpecShape> {}

/** The shape Metal3MachineSpec. */
export const metal3MachineSpec: Schema<Metal3MachineSpec> = named('Metal3MachineSpec', metal3MachineSpecShape);
