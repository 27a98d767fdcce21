// Drafted by tools/src/api-kinds/draft from github.com/openshift/hypershift@v0.1.82-0.20260822141928-3ee9615567ac; not edited by hand.
import type { Infer, KindOf, Schema } from '../../../model/index.js';
import { kind, named, object, optional } from '../../../model/index.js';
import { meanings } from '../meanings.table.js';
import { kubevirtMachineSpec } from './shared.js';

const kubevirtMachineTemplateSpecShape = object({ template: object({ spec: kubevirtMachineSpec }) });

/** A value of the shape KubevirtMachineTemplateSpec. */
export interface KubevirtMachineTemplateSpec extends Infer<typeof kubevirtMachineTemplateSpecShape> {}

/** The shape KubevirtMachineTemplateSpec. */
export const kubevirtMachineTemplateSpec: Schema<KubevirtMachineTemplateSpec> = named('KubevirtMachineTemplateSpec', kubevirtMachineTemplateSpecShape);

/** The kind KubevirtMachineTemplate. */
export const kubevirtMachineTemplate = kind({
  group: 'infrastructure.cluster.x-k8s.io',
  kind: 'KubevirtMachineTemplate',
  plural: 'kubevirtmachinetemplates',
  categories: ['cluster-api'],
  scope: 'Namespaced',
  labels: { 'cluster.x-k8s.io/v1beta1': 'v1alpha1' },
  meanings: meanings,
  versions: [{ name: 'v1alpha1', storage: true, schema: object({ spec: optional(kubevirtMachineTemplateSpec) }) }],
});

/** KubevirtMachineTemplate in `infrastructure.cluster.x-k8s.io/v1alpha1`. */
export type KubevirtMachineTemplate = KindOf<typeof kubevirtMachineTemplate, 'v1alpha1'>;
