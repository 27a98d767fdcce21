// Drafted by tools/src/api-kinds/draft from github.com/nutanix-cloud-native/cluster-api-provider-nutanix@v1.10.3; not edited by hand.
import type { Infer, KindOf, Schema } from '../../../model/index.js';
import { array, condition, kind, named, object, optional, string } from '../../../model/index.js';
import { meanings } from '../meanings.table.js';
import { statusCondition, subnet } from './shared.js';

const nutanixFailureDomainStatusShape = object({
  conditions: optional(array(statusCondition)),
  v1beta2: optional(object({ conditions: optional(array(condition, { maxItems: 32, listMapKeys: ['type'], listType: 'map' })) })),
});

/** A value of the shape NutanixFailureDomainStatus. */
export interface NutanixFailureDomainStatus extends Infer<typeof nutanixFailureDomainStatusShape> {}

/** The shape NutanixFailureDomainStatus. */
export const nutanixFailureDomainStatus: Schema<NutanixFailureDomainStatus> = named('NutanixFailureDomainStatus', nutanixFailureDomainStatusShape);

const nutanixFailureDomainSpecShape = object(
  {
    prismElementCluster: object(
      {
        name: optional(string({ minLength: 1 })),
        type: string({ enum: ['uuid', 'name'] }),
        uuid: optional(string({ format: 'uuid', maxLength: 36, minLength: 36 })),
      },
      {
        rules: [
          { message: 'prismElementCluster is immutable once set', rule: 'self == oldSelf' },
          {
            message: "'name' must be set when type is 'name', and forbidden otherwise",
            rule: "self.type == 'name' ? has(self.name) : !has(self.name)",
          },
          {
            message: "'uuid' must be set when type is 'uuid', and forbidden otherwise",
            rule: "self.type == 'uuid' ? has(self.uuid) && self.uuid.contains('-') : !has(self.uuid)",
          },
        ],
      },
    ),
    subnets: array(
      subnet,
      { maxItems: 32, minItems: 1, rules: [{ message: 'subnets is immutable once set', rule: 'self == oldSelf' }] },
    ),
  },
  {
    rules: [
      {
        message: 'each subnet must be unique',
        rule: 'size(self.subnets) > 1 ? self.subnets.all(x, self.subnets.exists_one(y, x == y)) : true',
      },
    ],
  },
);

/** A value of the shape NutanixFailureDomainSpec. */
export interface NutanixFailureDomainSpec extends Infer<typeof nutanixFailureDomainSpecShape> {}

/** The shape NutanixFailureDomainSpec. */
export const nutanixFailureDomainSpec: Schema<NutanixFailureDomainSpec> = named('NutanixFailureDomainSpec', nutanixFailureDomainSpecShape);

/** The kind NutanixFailureDomain. */
export const nutanixFailureDomain = kind({
  group: 'infrastructure.cluster.x-k8s.io',
  kind: 'NutanixFailureDomain',
  plural: 'nutanixfailuredomains',
  shortNames: ['nfd'],
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
      subresources: { status: true },
      schema: object({ spec: optional(nutanixFailureDomainSpec), status: optional(nutanixFailureDomainStatus) }),
    },
  ],
});

/** NutanixFailureDomain in `infrastructure.cluster.x-k8s.io/v1beta1`. */
export type NutanixFailureDomain = KindOf<typeof nutanixFailureDomain, 'v1beta1'>;
