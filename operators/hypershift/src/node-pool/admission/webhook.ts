import type { HostedCluster, NodePool } from '@capstan/api/hypershift';
import { AdmissionDenied } from '@capstan/kube';
import type { Reader, ValidatingWebhook } from '@capstan/kube';
import { HOSTED_CLUSTERS, NODE_POOLS } from '@capstan/provider';
import type { ReleaseLookups } from '../../hosted-cluster/release/lookups.js';
import { SECRETS } from '../../kinds.js';
import { find } from '../gather.js';
import { PULL_SECRET_KEY, secretText } from '../resources.js';
import type { Secret } from '../resources.js';
import { imageToJudge, judgeRelease } from './decide.js';

/** Where NodePools are judged. */
export const NODE_POOL_WEBHOOK_PATH = '/validate-hypershift-openshift-io-v1beta1-nodepool';

/** What pools are judged with. */
export interface NodePoolWebhookParts {
  readonly cache: Reader;
  readonly releases: ReleaseLookups;
  /** How many minors nodes may be behind their control plane. */
  readonly skewWidth: number;
  /** Whether this operator looks after the pools of a cluster. */
  readonly isInScope: (cluster: HostedCluster) => boolean;
}

/** Refuses NodePools of versions that do not go with what their control plane may be running. */
export function nodePoolWebhook(parts: NodePoolWebhookParts): ValidatingWebhook<NodePool> {
  const { cache, isInScope, releases, skewWidth } = parts;
  return {
    for: { group: NODE_POOLS.group, kind: 'NodePool' },
    validate: async (pools, { request, signal, warn }) => {
      const image = imageToJudge(pools);
      if (image === undefined) return;
      const { namespace = '' } = request;
      const name = pools.object?.spec?.clusterName ?? '';
      const cluster = await find<HostedCluster>(cache, HOSTED_CLUSTERS, namespace, name);
      if (cluster === undefined || !isInScope(cluster)) return;
      const named = cluster.spec?.pullSecret.name ?? '';
      const pullSecret = secretText(await find<Secret>(cache, SECRETS, namespace, named), PULL_SECRET_KEY);
      const release = pullSecret === undefined ? undefined : await releases.lookup(image, pullSecret, signal);
      const verdict = judgeRelease({ image, release }, cluster, skewWidth);
      if (verdict === undefined) return;
      if ('denied' in verdict) throw new AdmissionDenied(verdict.denied);
      warn(verdict.warning);
    },
  };
}
