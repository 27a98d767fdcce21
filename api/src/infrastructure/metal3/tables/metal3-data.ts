// Drafted by tools/src/api-kinds/draft from github.com/metal3-io/cluster-api-provider-metal3@v1.13.2; not edited by hand.
import type { Infer, KindOf, Schema } from '../../../model/index.js';
import { boolean, int32, integer, kind, named, object, optional, string } from '../../../model/index.js';
import { meanings } from '../meanings.table.js';
import { metaData, template, templateV1Beta1 } from './shared.js';

const metal3DataStatusV1Beta1Shape = object({ errorMessage: optional(string()), ready: optional(boolean()) });

/** A value of the shape Metal3DataStatus in v1beta1. */
export interface Metal3DataStatusV1Beta1 extends Infer<typeof metal3DataStatusV1Beta1Shape> {}

/** The shape Metal3DataStatus in v1beta1. */
export const metal3DataStatusV1Beta1: Schema<Metal3DataStatusV1Beta1> = named('Metal3DataStatus', metal3DataStatusV1Beta1Shape);

const metal3DataStatusShape = object({ errorMessage: optional(string({ maxLength: 512, minLength: 1 })), ready: optional(boolean()) });

/** A value of the shape Metal3DataStatus. */
export interface Metal3DataStatus extends Infer<typeof metal3DataStatusShape> {}

/** The shape Metal3DataStatus. */
export const metal3DataStatus: Schema<Metal3DataStatus> = named('Metal3DataStatus', metal3DataStatusShape);

const metal3DataSpecShape = object({
  claim: optional(template),
  index: optional(int32({ minimum: 0 })),
  metaData: optional(metaData),
  networkData: optional(metaData),
  template: optional(template),
});

/** A value of the shape Metal3DataSpec. */
export interface Metal3DataSpec extends Infer<typeof metal3DataSpecShape> {}

/** The shape Metal3DataSpec. */
export const metal3DataSpec: Schema<Metal3DataSpec> = named('Metal3DataSpec', metal3DataSpecShape);

const metal3DataSpecV1Beta1Shape = object({
  claim: templateV1Beta1,
  index: optional(integer()),
  metaData: optional(metaData),
  networkData: optional(metaData),
  template: templateV1Beta1,
  templateReference: optional(string()),
});

/** A value of the shape Metal3DataSpec in v1beta1. */
export interface Metal3DataSpecV1Beta1 extends Infer<typeof metal3DataSpecV1Beta1Shape> {}

/** The shape Metal3DataSpec in v1beta1. */
export const metal3DataSpecV1Beta1: Schema<Metal3DataSpecV1Beta1> = named('Metal3DataSpec', metal3DataSpecV1Beta1Shape);

/** The kind Metal3Data. */
export const metal3Data = kind({
  group: 'infrastructure.cluster.x-k8s.io',
  kind: 'Metal3Data',
  plural: 'metal3datas',
  shortNames: ['m3d', 'm3data', 'm3datas', 'metal3d', 'metal3data'],
  categories: ['cluster-api'],
  scope: 'Namespaced',
  labels: {
    'cluster.x-k8s.io/v1beta1': 'v1beta1',
    'cluster.x-k8s.io/v1beta2': 'v1beta2',
    'cluster.x-k8s.io/provider': 'infrastructure-metal3',
  },
  conversion: {
    service: { namespace: 'capm3-system', name: 'capm3-webhook-service', path: '/convert' },
    reviewVersions: ['v1', 'v1beta1'],
  },
  meanings: meanings,
  versions: [
    {
      name: 'v1beta1',
      deprecated: true,
      columns: [{ name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' }],
      subresources: { status: true },
      schema: object({ spec: optional(metal3DataSpecV1Beta1), status: optional(metal3DataStatusV1Beta1) }),
    },
    {
      name: 'v1beta2',
      storage: true,
      columns: [{ name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' }],
      subresources: { status: true },
      schema: object({ spec: optional(metal3DataSpec), status: optional(metal3DataStatus) }),
    },
  ],
});

/** Metal3Data in `infrastructure.cluster.x-k8s.io/v1beta1`. */
export type Metal3DataV1Beta1 = KindOf<typeof metal3Data, 'v1beta1'>;

/** Metal3Data in `infrastructure.cluster.x-k8s.io/v1beta2`. */
export type Metal3Data = KindOf<typeof metal3Data, 'v1beta2'>;
