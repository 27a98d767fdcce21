import { structOf, type ResourceDefinition, type StructDef } from '@capstan/api/kubernetes';
import { deepFreeze } from '@capstan/meta';
import type { JsonObject, KubeObject } from '@capstan/meta';
import { applyTypeOfStruct, builtinFieldFilter, emptyObjectOf, oncePerVersion } from '../apply/index.js';
import type { ApplyScope } from '../apply/index.js';
import { convertAutoscaler, convertEvent } from '../builtin/index.js';

/** Kinds served in several versions, and the way from one to another. */
const CONVERSIONS: Readonly<Record<string, (object: KubeObject, apiVersion: string) => KubeObject>> = {
  'autoscaling/v1': convertScaler,
  'autoscaling/v2': convertScaler,
  'events.k8s.io/v1': (object, to) => convertEvent(object, to as 'v1'),
};

const DEFAULT_METRIC = {
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } },
};

/** The newer version has no autoscaler without metrics: the way to it adds the default, before any defaulting. */
function convertScaler(object: KubeObject, apiVersion: string): KubeObject {
  const converted = convertAutoscaler(object, apiVersion as 'autoscaling/v2');
  const spec = (converted['spec'] ?? {}) as { metrics?: readonly unknown[] | null };
  if (apiVersion !== 'autoscaling/v2' || (spec.metrics?.length ?? 0) > 0) return converted;
  return { ...converted, spec: { ...spec, metrics: [DEFAULT_METRIC] } };
}

function structAt(apiVersion: string, kind: string): StructDef | undefined {
  const slash = apiVersion.indexOf('/');
  return structOf(apiVersion.slice(0, Math.max(0, slash)), apiVersion.slice(slash + 1), kind);
}

/** What nobody has written to yet; shared by all that begin from it. */
function emptyAt(apiVersion: string, kind: string): JsonObject {
  const struct = structAt(apiVersion, kind);
  return deepFreeze(struct === undefined ? { apiVersion, kind } : emptyObjectOf(struct));
}

/** Scopes of a built-in resource by subresource, each made when first asked for. */
export function builtinApplyScopes(definition: ResourceDefinition): (subresource: string) => ApplyScope {
  const scopes = new Map<string, ApplyScope>();
  return (subresource) => {
    let scope = scopes.get(subresource);
    if (scope === undefined) scopes.set(subresource, (scope = makeScope(definition, subresource)));
    return scope;
  };
}

function makeScope({ group, version, kind, plural }: ResourceDefinition, subresource: string): ApplyScope {
  const apiVersion = group === '' ? version : `${group}/${version}`;
  const convert = kind === 'Event' ? CONVERSIONS['events.k8s.io/v1'] : CONVERSIONS[apiVersion];
  const filter = builtinFieldFilter(group, plural, subresource);
  const isServed = (wanted: string): boolean =>
    wanted === apiVersion || (convert !== undefined && structAt(wanted, kind) !== undefined);
  let empty: JsonObject | undefined;
  return {
    apiVersion,
    kind,
    subresource,
    typeOf: oncePerVersion((wanted) => {
      const struct = isServed(wanted) ? structAt(wanted, kind) : undefined;
      return struct && applyTypeOfStruct(struct);
    }),
    convert: (object, to) =>
      to === object['apiVersion'] || convert === undefined ? object : (convert(object as KubeObject, to) as JsonObject),
    filterOf: () => filter,
    emptyObject: () => (empty ??= emptyAt(apiVersion, kind)),
  };
}

const TEMPLATE_GENERATION = 'deprecated.daemonset.template.generation';

/**
 * The object as it is when its fields are recorded: the real server has led it through its internal form by then, in
 * which a daemon set has a number that the versioned form keeps in an annotation.
 */
export function versionedForm(object: KubeObject): KubeObject {
  const { kind, apiVersion, metadata } = object;
  if (kind !== 'DaemonSet' || apiVersion !== 'apps/v1' || metadata.annotations?.[TEMPLATE_GENERATION] !== undefined)
    return object;
  return { ...object, metadata: { ...metadata, annotations: { ...metadata.annotations, [TEMPLATE_GENERATION]: '0' } } };
}
