import type { HostedCluster, NodePool } from '@capstan/api/hypershift';
import { HOSTED_CLUSTERS, NODE_POOLS } from '@capstan/hosting';
import type { ReleaseLookups } from '@capstan/hosting';
import { AdmissionDenied } from '@capstan/kube';
import type { Reader, ValidatingWebhook } from '@capstan/kube';
import { SECRETS } from '../../kinds.js';
import { find } from '../gather.js';
import { PULL_SECRET_KEY, secretText } from '../resources.js';
import type { Secret } from '../resources.js';
import { imageToCheck, checkRelease } from './decide.js';
import type { Verdict, WantedPool } from './decide.js';

/** The path of the webhook for NodePools. */
export const NODE_POOL_WEBHOOK_PATH = '/validate-hypershift-openshift-io-v1beta1-nodepool';

/** What the webhook reads. */
export interface NodePoolWebhookDependencies {
  readonly cache: Reader;
  readonly releases: ReleaseLookups;
  /** How many minors nodes may be behind their control plane. */
  readonly skewWidth: number;
  /** Whether this operator reconciles the NodePools of a cluster. */
  readonly isInScope: (cluster: HostedCluster) => boolean;
}

/** Refuses NodePools of versions that do not go with what their control plane may be running. */
export function nodePoolWebhook(parts: NodePoolWebhookDependencies): ValidatingWebhook<NodePool> {
  return {
    for: { group: NODE_POOLS.group, kind: 'NodePool' },
    validate: async (pools, context) => {
      const { namespace = '' } = context.request;
      const verdict = await problemOf(pools, namespace, parts, context.signal);
      if (verdict === undefined) return;
      if ('denied' in verdict) throw new AdmissionDenied(verdict.denied);
      context.warn(verdict.warning);
    },
  };
}

async function problemOf(
  pools: WantedPool,
  namespace: string,
  { cache, isInScope, releases, skewWidth }: NodePoolWebhookDependencies,
  signal: AbortSignal,
): Promise<Verdict> {
  const image = imageToCheck(pools);
  if (image === undefined) return undefined;
  const name = pools.object?.spec?.clusterName ?? '';
  const cluster = await find<HostedCluster>(cache, HOSTED_CLUSTERS, namespace, name);
  if (cluster === undefined || !isInScope(cluster)) return undefined;
  const named = cluster.spec?.pullSecret.name ?? '';
  const pullSecret = secretText(await find<Secret>(cache, SECRETS, namespace, named), PULL_SECRET_KEY);
  const release = pullSecret === undefined ? undefined : await releases.lookup(image, pullSecret, signal);
  return checkRelease({ image, release }, cluster, skewWidth);
}
