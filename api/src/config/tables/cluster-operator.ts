// Drafted by tools/src/api-kinds/draft from github.com/openshift/api@v0.0.0-20260813212709-d4bb0b443cb8; not edited by hand.
import type { Infer, KindOf, Schema } from '../../model/index.js';
import { anyObject, array, kind, named, nullable, object, optional, string } from '../../model/index.js';
import { meanings } from '../meanings.table.js';
import { operatorCondition } from './shared.js';

const clusterOperatorStatusShape = object({
  conditions: optional(array(operatorCondition, { listMapKeys: ['type'], listType: 'map' })),
  extension: optional(nullable(anyObject())),
  relatedObjects: optional(array(object({ group: string(), name: string(), namespace: optional(string()), resource: string() }))),
  versions: optional(array(object({ name: string(), version: string() }))),
});

/** A value of the shape ClusterOperatorStatus. */
export interface ClusterOperatorStatus extends Infer<typeof clusterOperatorStatusShape> {}

/** The shape ClusterOperatorStatus. */
export const clusterOperatorStatus: Schema<ClusterOperatorStatus> = named('ClusterOperatorStatus', clusterOperatorStatusShape);

/** The kind ClusterOperator. */
export const clusterOperator = kind({
  group: 'config.openshift.io',
  kind: 'ClusterOperator',
  plural: 'clusteroperators',
  shortNames: ['co'],
  scope: 'Cluster',
  meanings: meanings,
  versions: [
    {
      name: 'v1',
      storage: true,
      columns: [
        { name: 'Version', type: 'string', jsonPath: '.status.versions[?(@.name=="operator")].version' },
        { name: 'Available', type: 'string', jsonPath: '.status.conditions[?(@.type=="Available")].status' },
        { name: 'Progressing', type: 'string', jsonPath: '.status.conditions[?(@.type=="Progressing")].status' },
        { name: 'Degraded', type: 'string', jsonPath: '.status.conditions[?(@.type=="Degraded")].status' },
        { name: 'Since', type: 'date', jsonPath: '.status.conditions[?(@.type=="Available")].lastTransitionTime' },
      ],
      subresources: { status: true },
      schema: object({ spec: object({}), status: optional(clusterOperatorStatus) }),
    },
  ],
});

/** ClusterOperator in `config.openshift.io/v1`. */
export type ClusterOperator = KindOf<typeof clusterOperator, 'v1'>;
