// Drafted by tools/src/api-kinds/draft from github.com/openshift/hypershift@v0.1.82-0.20260822141928-3ee9615567ac; not edited by hand.
import type { Infer, KindOf, Schema } from '../../../model/index.js';
import { kind, map, named, object, optional, quantity, string } from '../../../model/index.js';
import { meanings } from '../meanings.table.js';
import { openStackMachineSpec } from './shared.js';

const openStackMachineTemplateStatusShape = object({
  capacity: optional(map(quantity())),
  nodeInfo: optional(object({ operatingSystem: optional(string()) }, { minProperties: 1 })),
});

/** A value of the shape OpenStackMachineTemplateStatus. */
export interface OpenStackMachineTemplateStatus extends Infer<typeof openStackMachineTemplateStatusShape> {}

/** The shape OpenStackMachineTemplateStatus. */
export const openStackMachineTemplateStatus: Schema<OpenStackMachineTemplateStatus> = named('OpenStackMachineTemplateStatus', openStackMachineTemplateStatusShape);

const openStackMachineTemplateSpecShape = object({ template: object({ spec: openStackMachineSpec }) });

/** A value of the shape OpenStackMachineTemplateSpec. */
export interface OpenStackMachineTemplateSpec extends Infer<typeof openStackMachineTemplateSpecShape> {}

/** The shape OpenStackMachineTemplateSpec. */
export const openStackMachineTemplateSpec: Schema<OpenStackMachineTemplateSpec> = named('OpenStackMachineTemplateSpec', openStackMachineTemplateSpecShape);

/** The kind OpenStackMachineTemplate. */
export const openStackMachineTemplate = kind({
  group: 'infrastructure.cluster.x-k8s.io',
  kind: 'OpenStackMachineTemplate',
  plural: 'openstackmachinetemplates',
  shortNames: ['osmt'],
  categories: ['cluster-api'],
  scope: 'Namespaced',
  labels: { 'cluster.x-k8s.io/v1beta1': 'v1beta1' },
  meanings: meanings,
  versions: [
    {
      name: 'v1beta1',
      storage: true,
      subresources: { status: true },
      schema: object({ spec: optional(openStackMachineTemplateSpec), status: optional(openStackMachineTemplateStatus) }),
    },
  ],
});

/** OpenStackMachineTemplate in `infrastructure.cluster.x-k8s.io/v1beta1`. */
export type OpenStackMachineTemplate = KindOf<typeof openStackMachineTemplate, 'v1beta1'>;
