import { apiErrors, formatGvk, invalid, looseGvk, parseApiVersion } from '@capstan/meta';
import type { GroupVersionResource, JsonObject, KubeObject } from '@capstan/meta';
import { ConversionFailed } from '../apply/index.js';
import { TypedDecodeError } from '../codec/index.js';
import type { AdmittedKind, EquivalentKind } from '../registry/admission-chain.js';
import type { Flow } from '../registry/effects.js';
import type { ObjectCodec, RemoteConversion, ServedResource } from '../registry/served-resource.js';

/** What a request carries where that is not the resource itself: a `Scale`, a `Binding`. */
export interface CarriedKind {
  readonly apiVersion: string;
  readonly kind: string;
  readonly codec: ObjectCodec;
}

function gvrOf({ definition: { group, version, plural } }: ServedResource): GroupVersionResource {
  return { group, version, resource: plural };
}

/** Reads what a plugin made of an object. */
function decodeWith(codec: ObjectCodec, value: unknown, applyDefaults?: (object: KubeObject) => void): KubeObject {
  try {
    const { object } = codec.decode(value);
    applyDefaults?.(object);
    return object;
  } catch (error) {
    if (error instanceof TypedDecodeError) throw apiErrors.internal(error.message, { cause: error });
    throw error;
  }
}

/** The kind of the resource's own objects. */
export function servedKind(served: ServedResource): AdmittedKind {
  const { group, version, kind } = served.definition;
  return {
    kind: { group, version, kind },
    resource: gvrOf(served),
    decode: (value) => {
      requireSameKind(served, value as Partial<KubeObject>);
      const { codec, strategy } = served;
      return codec.readMutated?.(value as JsonObject) ?? decodeWith(codec, value, strategy.applyDefaults);
    },
  };
}

/** Nothing can be made another kind or version on its way. */
function requireSameKind(served: ServedResource, { kind, apiVersion, metadata }: Partial<KubeObject>): void {
  const { definition, groupKind } = served;
  const isSame =
    (kind ?? definition.kind) === definition.kind && (apiVersion ?? served.apiVersion) === served.apiVersion;
  if (isSame) return;
  if (served.custom === undefined) {
    const what = `no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)}`;
    throw apiErrors.internal(`${what} in scheme "pkg/runtime/scheme.go:111"`);
  }
  if (apiVersion !== served.apiVersion) {
    const gvk = formatGvk(looseGvk(apiVersion ?? '', kind ?? ''));
    throw apiErrors.unclassified(
      `${gvk} is unstructured and is not suitable for converting to ${JSON.stringify(served.apiVersion)}`,
    );
  }
  const other = { ...groupKind, kind: kind ?? '' };
  throw apiErrors.invalid(other, metadata?.name ?? '', [invalid('kind', kind, `must be ${definition.kind}`)]);
}

/** The kind of what a subresource carries. */
export function carriedKind(served: ServedResource, { apiVersion, kind, codec }: CarriedKind): AdmittedKind {
  return {
    kind: { ...parseApiVersion(apiVersion), kind },
    resource: gvrOf(served),
    decode: (value) => decodeWith(codec, value),
  };
}

/** The same resource in another version, for requests that carry its own objects. */
export function equivalentKind(served: ServedResource, other: ServedResource): EquivalentKind {
  return {
    ...servedKind(other),
    fromRequest: (object) => converted(served, other, object),
    toRequest: (object) => converted(other, served, object),
  };
}

/** The same resource in another version, for requests that carry the same kind in all of them. */
export function equivalentCarrier(other: ServedResource, carried: CarriedKind): EquivalentKind {
  const kind = carriedKind(other, carried);
  return { ...kind, fromRequest: unchanged, toRequest: unchanged };
}

// eslint-disable-next-line require-yield
function* unchanged(object: KubeObject): Flow<KubeObject> {
  return object;
}

function* converted(from: ServedResource, to: ServedResource, object: KubeObject): Flow<KubeObject> {
  if (to.conversion?.remote !== undefined) return yield* convertedBy(to.conversion.remote, to.apiVersion, object);
  const { conversion } = to;
  if (conversion?.asRead !== undefined) return conversion.asRead(object);
  const stored = from.conversion === undefined ? object : from.conversion.toStorage(object);
  const seen = conversion === undefined ? stored : conversion.fromStorage(stored);
  return withoutPlaceholder(seen.apiVersion === to.apiVersion ? seen : { ...seen, apiVersion: to.apiVersion });
}

function* convertedBy(remote: RemoteConversion, apiVersion: string, object: KubeObject): Flow<KubeObject> {
  try {
    return yield* remote.asRead(withoutPlaceholder(object), apiVersion);
  } catch (error) {
    if (error instanceof ConversionFailed) throw apiErrors.internal(error.message, { cause: error });
    throw error;
  }
}

/** Objects that are not stored yet keep a place for their version, which nobody is to see. */
export function withoutPlaceholder(object: KubeObject): KubeObject {
  const { resourceVersion, ...metadata } = object.metadata;
  return resourceVersion === '' ? { ...object, metadata } : object;
}
