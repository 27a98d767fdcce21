// Drafted by tools/src/api-kinds/draft from github.com/openshift/hypershift@v0.1.82-0.20260822141928-3ee9615567ac; not edited by hand.
import type { Infer, KindOf, Schema } from '../../../model/index.js';
import { kind, named, object, optional } from '../../../model/index.js';
import { meanings } from '../meanings.table.js';
import { ibmVpcMachineSpec, ibmVpcMachineSpecV1Beta1, ibmVpcMachineTemplateStatus } from './shared.js';

const ibmVpcMachineTemplateSpecV1Beta1Shape = object({ template: object({ spec: ibmVpcMachineSpecV1Beta1 }) });

/** A value of the shape IBMVPCMachineTemplateSpec in v1beta1. */
export interface IBMVPCMachineTemplateSpecV1Beta1 extends Infer<typeof ibmVpcMachineTemplateSpecV1Beta1Shape> {}

/** The shape IBMVPCMachineTemplateSpec in v1beta1. */
export const ibmVpcMachineTemplateSpecV1Beta1: Schema<IBMVPCMachineTemplateSpecV1Beta1> = named('IBMVPCMachineTemplateSpec', ibmVpcMachineTemplateSpecV1Beta1Shape);

const ibmVpcMachineTemplateSpecShape = object({ template: object({ spec: ibmVpcMachineSpec }) });

/** A value of the shape IBMVPCMachineTemplateSpec. */
export interface IBMVPCMachineTemplateSpec extends Infer<typeof ibmVpcMachineTemplateSpecShape> {}

/** The shape IBMVPCMachineTemplateSpec. */
export const ibmVpcMachineTemplateSpec: Schema<IBMVPCMachineTemplateSpec> = named('IBMVPCMachineTemplateSpec', ibmVpcMachineTemplateSpecShape);

/** The kind IBMVPCMachineTemplate. */
export const ibmVpcMachineTemplate = kind({
  group: 'infrastructure.cluster.x-k8s.io',
  kind: 'IBMVPCMachineTemplate',
  plural: 'ibmvpcmachinetemplates',
  categories: ['cluster-api'],
  scope: 'Namespaced',
  meanings: meanings,
  versions: [
    {
      name: 'v1beta1',
      schema: object({ spec: optional(ibmVpcMachineTemplateSpecV1Beta1), status: optional(object({})) }),
    },
    {
      name: 'v1beta2',
      storage: true,
      subresources: { status: true },
      schema: object({ spec: optional(ibmVpcMachineTemplateSpec), status: optional(ibmVpcMachineTemplateStatus) }),
    },
  ],
});

/** IBMVPCMachineTemplate in `infrastructure.cluster.x-k8s.io/v1beta1`. */
export type IBMVPCMachineTemplateV1Beta1 = KindOf<typeof ibmVpcMachineTemplate, 'v1beta1'>;

/** IBMVPCMachineTemplate in `infrastructure.cluster.x-k8s.io/v1beta2`. */
export type IBMVPCMachineTemplate = KindOf<typeof ibmVpcMachineTemplate, 'v1beta2'>;
