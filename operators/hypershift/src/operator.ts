import { ReleaseLookups } from '@capstan/hosting';
import { defineOperator, Manager } from '@capstan/kube';
import type { OperatorContext, OperatorDefinition } from '@capstan/kube';
import type { HostingPlatforms } from '@capstan/provider';
import type { ReleaseProvider } from '@capstan/release';
import { CLUSTER_API_RULES, GroupMapping } from '@capstan/translate';
import { electionIn, HYPERSHIFT_FLAGS, settingsFrom } from './config.js';
import { addHostedClusterController } from './hosted-cluster/controller.js';
import { addNodePoolController } from './node-pool/controller.js';
import { CACHE } from './selections.js';
import { evidenceOn } from './turns/evidence.js';
import { Turns } from './turns/turns.js';
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
      const settings = settingsFrom(context);
      const { mode, skewWidth } = settings;
      const leaderElection = electionIn(options, { mode, named: flags['leader-election-id'] });
      const client = { ...options.client, userAgent: 'hypershift-operator' };
      const manager = new Manager({ ...options, client, leaderElection, cache: { ...options.cache, ...CACHE } });
      const mapping = new GroupMapping(CLUSTER_API_RULES);
      const turns = new Turns({ mode, client: manager.client, evidence: evidenceOn(manager.client, mapping) });
      const parts = { platforms, releases: releases(context), settings, turns, env, drawsKeys };
      addHostedClusterController(manager, parts);
      const { cache, clock, logger, random } = manager;
      addNodePoolController(manager, {
        platforms,
        releases: parts.releases,
        clock,
        logger,
        random,
        recorder: manager.eventRecorder('nodepool-controller'),
        turns,
        skewWidth,
      });
      const lookups = new ReleaseLookups(parts.releases);
      await serveWebhooks(manager, context, {
        cache,
        releases: lookups,
        skewWidth,
        isInScope: (cluster) => turns.isOwn(cluster),
      });
      return manager;
    },
  });
}
