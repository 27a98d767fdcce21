// Drafted by tools/src/api-kinds/draft from github.com/metal3-io/cluster-api-provider-metal3@v1.13.2; not edited by hand.
import type { Infer, KindOf, Schema } from '../../../model/index.js';
import { kind, named, object, optional, string } from '../../../model/index.js';
import { meanings } from '../meanings.table.js';
import { template, templateV1Beta1 } from './shared.js';

const metal3DataClaimSpecShape = object({ template: optional(template) });

/** A value of the shape Metal3DataClaimSpec. */
export interface Metal3DataClaimSpec extends Infer<typeof metal3DataClaimSpecShape> {}

/** The shape Metal3DataClaimSpec. */
export const metal3DataClaimSpec: Schema<Metal3DataClaimSpec> = named('Metal3DataClaimSpec', metal3DataClaimSpecShape);

const metal3DataClaimStatusShape = object({ errorMessage: optional(string({ maxLength: 512, minLength: 1 })), renderedData: optional(template) });

/** A value of the shape Metal3DataClaimStatus. */
export interface Metal3DataClaimStatus extends Infer<typeof metal3DataClaimStatusShape> {}

/** The shape Metal3DataClaimStatus. */
export const metal3DataClaimStatus: Schema<Metal3DataClaimStatus> = named('Metal3DataClaimStatus', metal3DataClaimStatusShape);

const metal3DataClaimSpecV1Beta1Shape = object({ template: templateV1Beta1 });

/** A value of the shape Metal3DataClaimSpec in v1beta1. */
export interface Metal3DataClaimSpecV1Beta1 extends Infer<typeof metal3DataClaimSpecV1Beta1Shape> {}

/** The shape Metal3DataClaimSpec in v1beta1. */
export const metal3DataClaimSpecV1Beta1: Schema<Metal3DataClaimSpecV1Beta1> = named('Metal3DataClaimSpec', metal3DataClaimSpecV1Beta1Shape);

const metal3DataClaimStatusV1Beta1Shape = object({ errorMessage: optional(string()), renderedData: optional(templateV1Beta1) });

/** A value of the shape Metal3DataClaimStatus in v1beta1. */
export interface Metal3DataClaimStatusV1Beta1 extends Infer<typeof metal3DataClaimStatusV1Beta1Shape> {}

/** The shape Metal3DataClaimStatus in v1beta1. */
export const metal3DataClaimStatusV1Beta1: Schema<Metal3DataClaimStatusV1Beta1> = named('Metal3DataClaimStatus', metal3DataClaimStatusV1Beta1Shape);

/** The kind Metal3DataClaim. */
export const metal3DataClaim = kind({
  group: 'infrastructure.cluster.x-k8s.io',
  kind: 'Metal3DataClaim',
  plural: 'metal3dataclaims',
  shortNames: ['m3dc', 'm3dataclaim', 'm3dataclaims', 'metal3dc', 'metal3dataclaim'],
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
      schema: object({ spec: optional(metal3DataClaimSpecV1Beta1), status: optional(metal3DataClaimStatusV1Beta1) }),
    },
    {
      name: 'v1beta2',
      storage: true,
      columns: [{ name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' }],
      subresources: { status: true },
      schema: object({ spec: optional(metal3DataClaimSpec), status: optional(metal3DataClaimStatus) }),
    },
  ],
});

/** Metal3DataClaim in `infrastructure.cluster.x-k8s.io/v1beta1`. */
export type Metal3DataClaimV1Beta1 = KindOf<typeof metal3DataClaim, 'v1beta1'>;

/** Metal3DataClaim in `infrastructure.cluster.x-k8s.io/v1beta2`. */
export type Metal3DataClaim = KindOf<typeof metal3DataClaim, 'v1beta2'>;
