// Drafted by tools/src/api-kinds/draft from github.com/nutanix-cloud-native/cluster-api-provider-nutanix@v1.10.3; not edited by hand.
import type { Infer, KindOf, Schema } from '../../../model/index.js';
import { array, kind, named, object, optional, string } from '../../../model/index.js';
import { meanings } from '../meanings.table.js';
import { nutanixMetroStatus } from './shared.js';

const nutanixMetroSpecShape = object({
  failureDomains: array(
    object({ name: optional(string({ default: '' })) }, { mapType: 'atomic' }),
    {
      maxItems: 2,
      minItems: 2,
      listMapKeys: ['name'],
      listType: 'map',
      rules: [
        { message: 'failureDomains is immutable once set', rule: 'self == oldSelf' },
        { message: 'each failureDomain reference name must not be empty', rule: 'self.all(x, x.name != "")' },
      ],
    },
  ),
});

/** A value of the shape NutanixMetroSpec. */
export interface NutanixMetroSpec extends Infer<typeof nutanixMetroSpecShape> {}

/** The shape NutanixMetroSpec. */
export const nutanixMetroSpec: Schema<NutanixMetroSpec> = named('NutanixMetroSpec', nutanixMetroSpecShape);

/** The kind NutanixMetro. */
export const nutanixMetro = kind({
  group: 'infrastructure.cluster.x-k8s.io',
  kind: 'NutanixMetro',
  plural: 'nutanixmetros',
  categories: ['cluster-api'],
  scope: 'Namespaced',
  labels: {
    'clusterctl.cluster.x-k8s.io/move': '',
    'cluster.x-k8s.io/v1beta1': 'v1beta1',
    'cluster.x-k8s.io/provider': 'infrastructure-nutanix',
  },
  meanings: meanings,
  versions: [
    {
      name: 'v1beta1',
      storage: true,
      columns: [{ name: 'FailureDomains', type: 'string', jsonPath: '.spec.failureDomains' }],
      subresources: { status: true },
      schema: object({ spec: optional(nutanixMetroSpec), status: optional(nutanixMetroStatus) }),
    },
  ],
});

/** NutanixMetro in `infrastructure.cluster.x-k8s.io/v1beta1`. */
export type NutanixMetro = KindOf<typeof nutanixMetro, 'v1beta1'>;
