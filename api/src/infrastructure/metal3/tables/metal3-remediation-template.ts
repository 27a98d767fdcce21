// Drafted by tools/src/api-kinds/draft from github.com/metal3-io/cluster-api-provider-metal3@v1.13.2; not edited by hand.
import type { Infer, KindOf, Schema } from '../../../model/index.js';
import { kind, named, object, optional } from '../../../model/index.js';
import { meanings } from '../meanings.table.js';
import {
  metal3RemediationSpec,
  metal3RemediationSpecV1Beta1,
  metal3RemediationStatus,
  metal3RemediationStatusV1Beta1,
} from './shared.js';

const metal3RemediationTemplateStatusV1Beta1Shape = object({ status: metal3RemediationStatusV1Beta1 });

/** A value of the shape Metal3RemediationTemplateStatus in v1beta1. */
export interface Metal3RemediationTemplateStatusV1Beta1 extends Infer<typeof metal3RemediationTemplateStatusV1Beta1Shape> {}

/** The shape Metal3RemediationTemplateStatus in v1beta1. */
export const metal3RemediationTemplateStatusV1Beta1: Schema<Metal3RemediationTemplateStatusV1Beta1> = named('Metal3RemediationTemplateStatus', metal3RemediationTemplateStatusV1Beta1Shape);

const metal3RemediationTemplateSpecV1Beta1Shape = object({ template: object({ spec: metal3RemediationSpecV1Beta1 }) });

/** A value of the shape Metal3RemediationTemplateSpec in v1beta1. */
export interface Metal3RemediationTemplateSpecV1Beta1 extends Infer<typeof metal3RemediationTemplateSpecV1Beta1Shape> {}

/** The shape Metal3RemediationTemplateSpec in v1beta1. */
export const metal3RemediationTemplateSpecV1Beta1: Schema<Metal3RemediationTemplateSpecV1Beta1> = named('Metal3RemediationTemplateSpec', metal3RemediationTemplateSpecV1Beta1Shape);

const metal3RemediationTemplateStatusShape = object({ status: optional(metal3RemediationStatus) });

/** A value of the shape Metal3RemediationTemplateStatus. */
export interface Metal3RemediationTemplateStatus extends Infer<typeof metal3RemediationTemplateStatusShape> {}

/** The shape Metal3RemediationTemplateStatus. */
export const metal3RemediationTemplateStatus: Schema<Metal3RemediationTemplateStatus> = named('Metal3RemediationTemplateStatus', metal3RemediationTemplateStatusShape);

const metal3RemediationTemplateSpecShape = object({ template: object({ spec: metal3RemediationSpec }) });

/** A value of the shape Metal3RemediationTemplateSpec. */
export interface Metal3RemediationTemplateSpec extends Infer<typeof metal3RemediationTemplateSpecShape> {}

/** The shape Metal3RemediationTemplateSpec. */
export const metal3RemediationTemplateSpec: Schema<Metal3RemediationTemplateSpec> = named('Metal3RemediationTemplateSpec', metal3RemediationTemplateSpecShape);

/** The kind Metal3RemediationTemplate. */
export const metal3RemediationTemplate = kind({
  group: 'infrastructure.cluster.x-k8s.io',
  kind: 'Metal3RemediationTemplate',
  plural: 'metal3remediationtemplates',
  shortNames: ['m3rt', 'm3remediationtemplate', 'm3remediationtemplates', 'metal3rt', 'metal3remediationtemplate'],
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
      subresources: { status: true },
      schema: object({
        spec: optional(metal3RemediationTemplateSpecV1Beta1),
        status: optional(metal3RemediationTemplateStatusV1Beta1),
      }),
    },
    {
      name: 'v1beta2',
      storage: true,
      subresources: { status: true },
      schema: object({ spec: optional(metal3RemediationTemplateSpec), status: optional(metal3RemediationTemplateStatus) }),
    },
  ],
});

/** Metal3RemediationTemplate in `infrastructure.cluster.x-k8s.io/v1beta1`. */
export type Metal3RemediationTemplateV1Beta1 = KindOf<typeof metal3RemediationTemplate, 'v1beta1'>;

/** Metal3RemediationTemplate in `infrastructure.cluster.x-k8s.io/v1beta2`. */
export type Metal3RemediationTemplate = KindOf<typeof metal3RemediationTemplate, 'v1beta2'>;
