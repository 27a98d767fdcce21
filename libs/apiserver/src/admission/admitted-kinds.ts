import { apiErrors, cloneJson, formatGvk, invalid, looseGvk, parseApiVersion } from '@capstan/meta';
import type { GroupVersionResource, KubeObject } from '@capstan/meta';
import { ConversionFailed } from '../apply/index.js';
import { TypedDecodeError } from '../codec/index.js';
import type { AdmittedKind, EquivalentKind } from '../registry/admission-chain.js';
import { viewed } from '../registry/conversion.js';
import type { Flow } from '../registry/effects.js';
import type { ObjectCodec, ServedResource } from '../registry/served-resource.js';

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
      const { applyDefaults } = served.strategy;
      return decodeWith(
        served.codec,
        served.custom === undefined ? value : withReadableMeta(served.codec, value),
        applyDefaults,
      );
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

/** Metadata of custom resources that cannot be read is not there, where a client's would be refused. */
function withReadableMeta(codec: ObjectCodec, value: unknown): unknown {
  const { metadata, ...rest } = value as KubeObject;
  const isReadable = (given: object): boolean => {
    try {
      codec.decode({ metadata: given });
      return true;
    } catch (error) {
      if (error instanceof TypedDecodeError) return false;
      throw error;
    }
  };
  if (metadata === undefined || isReadable(metadata)) return value;
  const kept = Object.entries(metadata).filter(([key, each]) => isReadable({ [key]: each }));
  return { ...rest, metadata: Object.fromEntries(kept) };
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
  // A webhook knows the way from any version to any other.
  if (to.conversion?.remote !== undefined) return yield* convertedBy(to, object);
  const stored = storedForm(from, object);
  const { conversion } = to;
  const seen = conversion === undefined ? stored : conversion.fromStorage(stored);
  return seen.apiVersion === to.apiVersion ? seen : { ...seen, apiVersion: to.apiVersion };
}

function* convertedBy(to: ServedResource, object: KubeObject): Flow<KubeObject> {
  try {
    return yield* viewed(to, object);
  } catch (error) {
    if (error instanceof ConversionFailed) throw apiErrors.internal(error.message, { cause: error });
    throw error;
  }
}

/** From the version a client speaks to the one that is stored. */
function storedForm({ conversion }: ServedResource, object: KubeObject): KubeObject {
  if (conversion === undefined) return object;
  // Encoding takes what it is given.
  return conversion.encode === undefined ? conversion.toStorage(object) : conversion.encode(cloneJson(object));
}
