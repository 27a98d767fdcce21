import { builtinResources, type ResourceDefinition } from '@capstan/api/kubernetes';
import { formatApiVersion } from '@capstan/meta';
import { convertAutoscaler, convertEvent, definitionStrategyOf, strategyOf } from '../builtin/index.js';
import { builtinApplyScopes } from './builtin-apply-scope.js';
import { createBuiltinCodec } from './builtin-codec.js';
import { orderedObject } from './metadata.js';
import type { ServedResource, VersionConversion } from './served-resource.js';

/** Subresources with a verb of their own here; the others of the real server appear in discovery once they work. */
const SERVED_SUBRESOURCES = new Set([
  'status',
  'scale',
  'finalize',
  'binding',
  'eviction',
  'approval',
  'ephemeralcontainers',
  'resize',
  'token',
  'log',
  'exec',
  'attach',
  'portforward',
  'proxy',
]);

/** Views of a kind that is stored under another name: the partition, and the way there and back. */
const VIEWS: Readonly<Record<string, { readonly storage: string; readonly conversion: VersionConversion }>> = {
  'events.k8s.io/v1/events': {
    storage: '/events',
    conversion: {
      toStorage: (object) => orderedObject(convertEvent(object, 'v1')),
      fromStorage: (object) => orderedObject(convertEvent(object, 'events.k8s.io/v1')),
    },
  },
  'autoscaling/v1/horizontalpodautoscalers': {
    storage: 'autoscaling/horizontalpodautoscalers',
    conversion: {
      toStorage: (object) => orderedObject(convertAutoscaler(object, 'autoscaling/v2')),
      fromStorage: (object) => orderedObject(convertAutoscaler(object, 'autoscaling/v1')),
    },
  },
};

/** What is stored, and the questions that are answered at once. */
function isServed({ verbs, kind }: ResourceDefinition): boolean {
  return (verbs.includes('list') && verbs.includes('watch')) || kind.endsWith('Review');
}

function serve(definition: ResourceDefinition): ServedResource {
  const { group, version, kind, plural } = definition;
  const apiVersion = group === '' ? version : `${group}/${version}`;
  const view = VIEWS[`${apiVersion}/${plural}`];
  const subresources = definition.subresources.filter(({ name }) => SERVED_SUBRESOURCES.has(name));
  return {
    definition: { ...definition, subresources },
    apiVersion,
    groupKind: { group, kind },
    groupResource: { group, resource: plural },
    storage: view?.storage ?? `${group}/${plural}`,
    strategy: strategyOf(group, plural),
    codec: createBuiltinCodec(group, version, kind),
    bareItems: true,
    applyScope: builtinApplyScopes(definition),
    replicasPaths: { [apiVersion]: ['spec', 'replicas'] },
    ...(view === undefined ? {} : { conversion: view.conversion }),
    ...(view?.storage === '/events' ? { checkedAs: { group: '', kind } } : {}),
  };
}

/** They hold nothing of a server: all servers of a process have the same. */
let allServed: readonly ServedResource[] | undefined;

/** Every built-in resource that is served. `schemaMinor` is the release whose rules the schemas of CRDs follow. */
export function builtinServedResources(schemaMinor?: number): readonly ServedResource[] {
  const served = (allServed ??= builtinResources.filter(isServed).map(serve));
  if (schemaMinor === undefined) return served;
  const strategy = definitionStrategyOf(schemaMinor);
  return served.map((each) => (each.definition.plural === 'customresourcedefinitions' ? { ...each, strategy } : each));
}

/** One built-in resource, for verbs that write more than what they were called for. */
export function builtinServedResource(apiVersion: string, plural: string): ServedResource {
  const found = builtinResources.find(
    (definition) => definition.plural === plural && formatApiVersion(definition) === apiVersion,
  );
  if (found === undefined) throw new TypeError(`no built-in resource ${apiVersion} ${plural}`);
  return serve(found);
}
