import type { JsonObject, KubeObject } from '@capstan/meta';
import { applyTypeOfSchema, customFieldFilter, oncePerVersion } from '../apply/index.js';
import type { ApplyScope, ApplyType } from '../apply/index.js';
import type { CustomView } from './custom-view.js';
import type { DefinitionVersion } from '../builtin/apiextensions/crd.js';

export interface CustomApplyOptions {
  readonly group: string;
  readonly kind: string;
  /** The served version the scope is of. */
  readonly apiVersion: string;
  readonly versions: readonly DefinitionVersion[];
  readonly schemaOf: (version: string) => JsonObject | undefined;
  /** Between versions; undefined for one that is not served. */
  readonly viewOf: (apiVersion: string) => CustomView;
}

/** Types are kept with the schema they are of: states of a CRD that share it share them. */
const types = new WeakMap<JsonObject, ApplyType>();

function typeOfSchema(schema: JsonObject): ApplyType {
  let type = types.get(schema);
  if (type === undefined) types.set(schema, (type = applyTypeOfSchema(schema)));
  return type;
}

/** Scopes of one version of a custom resource by subresource, each made when first asked for. */
export function customApplyScopes(options: CustomApplyOptions): (subresource: string) => ApplyScope {
  const scopes = new Map<string, ApplyScope>();
  return (subresource) => {
    let scope = scopes.get(subresource);
    if (scope === undefined) scopes.set(subresource, (scope = makeScope(options, subresource)));
    return scope;
  };
}

function makeScope(
  { group, kind, apiVersion, versions, schemaOf, viewOf }: CustomApplyOptions,
  subresource: string,
): ApplyScope {
  // A version that is no longer served is still one of the CRD's, and its managers keep what they own.
  const known = (wanted: string): DefinitionVersion | undefined =>
    versions.find((version) => `${group}/${version.name}` === wanted);
  return {
    apiVersion,
    kind,
    subresource,
    typeOf: oncePerVersion((wanted) => {
      const version = known(wanted);
      const schema = version && schemaOf(version.name);
      return schema && typeOfSchema(schema);
    }),
    convert: (object, to) =>
      object['apiVersion'] === to ? object : (viewOf(to).asRead(object as KubeObject) as JsonObject),
    // The real server filters the main resource in the request's own version only, status in all.
    filterOf: oncePerVersion((wanted) => {
      if (subresource === '' && wanted !== apiVersion) return undefined;
      return customFieldFilter(subresource, Boolean(known(wanted)?.subresources?.status));
    }),
    emptyObject: () => ({ apiVersion, kind }),
  };
}
