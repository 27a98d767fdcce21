// Drafted by tools/src/api-kinds/draft from github.com/openshift/hypershift@v0.1.82-0.20260822141928-3ee9615567ac; not edited by hand.
import type { Infer, KindOf, Schema } from '../../../model/index.js';
import { kind, named, object, optional } from '../../../model/index.js';
import { meanings } from '../meanings.table.js';
import { ibmPowerVsMachineSpec, ibmPowerVsMachineSpecV1Beta1, ibmVpcMachineTemplateStatus } from './shared.js';

const ibmPowerVsMachineTemplateSpecV1Beta1Shape = object({ template: object({ spec: ibmPowerVsMachineSpecV1Beta1 }) });

/** A value of the shape IBMPowerVSMachineTemplateSpec in v1beta1. */
export interface IBMPowerVSMachineTemplateSpecV1Beta1 extends Infer<typeof ibmPowerVsMachineTemplateSpecV1Beta1Shape> {}

/** The shape IBMPowerVSMachineTemplateSpec in v1beta1. */
export const ibmPowerVsMachineTemplateSpecV1Beta1: Schema<IBMPowerVSMachineTemplateSpecV1Beta1> = named('IBMPowerVSMachineTemplateSpec', ibmPowerVsMachineTemplateSpecV1Beta1Shape);

const ibmPowerVsMachineTemplateSpecShape = object({ template: object({ spec: ibmPowerVsMachineSpec }) });

/** A value of the shape IBMPowerVSMachineTemplateSpec. */
export interface IBMPowerVSMachineTemplateSpec extends Infer<typeof ibmPowerVsMachineTemplateSpecShape> {}

/** The shape IBMPowerVSMachineTemplateSpec. */
export const ibmPowerVsMachineTemplateSpec: Schema<IBMPowerVSMachineTemplateSpec> = named('IBMPowerVSMachineTemplateSpec', ibmPowerVsMachineTemplateSpecShape);

/** The kind IBMPowerVSMachineTemplate. */
export const ibmPowerVsMachineTemplate = kind({
  group: 'infrastructure.cluster.x-k8s.io',
  kind: 'IBMPowerVSMachineTemplate',
  plural: 'ibmpowervsmachinetemplates',
  scope: 'Namespaced',
  labels: { 'cluster.x-k8s.io/v1beta1': 'v1beta2' },
  meanings: meanings,
  versions: [
    {
      name: 'v1beta1',
      subresources: { status: true },
      schema: object({ spec: optional(ibmPowerVsMachineTemplateSpecV1Beta1), status: optional(ibmVpcMachineTemplateStatus) }),
    },
    {
      name: 'v1beta2',
      storage: true,
      subresources: { status: true },
      schema: object({ spec: optional(ibmPowerVsMachineTemplateSpec), status: optional(ibmVpcMachineTemplateStatus) }),
    },
  ],
});

/** IBMPowerVSMachineTemplate in `infrastructure.cluster.x-k8s.io/v1beta1`. */
export type IBMPowerVSMachineTemplateV1Beta1 = KindOf<typeof ibmPowerVsMachineTemplate, 'v1beta1'>;

/** IBMPowerVSMachineTemplate in `infrastructure.cluster.x-k8s.io/v1beta2`. */
export type IBMPowerVSMachineTemplate = KindOf<typeof ibmPowerVsMachineTemplate, 'v1beta2'>;
