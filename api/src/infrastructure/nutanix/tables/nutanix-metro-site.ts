// Drafted by tools/src/api-kinds/draft from github.com/nutanix-cloud-native/cluster-api-provider-nutanix@v1.10.3; not edited by hand.
import type { Infer, KindOf, Schema } from '../../../model/index.js';
import { kind, named, object, optional, string } from '../../../model/index.js';
import { meanings } from '../meanings.table.js';
import { nutanixMetroStatus } from './shared.js';

const nutanixMetroSiteSpecShape = object({
  groupNameLabel: optional(string()),
  metroRef: object(
    { name: optional(string({ default: '' })) },
    {
      mapType: 'atomic',
      rules: [
        { message: 'metroRef is immutable once set', rule: 'self == oldSelf' },
        { message: 'metroRef.name must not be empty', rule: 'self.name != ""' },
      ],
    },
  ),
  preferredFailureDomain: object(
    { name: optional(string({ default: '' })) },
    {
      mapType: 'atomic',
      rules: [
        { message: 'preferredFailureDomain is immutable once set', rule: 'self == oldSelf' },
        { message: 'preferredFailureDomain.name must not be empty', rule: 'self.name != ""' },
      ],
    },
  ),
});

/** A value of the shape NutanixMetroSiteSpec. */
export interface NutanixMetroSiteSpec extends Infer<typeof nutanixMetroSiteSpecShape> {}

/** The shape NutanixMetroSiteSpec. */
export const nutanixMetroSiteSpec: Schema<NutanixMetroSiteSpec> = named('NutanixMetroSiteSpec', nutanixMetroSiteSpecShape);

/** The kind NutanixMetroSite. */
export const nutanixMetroSite = kind({
  group: 'infrastructure.cluster.x-k8s.io',
  kind: 'NutanixMetroSite',
  plural: 'nutanixmetrosites',
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
      columns: [
        { name: 'PreferredFailureDomain', type: 'string', jsonPath: '.spec.preferredFailureDomain' },
        { name: 'Metro', type: 'string', jsonPath: '.spec.metroRef' },
      ],
      subresources: { status: true },
      schema: object({ spec: optional(nutanixMetroSiteSpec), status: optional(nutanixMetroStatus) }),
    },
  ],
});

/** NutanixMetroSite in `infrastructure.cluster.x-k8s.io/v1beta1`. */
export type NutanixMetroSite = KindOf<typeof nutanixMetroSite, 'v1beta1'>;
