import { defineOperator, Manager } from '@capstan/kube';
import type { OperatorContext, OperatorDefinition } from '@capstan/kube';
import type { HostingPlatforms } from '@capstan/provider';
import type { ReleaseProvider } from '@capstan/release';
import { electionIn, HYPERSHIFT_FLAGS, settingsFrom } from './config.js';
import { addHostedClusterController } from './hosted-cluster/controller.js';
import { isInScope } from './hosted-cluster/reconcile.js';
import { addNodePoolController } from './node-pool/controller.js';
import { CACHE } from './selections.js';

type Context = OperatorContext<typeof HYPERSHIFT_FLAGS>;

/** What the operator is put together with: it knows no platform and no registry by itself. */
export interface HypershiftOptions {
  readonly platforms: HostingPlatforms;
  /** Made when the program starts, of what it is given. */
  readonly releases: (context: Context) => ReleaseProvider;
}

/** HostedClusters and NodePools as a program. */
export function hypershiftOperator({
  platforms,
  releases,
}: HypershiftOptions): OperatorDefinition<typeof HYPERSHIFT_FLAGS> {
  return defineOperator({
    name: 'operator',
    flags: HYPERSHIFT_FLAGS,
    build: (context) => {
      const { env, flags, options } = context;
      const leaderElection = electionIn(options, flags['leader-election-id']);
      const client = { ...options.client, userAgent: 'hypershift-operator' };
      const manager = new Manager({ ...options, client, leaderElection, cache: { ...options.cache, ...CACHE } });
      const parts = { platforms, releases: releases(context), settings: settingsFrom(context), env };
      addHostedClusterController(manager, parts);
      const { clock, logger, random } = manager;
      addNodePoolController(manager, {
        platforms,
        releases: parts.releases,
        clock,
        logger,
        random,
        recorder: manager.eventRecorder('nodepool-controller'),
        isInScope: (cluster) => isInScope(cluster, parts.settings.scope),
      });
      return manager;
    },
  });
}
