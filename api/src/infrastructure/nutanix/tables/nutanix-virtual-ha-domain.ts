// Drafted by tools/src/api-kinds/draft from github.com/nutanix-cloud-native/cluster-api-provider-nutanix@v1.10.3; not edited by hand.
import type { Infer, KindOf, Schema } from '../../../model/index.js';
import { array, boolean, condition, kind, named, object, optional, string } from '../../../model/index.js';
import { meanings } from '../meanings.table.js';
import { category, subnet } from './shared.js';

const nutanixVirtualHaDomainStatusShape = object({ conditions: optional(array(condition)), ready: boolean({ default: false }) });

/** A value of the shape NutanixVirtualHADomainStatus. */
export interface NutanixVirtualHADomainStatus extends Infer<typeof nutanixVirtualHaDomainStatusShape> {}

/** The shape NutanixVirtualHADomainStatus. */
export const nutanixVirtualHaDomainStatus: Schema<NutanixVirtualHADomainStatus> = named('NutanixVirtualHADomainStatus', nutanixVirtualHaDomainStatusShape);

const nutanixVirtualHaDomainSpecShape = object({
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
  movementGroups: optional(array(
    object({
      categoryRecoveryPlans: array(
        object({
          category: category,
          failureDomainRef: object(
            { name: optional(string({ default: '' })) },
            {
              mapType: 'atomic',
              rules: [{ message: 'failureDomainRef.name must not be empty', rule: 'self.name != ""' }],
            },
          ),
          recoveryPlan: subnet,
        }),
        { maxItems: 2, minItems: 2, listType: 'atomic' },
      ),
      name: string({ maxLength: 64, minLength: 1, pattern: '[a-z0-9]([-a-z0-9]*[a-z0-9])?' }),
    }),
    { listMapKeys: ['name'], listType: 'map' },
  )),
  protectionPolicy: optional(subnet),
});

/** A value of the shape NutanixVirtualHADomainSpec. */
export interface NutanixVirtualHADomainSpec extends Infer<typeof nutanixVirtualHaDomainSpecShape> {}

/** The shape NutanixVirtualHADomainSpec. */
export const nutanixVirtualHaDomainSpec: Schema<NutanixVirtualHADomainSpec> = named('NutanixVirtualHADomainSpec', nutanixVirtualHaDomainSpecShape);

/** The kind NutanixVirtualHADomain. */
export const nutanixVirtualHaDomain = kind({
  group: 'infrastructure.cluster.x-k8s.io',
  kind: 'NutanixVirtualHADomain',
  plural: 'nutanixvirtualhadomains',
  shortNames: ['nvha'],
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
        { name: 'Metro', type: 'string', jsonPath: '.spec.metroRef.name' },
        { name: 'Ready', type: 'boolean', jsonPath: '.status.ready' },
      ],
      subresources: { status: true },
      schema: object({ spec: optional(nutanixVirtualHaDomainSpec), status: optional(nutanixVirtualHaDomainStatus) }),
    },
  ],
});

/** NutanixVirtualHADomain in `infrastructure.cluster.x-k8s.io/v1beta1`. */
export type NutanixVirtualHADomain = KindOf<typeof nutanixVirtualHaDomain, 'v1beta1'>;
