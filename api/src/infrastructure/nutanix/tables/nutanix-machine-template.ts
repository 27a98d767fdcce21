// Drafted by tools/src/api-kinds/draft from github.com/nutanix-cloud-native/cluster-api-provider-nutanix@v1.10.3; not edited by hand.
import type { Infer, KindOf, Schema } from '../../../model/index.js';
import { kind, map, named, object, optional, quantity, string } from '../../../model/index.js';
import { meanings } from '../meanings.table.js';
import { nutanixMachineSpec } from './shared.js';

const nutanixMachineTemplateStatusShape = object({ capacity: optional(map(quantity())) });

/** A value of the shape NutanixMachineTemplateStatus. */
export interface NutanixMachineTemplateStatus extends Infer<typeof nutanixMachineTemplateStatusShape> {}

/** The shape NutanixMachineTemplateStatus. */
export const nutanixMachineTemplateStatus: Schema<NutanixMachineTemplateStatus> = named('NutanixMachineTemplateStatus', nutanixMachineTemplateStatusShape);

const nutanixMachineTemplateSpecShape = object({
  template: object({
    metadata: optional(object({ annotations: optional(map(string())), labels: optional(map(string())) })),
    spec: nutanixMachineSpec,
  }),
});

/** A value of the shape NutanixMachineTemplateSpec. */
export interface NutanixMachineTemplateSpec extends Infer<typeof nutanixMachineTemplateSpecShape> {}

/** The shape NutanixMachineTemplateSpec. */
export const nutanixMachineTemplateSpec: Schema<NutanixMachineTemplateSpec> = named('NutanixMachineTemplateSpec', nutanixMachineTemplateSpecShape);

/** The kind NutanixMachineTemplate. */
export const nutanixMachineTemplate = kind({
  group: 'infrastructure.cluster.x-k8s.io',
  kind: 'NutanixMachineTemplate',
  plural: 'nutanixmachinetemplates',
  shortNames: ['nmtmpl'],
  categories: ['cluster-api'],
  scope: 'Namespaced',
  labels: { 'cluster.x-k8s.io/v1beta1': 'v1beta1', 'cluster.x-k8s.io/provider': 'infrastructure-nutanix' },
  meanings: meanings,
  versions: [
    {
      name: 'v1beta1',
      storage: true,
      subresources: { status: true },
      schema: object({ spec: optional(nutanixMachineTemplateSpec), status: optional(nutanixMachineTemplateStatus) }),
    },
  ],
});

/** NutanixMachineTemplate in `infrastructure.cluster.x-k8s.io/v1beta1`. */
export type NutanixMachineTemplate = KindOf<typeof nutanixMachineTemplate, 'v1beta1'>;
