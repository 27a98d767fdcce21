// Drafted by tools/src/api-kinds/draft from github.com/openshift/hypershift@v0.1.82-0.20260822141928-3ee9615567ac; not edited by hand.
import type { Infer, KindOf, Schema } from '../../../model/index.js';
import { kind, map, named, object, optional, quantity, string } from '../../../model/index.js';
import { meanings } from '../meanings.table.js';
import { azureMachineSpec } from './shared.js';

const azureMachineTemplateStatusShape = object({
  capacity: optional(map(quantity())),
  nodeInfo: optional(object({
    architecture: optional(string({ enum: ['amd64', 'arm64'] })),
    operatingSystem: optional(string({ enum: ['linux', 'windows'] })),
  })),
});

/** A value of the shape AzureMachineTemplateStatus. */
export interface AzureMachineTemplateStatus extends Infer<typeof azureMachineTemplateStatusShape> {}

/** The shape AzureMachineTemplateStatus. */
export const azureMachineTemplateStatus: Schema<AzureMachineTemplateStatus> = named('AzureMachineTemplateStatus', azureMachineTemplateStatusShape);

const azureMachineTemplateSpecShape = object({
  template: object({
    metadata: optional(object({ annotations: optional(map(string())), labels: optional(map(string())) })),
    spec: azureMachineSpec,
  }),
});

/** A value of the shape AzureMachineTemplateSpec. */
export interface AzureMachineTemplateSpec extends Infer<typeof azureMachineTemplateSpecShape> {}

/** The shape AzureMachineTemplateSpec. */
export const azureMachineTemplateSpec: Schema<AzureMachineTemplateSpec> = named('AzureMachineTemplateSpec', azureMachineTemplateSpecShape);

/** The kind AzureMachineTemplate. */
export const azureMachineTemplate = kind({
  group: 'infrastructure.cluster.x-k8s.io',
  kind: 'AzureMachineTemplate',
  plural: 'azuremachinetemplates',
  categories: ['cluster-api'],
  scope: 'Namespaced',
  labels: { 'cluster.x-k8s.io/v1beta1': 'v1beta1' },
  meanings: meanings,
  versions: [
    {
      name: 'v1beta1',
      storage: true,
      subresources: { status: true },
      schema: object({ spec: optional(azureMachineTemplateSpec), status: optional(azureMachineTemplateStatus) }),
    },
  ],
});

/** AzureMachineTemplate in `infrastructure.cluster.x-k8s.io/v1beta1`. */
export type AzureMachineTemplate = KindOf<typeof azureMachineTemplate, 'v1beta1'>;
