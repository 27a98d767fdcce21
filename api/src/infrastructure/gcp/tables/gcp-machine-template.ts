// Drafted by tools/src/api-kinds/draft from github.com/openshift/hypershift@v0.1.82-0.20260822141928-3ee9615567ac; not edited by hand.
import type { Infer, KindOf, Schema } from '../../../model/index.js';
import { kind, named, object, optional } from '../../../model/index.js';
import { meanings } from '../meanings.table.js';
import { gcpMachineSpec, templateMetadata } from './shared.js';

const gcpMachineTemplateSpecShape = object({ template: object({ metadata: optional(templateMetadata), spec: gcpMachineSpec }) });

/** A value of the shape GCPMachineTemplateSpec. */
export interface GCPMachineTemplateSpec extends Infer<typeof gcpMachineTemplateSpecShape> {}

/** The shape GCPMachineTemplateSpec. */
export const gcpMachineTemplateSpec: Schema<GCPMachineTemplateSpec> = named('GCPMachineTemplateSpec', gcpMachineTemplateSpecShape);

/** The kind GCPMachineTemplate. */
export const gcpMachineTemplate = kind({
  group: 'infrastructure.cluster.x-k8s.io',
  kind: 'GCPMachineTemplate',
  plural: 'gcpmachinetemplates',
  categories: ['cluster-api'],
  scope: 'Namespaced',
  labels: { 'cluster.x-k8s.io/v1beta1': 'v1beta1' },
  meanings: meanings,
  versions: [{ name: 'v1beta1', storage: true, schema: object({ spec: optional(gcpMachineTemplateSpec) }) }],
});

/** GCPMachineTemplate in `infrastructure.cluster.x-k8s.io/v1beta1`. */
export type GCPMachineTemplate = KindOf<typeof gcpMachineTemplate, 'v1beta1'>;
