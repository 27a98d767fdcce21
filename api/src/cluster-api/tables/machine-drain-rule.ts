// Drafted by tools/src/api-kinds/draft from sigs.k8s.io/cluster-api@v1.13.6; not edited by hand.
import type { Infer, KindOf, Schema } from '../../model/index.js';
import { array, int32, kind, labelSelector, named, object, optional, string } from '../../model/index.js';
import { meanings } from '../meanings.table.js';

const machineDrainRuleSpecShape = object({
  drain: object({ behavior: string({ enum: ['Drain', 'Skip', 'WaitCompleted'] }), order: optional(int32()) }),
  machines: optional(array(
    object({ clusterSelector: optional(labelSelector), selector: optional(labelSelector) }, { minProperties: 1 }),
    {
      maxItems: 32,
      minItems: 1,
      listType: 'atomic',
      rules: [{ message: 'entries in machines must be unique', rule: 'self.all(x, self.exists_one(y, x == y))' }],
    },
  )),
  pods: optional(array(
    object({ namespaceSelector: optional(labelSelector), selector: optional(labelSelector) }, { minProperties: 1 }),
    {
      maxItems: 32,
      minItems: 1,
      listType: 'atomic',
      rules: [{ message: 'entries in pods must be unique', rule: 'self.all(x, self.exists_one(y, x == y))' }],
    },
  )),
});

/** A value of the shape MachineDrainRuleSpec. */
export interface MachineDrainRuleSpec extends Infer<typeof machineDrainRuleSpecShape> {}

/** The shape MachineDrainRuleSpec. */
export const machineDrainRuleSpec: Schema<MachineDrainRuleSpec> = named('MachineDrainRuleSpec', machineDrainRuleSpecShape);

/** The kind MachineDrainRule. */
export const machineDrainRule = kind({
  group: 'cluster.x-k8s.io',
  kind: 'MachineDrainRule',
  plural: 'machinedrainrules',
  categories: ['cluster-api'],
  scope: 'Namespaced',
  labels: { 'cluster.x-k8s.io/provider': 'cluster-api' },
  conversion: { service: { namespace: 'capi-system', name: 'capi-webhook-service', path: '/convert' } },
  meanings: meanings,
  versions: [
    {
      name: 'v1beta1',
      deprecated: true,
      columns: [
        { name: 'Behavior', type: 'string', jsonPath: '.spec.drain.behavior' },
        { name: 'Order', type: 'string', jsonPath: '.spec.drain.order' },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
      ],
      schema: object({ metadata: object({}), spec: machineDrainRuleSpec }),
    },
    {
      name: 'v1beta2',
      storage: true,
      columns: [
        { name: 'Behavior', type: 'string', jsonPath: '.spec.drain.behavior' },
        { name: 'Order', type: 'string', jsonPath: '.spec.drain.order' },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
      ],
      schema: object({ metadata: object({}), spec: machineDrainRuleSpec }),
    },
  ],
});

/** MachineDrainRule in `cluster.x-k8s.io/v1beta1`. */
export type MachineDrainRuleV1Beta1 = KindOf<typeof machineDrainRule, 'v1beta1'>;

/** MachineDrainRule in `cluster.x-k8s.io/v1beta2`. */
export type MachineDrainRule = KindOf<typeof machineDrainRule, 'v1beta2'>;
