// Drafted by tools/src/api-kinds/draft from github.com/metal3-io/cluster-api-provider-metal3@v1.13.2; not edited by hand.
import type { KindOf } from '../../../model/index.js';
import { kind, object, optional } from '../../../model/index.js';
import { meanings } from '../meanings.table.js';
import {
  metal3RemediationSpec,
  metal3RemediationSpecV1Beta1,
  metal3RemediationStatus,
  metal3RemediationStatusV1Beta1,
} from './shared.js';

/** The kind Metal3Remediation. */
export const metal3Remediation = kind({
  group: 'infrastructure.cluster.x-k8s.io',
  kind: 'Metal3Remediation',
  plural: 'metal3remediations',
  shortNames: ['m3r', 'm3remediation'],
  categories: ['cluster-api'],
  scope: 'Namespaced',
  labels: {
    'cluster.x-k8s.io/v1beta1': 'v1beta1',
    'cluster.x-k8s.io/v1beta2': 'v1beta2',
    'cluster.x-k8s.io/provider': 'infrastructure-metal3',
  },
  conversion: {
    service: { namespace: 'capm3-system', name: 'capm3-webhook-service', path: '/convert' },
    reviewVersions: ['v1', 'v1beta1'],
  },
  meanings: meanings,
  versions: [
    {
      name: 'v1beta1',
      deprecated: true,
      columns: [
        { name: 'Retry limit', type: 'string', jsonPath: '.spec.strategy.retryLimit' },
        { name: 'Retry count', type: 'string', jsonPath: '.status.retryCount' },
        { name: 'Last Remediated', type: 'string', jsonPath: '.status.lastRemediated' },
        { name: 'Strategy', type: 'string', jsonPath: '.spec.strategy.type' },
        { name: 'Phase', type: 'string', jsonPath: '.status.phase' },
      ],
      subresources: { status: true },
      schema: object({ spec: optional(metal3RemediationSpecV1Beta1), status: optional(metal3RemediationStatusV1Beta1) }),
    },
    {
      name: 'v1beta2',
      storage: true,
      columns: [
        { name: 'Retry limit', type: 'string', jsonPath: '.spec.strategy.retryLimit' },
        { name: 'Retry count', type: 'string', jsonPath: '.status.retryCount' },
        { name: 'Last Remediated', type: 'string', jsonPath: '.status.lastRemediated' },
        { name: 'Strategy', type: 'string', jsonPath: '.spec.strategy.type' },
        { name: 'Phase', type: 'string', jsonPath: '.status.phase' },
      ],
      subresources: { status: true },
      schema: object({ spec: optional(metal3RemediationSpec), status: optional(metal3RemediationStatus) }),
    },
  ],
});

/** Metal3Remediation in `infrastructure.cluster.x-k8s.io/v1beta1`. */
export type Metal3RemediationV1Beta1 = KindOf<typeof metal3Remediation, 'v1beta1'>;

/** Metal3Remediation in `infrastructure.cluster.x-k8s.io/v1beta2`. */
export type Metal3Remediation = KindOf<typeof metal3Remediation, 'v1beta2'>;
