// Drafted by tools/src/api-kinds/draft from github.com/openshift/hypershift@v0.1.82-0.20260822141928-3ee9615567ac; not edited by hand.
import type { KindOf } from '../../../model/index.js';
import { kind, object, optional } from '../../../model/index.js';
import { meanings } from '../meanings.table.js';
import { identityResourceSpec, identityResourceStatus } from './shared.js';

/** The kind Group. */
export const group = kind({
  group: 'openstack.k-orc.cloud',
  kind: 'Group',
  plural: 'groups',
  categories: ['openstack'],
  scope: 'Namespaced',
  meanings: meanings,
  versions: [
    {
      name: 'v1alpha1',
      storage: true,
      columns: [
        { name: 'ID', type: 'string', jsonPath: '.status.id' },
        { name: 'Available', type: 'string', jsonPath: ".status.conditions[?(@.type=='Available')].status" },
        { name: 'Message', type: 'string', jsonPath: ".status.conditions[?(@.type=='Progressing')].message" },
      ],
      subresources: { status: true },
      schema: object({ spec: identityResourceSpec, status: optional(identityResourceStatus) }),
    },
  ],
});

/** Group in `openstack.k-orc.cloud/v1alpha1`. */
export type Group = KindOf<typeof group, 'v1alpha1'>;
