import { defineOperator, Manager } from '@capstan/kube';
import type { CacheOptions, OperatorDefinition } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import { CAPI_OPERATOR_FLAGS, settingsFrom } from './config.js';
import type { CapiOperatorSettings } from './config.js';
import { addClusterApiController } from './cluster-api/controller.js';
import { CLUSTER_OPERATORS, CONFIG_MAPS, ROLE_LABEL } from './vocabulary.js';

/** The slice of the Cluster CAPI Operator that owns, or yields, the CRDs of Cluster API. */
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

/** Who wrote an object is all that is asked of its managed fields, which are most of a CRD's metadata. */
function onlyManagers(object: KubeObject): KubeObject {
  const { managedFields, ...metadata } = object.metadata;
  if (managedFields === undefined) return object;
  const managers = managedFields.map(({ manager = '' }) => ({ manager }));
  return { ...object, metadata: { ...metadata, managedFields: managers } };
}
