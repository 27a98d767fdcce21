import { defineOperator, Manager } from '@capstan/kube';
import type { CacheOptions, OperatorDefinition, Request } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import { CAPI_OPERATOR_FLAGS, settingsFrom } from './config.js';
import type { CapiOperatorSettings } from './config.js';
import { Gatherer } from './gather.js';
import { CapiMetrics } from './metrics.js';
import { reconcileClusterApi } from './reconcile.js';
import {
  CLUSTER_APIS,
  CLUSTER_OPERATORS,
  CONFIG_MAPS,
  DEFINITIONS,
  FEATURE_GATES,
  INFRASTRUCTURES,
  MANAGED_BY_LABEL,
  REQUIREMENTS,
  ROLE_LABEL,
  SINGLETON,
} from './vocabulary.js';

const ONE: readonly Request[] = [{ namespace: '', name: SINGLETON }];
const BACKOFF = { baseMs: 1000, maxMs: 60_000 };

/** The slice of the Cluster CAPI Operator that owns, or yields, the definitions of Cluster API. */
export const capiOperator: OperatorDefinition<typeof CAPI_OPERATOR_FLAGS> = defineOperator({
  name: 'capi-operator',
  flags: CAPI_OPERATOR_FLAGS,
  build: (context) => {
    const settings = settingsFrom(context);
    const { options } = context;
    const manager = new Manager({ ...options, cache: { ...options.cache, ...cacheOf(settings) } });
    addClusterApiController(manager, settings);
    return manager;
  },
});

/** Everything that is watched leads to the one object there is. */
function addClusterApiController(manager: Manager, settings: CapiOperatorSettings): void {
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
  // A cluster that is no OpenShift has neither; then the flags say both.
  if (settings.platform === undefined) controller.watches(INFRASTRUCTURES, toTheOne);
  if (settings.gates === undefined) controller.watches(FEATURE_GATES, toTheOne);
}

function cacheOf({ transportNamespace }: CapiOperatorSettings): Pick<CacheOptions, 'selectionOf' | 'transform'> {
  return {
    selectionOf: ({ plural }) => {
      if (plural === CONFIG_MAPS.plural) return { namespace: transportNamespace, labelSelector: ROLE_LABEL };
      if (plural === CLUSTER_OPERATORS.plural) return { fieldSelector: 'metadata.name=cluster-api' };
      return {};
    },
    transform: onlyManagers,
  };
}

/** Who wrote an object is all that is asked of its managed fields, which are most of a definition's metadata. */
function onlyManagers(object: KubeObject): KubeObject {
  const { managedFields, ...metadata } = object.metadata;
  if (managedFields === undefined) return object;
  const managers = managedFields.map(({ manager = '' }) => ({ manager }));
  return { ...object, metadata: { ...metadata, managedFields: managers } };
}
