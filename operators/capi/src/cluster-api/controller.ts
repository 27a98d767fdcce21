import type { Manager, Request } from '@capstan/kube';
import type { CapiOperatorSettings } from '../config.js';
import {
  CLUSTER_APIS,
  CLUSTER_OPERATORS,
  CONFIG_MAPS,
  DEFINITIONS,
  FEATURE_GATES,
  INFRASTRUCTURES,
  MANAGED_BY_LABEL,
  REQUIREMENTS,
  SINGLETON,
} from '../vocabulary.js';
import { Gatherer } from './gather.js';
import { CapiMetrics } from './metrics.js';
import { reconcileClusterApi } from './reconcile.js';

const ONE: readonly Request[] = [{ namespace: '', name: SINGLETON }];
const BACKOFF = { baseMs: 1000, maxMs: 60_000 };

/** Watches everything that ClusterAPI/cluster depends on; each event reconciles that one object. */
export function addClusterApiController(manager: Manager, settings: CapiOperatorSettings): void {
  const { cache, client, clock } = manager;
  const metrics = new CapiMetrics();
  manager.metrics.register(...metrics.families);
  const reconcile = reconcileClusterApi({
    gatherer: new Gatherer(cache, settings),
    client,
    clock,
    release: settings.release,
    metrics,
  });
  const toTheOne = (): readonly Request[] => ONE;
  const controller = manager
    .controller({ name: 'cluster-api', reconcile, backoff: BACKOFF })
    .for(CLUSTER_APIS)
    .watches(REQUIREMENTS, toTheOne)
    .watches(CONFIG_MAPS, toTheOne)
    .watches(CLUSTER_OPERATORS, toTheOne)
    .watches(DEFINITIONS, toTheOne, { metadataOnly: true })
    .watches(DEFINITIONS, toTheOne, { labelSelector: MANAGED_BY_LABEL });
  // A cluster that is no OpenShift has neither; then flags set both.
  if (settings.platform === undefined) controller.watches(INFRASTRUCTURES, toTheOne);
  if (settings.gates === undefined) controller.watches(FEATURE_GATES, toTheOne);
}
