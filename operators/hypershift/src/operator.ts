import type { HostedCluster } from '@capstan/api/hypershift';
import { isInScope, ReleaseLookups } from '@capstan/hosting';
import { defineOperator, Manager } from '@capstan/kube';
import type { OperatorContext, OperatorDefinition } from '@capstan/kube';
import type { HostingPlatforms } from '@capstan/provider';
import type { ReleaseProvider } from '@capstan/release';
import { electionIn, HYPERSHIFT_FLAGS, settingsFrom } from './config.js';
import { addHostedClusterController } from './hosted-cluster/controller.js';
import { addNodePoolController } from './node-pool/controller.js';
import { CACHE } from './selections.js';
import { serveWebhooks } from './webhooks.js';

type Context = OperatorContext<typeof HYPERSHIFT_FLAGS>;

/** What the operator is put together with: it knows no platform and no registry by itself. */
export interface HypershiftOptions {
  readonly platforms: HostingPlatforms;
  /** Made when the program starts, of what it is given. */
  readonly releases: (context: Context) => ReleaseProvider;
  /** Draws keys from the operator's own chance: for simulations alone, since who knows the seed knows the keys. */
  readonly drawsKeys?: boolean | undefined;
}

/** HostedClusters and NodePools as a program. */
export function hypershiftOperator({
  drawsKeys = false,
  platforms,
  releases,
}: HypershiftOptions): OperatorDefinition<typeof HYPERSHIFT_FLAGS> {
  return defineOperator({
    name: 'operator',
    flags: HYPERSHIFT_FLAGS,
    build: async (context) => {
      const { env, flags, options } = context;
      const leaderElection = electionIn(options, flags['leader-election-id']);
      const client = { ...options.client, userAgent: 'hypershift-operator' };
      const manager = new Manager({ ...options, client, leaderElection, cache: { ...options.cache, ...CACHE } });
      const parts = { platforms, releases: releases(context), settings: settingsFrom(context), env, drawsKeys };
      const { scope, skewWidth } = parts.settings;
      addHostedClusterController(manager, parts);
      const { cache, clock, logger, random } = manager;
      const inScope = (cluster: HostedCluster): boolean => isInScope(cluster, scope);
      addNodePoolController(manager, {
        platforms,
        releases: parts.releases,
        clock,
        logger,
        random,
        recorder: manager.eventRecorder('nodepool-controller'),
        isInScope: inScope,
        skewWidth,
      });
      const lookups = new ReleaseLookups(parts.releases);
      await serveWebhooks(manager, context, { cache, releases: lookups, skewWidth, isInScope: inScope });
      return manager;
    },
  });
}
