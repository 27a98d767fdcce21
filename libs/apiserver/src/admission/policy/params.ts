import { compileLabelSelector, formatGvk, parseApiVersion, type KubeObject } from '@capstan/meta';
import { ConversionFailed } from '../../apply/index.js';
import { viewedAll } from '../../registry/conversion.js';
import type { Flow } from '../../registry/effects.js';
import type { ServedResource } from '../../registry/served-resource.js';
import type { Store } from '../../store/index.js';
import type { Binding, ParamKind, ParamRef } from './policy.js';

/** The resource of a kind, where it is served. */
export type KindFinder = (group: string, version: string, kind: string) => ServedResource | undefined;

/** The objects to evaluate a policy with, one after the other; nothing is a parameter too. */
export type Params = { readonly params: readonly (KubeObject | undefined)[] } | { readonly error: string };

/** The resource of the parameters of a policy, or why it is none; undefined when it takes none. */
export type ParamResource = { readonly served: ServedResource } | { readonly error: string } | undefined;

/** Looks for the resource of a kind of parameters. */
export function paramResource(kind: ParamKind | undefined, find: KindFinder): ParamResource {
  if (kind === undefined) return undefined;
  const { group, version } = parseApiVersion(kind.apiVersion);
  const served = find(group, version, kind.kind);
  if (served !== undefined) return { served };
  const shown = formatGvk({ group, version, kind: kind.kind });
  return { error: `failed to find resource referenced by paramKind: '${shown}'` };
}

/** The parameters that a binding names. */
export function* collectParams(
  { paramRef }: Pick<Binding, 'paramRef'>,
  served: ServedResource | undefined,
  namespace: string,
  store: Store,
): Flow<Params> {
  if (served === undefined || paramRef === undefined) return { params: [undefined] };
  const scope = paramNamespace(paramRef, served, namespace);
  if ('error' in scope) return scope;
  let params: readonly KubeObject[];
  try {
    params = yield* viewedAll(served, found(paramRef, served, scope.namespace, store));
  } catch (error) {
    if (error instanceof ConversionFailed) return { error: error.message };
    throw error;
  }
  if (params.length === 0 && paramRef.parameterNotFoundAction === 'Deny')
    return { error: 'no params found for policy binding with `Deny` parameterNotFoundAction' };
  return { params };
}

function paramNamespace(
  { namespace = '' }: ParamRef,
  { definition }: ServedResource,
  requested: string,
): { readonly namespace: string } | { readonly error: string } {
  if (!definition.namespaced) {
    return namespace === ''
      ? { namespace: '' }
      : { error: 'paramRef.namespace must not be provided for a cluster-scoped `paramKind`' };
  }
  if (namespace !== '') return { namespace };
  return requested === ''
    ? { error: 'cannot use namespaced paramRef in policy binding that matches cluster-scoped resources' }
    : { namespace: requested };
}

function found(
  { name = '', selector }: ParamRef,
  { storage }: ServedResource,
  namespace: string,
  store: Store,
): readonly KubeObject[] {
  if (name !== '') {
    const stored = store.get(storage, namespace, name);
    return stored === undefined ? [] : [stored.object()];
  }
  const matcher = compileLabelSelector(selector ?? {});
  const { items } = store.list(storage, {
    namespace,
    filter: (stored) => matcher.matches(stored.object().metadata.labels),
  });
  return items.map((stored) => stored.object());
}
