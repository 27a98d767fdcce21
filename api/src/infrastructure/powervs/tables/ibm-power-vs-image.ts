// Drafted by tools/src/api-kinds/draft from github.com/openshift/hypershift@v0.1.82-0.20260822141928-3ee9615567ac; not edited by hand.
import type { Infer, KindOf, Schema } from '../../../model/index.js';
import { array, boolean, condition, kind, named, object, optional, string } from '../../../model/index.js';
import { meanings } from '../meanings.table.js';
import { legacyCondition, network } from './shared.js';

const ibmPowerVsImageSpecV1Beta1Shape = object({
  bucket: string(),
  clusterName: string({ minLength: 1 }),
  deletePolicy: optional(string({ default: 'delete', enum: ['delete', 'retain'] })),
  object: string(),
  region: string(),
  serviceInstanceID: string(),
  storageType: optional(string({ default: 'tier1', enum: ['tier0', 'tier1', 'tier3'] })),
});

/** A value of the shape IBMPowerVSImageSpec in v1beta1. */
export interface IBMPowerVSImageSpecV1Beta1 extends Infer<typeof ibmPowerVsImageSpecV1Beta1Shape> {}

/** The shape IBMPowerVSImageSpec in v1beta1. */
export const ibmPowerVsImageSpecV1Beta1: Schema<IBMPowerVSImageSpecV1Beta1> = named('IBMPowerVSImageSpec', ibmPowerVsImageSpecV1Beta1Shape);

const ibmPowerVsImageSpecShape = object({
  bucket: string(),
  clusterName: string({ minLength: 1 }),
  deletePolicy: optional(string({ default: 'delete', enum: ['delete', 'retain'] })),
  object: string(),
  region: string(),
  serviceInstance: optional(network),
  serviceInstanceID: string(),
  storageType: optional(string({ default: 'tier1', enum: ['tier0', 'tier1', 'tier3'] })),
});

/** A value of the shape IBMPowerVSImageSpec. */
export interface IBMPowerVSImageSpec extends Infer<typeof ibmPowerVsImageSpecShape> {}

/** The shape IBMPowerVSImageSpec. */
export const ibmPowerVsImageSpec: Schema<IBMPowerVSImageSpec> = named('IBMPowerVSImageSpec', ibmPowerVsImageSpecShape);

const ibmPowerVsImageStatusV1Beta1Shape = object({
  conditions: optional(array(legacyCondition)),
  imageID: optional(string()),
  imageState: optional(string()),
  jobID: optional(string()),
  ready: optional(boolean()),
});

/** A value of the shape IBMPowerVSImageStatus in v1beta1. */
export interface IBMPowerVSImageStatusV1Beta1 extends Infer<typeof ibmPowerVsImageStatusV1Beta1Shape> {}

/** The shape IBMPowerVSImageStatus in v1beta1. */
export const ibmPowerVsImageStatusV1Beta1: Schema<IBMPowerVSImageStatusV1Beta1> = named('IBMPowerVSImageStatus', ibmPowerVsImageStatusV1Beta1Shape);

const ibmPowerVsImageStatusShape = object({
  conditions: optional(array(legacyCondition)),
  imageID: optional(string()),
  imageState: optional(string()),
  jobID: optional(string()),
  ready: optional(boolean()),
  v1beta2: optional(object({ conditions: optional(array(condition, { maxItems: 32, listMapKeys: ['type'], listType: 'map' })) })),
});

/** A value of the shape IBMPowerVSImageStatus. */
export interface IBMPowerVSImageStatus extends Infer<typeof ibmPowerVsImageStatusShape> {}

/** The shape IBMPowerVSImageStatus. */
export const ibmPowerVsImageStatus: Schema<IBMPowerVSImageStatus> = named('IBMPowerVSImageStatus', ibmPowerVsImageStatusShape);

/** The kind IBMPowerVSImage. */
export const ibmPowerVsImage = kind({
  group: 'infrastructure.cluster.x-k8s.io',
  kind: 'IBMPowerVSImage',
  plural: 'ibmpowervsimages',
  scope: 'Namespaced',
  labels: { 'cluster.x-k8s.io/v1beta1': 'v1beta2' },
  meanings: meanings,
  versions: [
    {
      name: 'v1beta1',
      columns: [
        { name: 'State', type: 'string', jsonPath: '.status.imageState' },
        { name: 'Ready', type: 'string', jsonPath: '.status.ready' },
      ],
      subresources: { status: true },
      schema: object({ spec: optional(ibmPowerVsImageSpecV1Beta1), status: optional(ibmPowerVsImageStatusV1Beta1) }),
    },
    {
      name: 'v1beta2',
      storage: true,
      columns: [
        { name: 'State', type: 'string', jsonPath: '.status.imageState' },
        { name: 'Ready', type: 'string', jsonPath: '.status.ready' },
      ],
      subresources: { status: true },
      schema: object({ spec: optional(ibmPowerVsImageSpec), status: optional(ibmPowerVsImageStatus) }),
    },
  ],
});

/** IBMPowerVSImage in `infrastructure.cluster.x-k8s.io/v1beta1`. */
export type IBMPowerVSImageV1Beta1 = KindOf<typeof ibmPowerVsImage, 'v1beta1'>;

/** IBMPowerVSImage in `infrastructure.cluster.x-k8s.io/v1beta2`. */
export type IBMPowerVSImage = KindOf<typeof ibmPowerVsImage, 'v1beta2'>;
