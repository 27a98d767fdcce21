// Drafted by tools/src/api-kinds/draft from github.com/openshift/hypershift@v0.1.82-0.20260822141928-3ee9615567ac; not edited by hand.
import type { Infer, KindOf, Schema } from '../../../model/index.js';
import { array, condition, kind, named, object, optional, string } from '../../../model/index.js';
import { meanings } from '../meanings.table.js';

const routerInterfaceSpecShape = object(
  {
    routerRef: string({ maxLength: 253, minLength: 1 }),
    subnetRef: optional(string({ maxLength: 253, minLength: 1 })),
    type: string({ enum: ['Subnet'], maxLength: 8, minLength: 1 }),
  },
  {
    rules: [
      {
        message: "subnetRef is required when type is 'Subnet' and not permitted otherwise",
        rule: "self.type == 'Subnet' ? has(self.subnetRef) : !has(self.subnetRef)",
      },
      { message: 'RouterInterfaceResourceSpec is immutable', rule: 'self == oldSelf' },
    ],
  },
);

/** A value of the shape RouterInterfaceSpec. */
export interface RouterInterfaceSpec extends Infer<typeof routerInterfaceSpecShape> {}

/** The shape RouterInterfaceSpec. */
export const routerInterfaceSpec: Schema<RouterInterfaceSpec> = named('RouterInterfaceSpec', routerInterfaceSpecShape);

const routerInterfaceStatusShape = object({
  conditions: optional(array(condition, { maxItems: 32, listMapKeys: ['type'], listType: 'map' })),
  id: optional(string({ maxLength: 1024 })),
});

/** A value of the shape RouterInterfaceStatus. */
export interface RouterInterfaceStatus extends Infer<typeof routerInterfaceStatusShape> {}

/** The shape RouterInterfaceStatus. */
export const routerInterfaceStatus: Schema<RouterInterfaceStatus> = named('RouterInterfaceStatus', routerInterfaceStatusShape);

/** The kind RouterInterface. */
export const routerInterface = kind({
  group: 'openstack.k-orc.cloud',
  kind: 'RouterInterface',
  plural: 'routerinterfaces',
  categories: ['openstack'],
  scope: 'Namespaced',
  meanings: meanings,
  versions: [
    {
      name: 'v1alpha1',
      storage: true,
      columns: [
        { name: 'Available', type: 'string', jsonPath: ".status.conditions[?(@.type=='Available')].status" },
        { name: 'Message', type: 'string', jsonPath: ".status.conditions[?(@.type=='Progressing')].message" },
      ],
      subresources: { status: true },
      schema: object({ spec: routerInterfaceSpec, status: optional(routerInterfaceStatus) }),
    },
  ],
});

/** RouterInterface in `openstack.k-orc.cloud/v1alpha1`. */
export type RouterInterface = KindOf<typeof routerInterface, 'v1alpha1'>;
