// Drafted by tools/src/api-kinds/draft from github.com/metal3-io/cluster-api-provider-metal3@v1.13.2; not edited by hand.
import type { Infer, KindOf, Schema } from '../../../model/index.js';
import { boolean, kind, named, object, optional } from '../../../model/index.js';
import { meanings } from '../meanings.table.js';
import { metadata, metal3MachineSpec, metal3MachineSpecV1Beta1 } from './shared.js';

const metal3MachineTemplateSpecV1Beta1Shape = object({ nodeReuse: optional(boolean({ default: false })), template: object({ spec: metal3MachineSpecV1Beta1 }) });

/** A value of the shape Metal3MachineTemplateSpec in v1beta1. */
export interface Metal3MachineTemplateSpecV1Beta1 extends Infer<typeof metal3MachineTemplateSpecV1Beta1Shape> {}

/** The shape Metal3MachineTemplateSpec in v1beta1. */
export const metal3MachineTemplateSpecV1Beta1: Schema<Metal3MachineTemplateSpecV1Beta1> = named('Metal3MachineTemplateSpec', metal3MachineTemplateSpecV1Beta1Shape);

const metal3MachineTemplateSpecShape = object({
  nodeReuse: optional(boolean({ default: false })),
  template: object({ metadata: optional(metadata), spec: metal3MachineSpec }),
});

/** A value of the shape Metal3MachineTemplateSpec. */
export interface Metal3MachineTemplateSpec extends Infer<typeof metal3MachineTemplateSpecShape> {}

/** The shape Metal3MachineTemplateSpec. */
export const metal3MachineTemplateSpec: Schema<Metal3MachineTemplateSpec> = named('Metal3MachineTemplateSpec', metal3MachineTemplateSpecShape);

/** The kind Metal3MachineTemplate. */
export const metal3MachineTemplate = kind({
  group: 'infrastructure.cluster.x-k8s.io',
  kind: 'Metal3MachineTemplate',
  plural: 'metal3machinetemplates',
  shortNames: ['m3mt', 'm3machinetemplate', 'm3machinetemplates', 'metal3mt', 'metal3machinetemplate'],
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
      schema: object({ spec: optional(metal3MachineTemplateSpecV1Beta1) }),
    },
    {
      name: 'v1beta2',
      storage: true,
      columns: [{ name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' }],
      schema: object({ spec: metal3MachineTemplateSpec }),
    },
  ],
});

/** Metal3MachineTemplate in `infrastructure.cluster.x-k8s.io/v1beta1`. */
export type Metal3MachineTemplateV1Beta1 = KindOf<typeof metal3MachineTemplate, 'v1beta1'>;

/** Metal3MachineTemplate in `infrastructure.cluster.x-k8s.io/v1beta2`. */
export type Metal3MachineTemplate = KindOf<typeof metal3MachineTemplate, 'v1beta2'>;
