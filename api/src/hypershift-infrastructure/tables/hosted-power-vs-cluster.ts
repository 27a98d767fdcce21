// Drafted by tools/src/api-kinds/draft from github.com/openshift/hypershift@v0.1.82-0.20260822141928-3ee9615567ac; not edited by hand.
import type { Infer, KindOf, Schema } from '../../model/index.js';
import { kind, named, object, optional, string } from '../../model/index.js';
import { meanings } from '../meanings.table.js';
import { hostedClusterStatus, powerVsResourceReference } from './shared.js';

const hostedPowerVsClusterSpecShape = object({
  accountID: string({ maxLength: 255 }),
  cisInstanceCRN: string({ maxLength: 255, pattern: '^crn:' }),
  imageRegistryOperatorCloudCreds: object({ name: optional(string({ default: '' })) }, { mapType: 'atomic' }),
  ingressOperatorCloudCreds: object({ name: optional(string({ default: '' })) }, { mapType: 'atomic' }),
  kubeCloudControllerCreds: object({ name: optional(string({ default: '' })) }, { mapType: 'atomic' }),
  nodePoolManagementCreds: object({ name: optional(string({ default: '' })) }, { mapType: 'atomic' }),
  region: string({ maxLength: 255 }),
  resourceGroup: string({ maxLength: 255 }),
  serviceInstanceID: string({ maxLength: 255 }),
  storageOperatorCloudCreds: object({ name: optional(string({ default: '' })) }, { mapType: 'atomic' }),
  subnet: powerVsResourceReference,
  vpc: object({
    name: string({ maxLength: 255 }),
    region: string({ maxLength: 255 }),
    subnet: optional(string({ maxLength: 255 })),
    zone: optional(string({ maxLength: 255 })),
  }),
  zone: string({ maxLength: 255 }),
});

/** A value of the shape HostedPowerVSClusterSpec. */
export interface HostedPowerVSClusterSpec extends Infer<typeof hostedPowerVsClusterSpecShape> {}

/** The shape HostedPowerVSClusterSpec. */
export const hostedPowerVsClusterSpec: Schema<HostedPowerVSClusterSpec> = named('HostedPowerVSClusterSpec', hostedPowerVsClusterSpecShape);

/** The kind HostedPowerVSCluster. */
export const hostedPowerVsCluster = kind({
  group: 'infrastructure.hypershift.openshift.io',
  kind: 'HostedPowerVSCluster',
  plural: 'hostedpowervsclusters',
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
      schema: object({ spec: hostedPowerVsClusterSpec, status: optional(hostedClusterStatus) }),
    },
  ],
});

/** HostedPowerVSCluster in `infrastructure.hypershift.openshift.io/v1beta1`. */
export type HostedPowerVSCluster = KindOf<typeof hostedPowerVsCluster, 'v1beta1'>;
