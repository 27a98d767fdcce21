/** What the type tables say of the built-in Go structs: enough to decode, prune, merge and transcode their objects. */

/** The scalar kinds of Go that occur; `any` is an untyped JSON value, `bytes` is base64 text in JSON. */
export type ScalarName = 'string' | 'bool' | 'int32' | 'int64' | 'float64' | 'bytes' | 'any';

/**
 * Go types that decode themselves. Their protobuf messages are fixed: Time and MicroTime {1 seconds, 2 nanos},
 * Duration {1 nanoseconds}, Quantity {1 text}, IntOrString {1 type (0 int, 1 string), 2 int, 3 text}, RawExtension,
 * FieldsV1 and JSON {1 raw bytes of JSON}, JSONSchemaPropsOrArray {1 schema, 2 repeated schema},
 * JSONSchemaPropsOrBool {1 allows, 2 schema}, JSONSchemaPropsOrStringArray {1 schema, 2 repeated string}.
 */
export type SpecialName =
  | 'Time'
  | 'MicroTime'
  | 'Duration'
  | 'Quantity'
  | 'IntOrString'
  | 'RawExtension'
  | 'FieldsV1'
  | 'JSON'
  | 'JSONSchemaPropsOrBool'
  | 'JSONSchemaPropsOrArray'
  | 'JSONSchemaPropsOrStringArray';

interface TypeBase {
  readonly pointer: boolean;
  /** The package-qualified name of a named type (`v1.PodPhase`, `v1.ResourceList`), as Go prints it. */
  readonly goName?: string;
}

/** A Go scalar, possibly behind a named type. */
export interface ScalarType extends TypeBase {
  readonly kind: 'scalar';
  readonly scalar: ScalarName;
}

/** A Go type with its own JSON form. */
export interface SpecialType extends TypeBase {
  readonly kind: 'special';
  readonly special: SpecialName;
}

/** A struct, whose definition is parsed only when its fields are first read. */
export interface StructType extends TypeBase {
  readonly kind: 'struct';
  readonly struct: StructDef;
}

/** A slice. */
export interface ListType extends TypeBase {
  readonly kind: 'list';
  readonly element: TypeRef;
  /** In protobuf the list is a message of its own, `{1: repeated element}` (ExtraValue, Verbs). */
  readonly wrapped: boolean;
}

/** A map; keys are always strings in JSON and in protobuf. */
export interface MapType extends TypeBase {
  readonly kind: 'map';
  /** The key type as Go prints it (`string`, `v1.ResourceName`). */
  readonly keyGoName: string;
  readonly value: TypeRef;
}

/** A Go type as far as the wire shows it. */
export type TypeRef = ScalarType | SpecialType | StructType | ListType | MapType;

/** How strategic merge patch treats the field; absent means replace for lists and merge for structs and maps. */
export type PatchStrategy = 'merge' | 'replace' | 'retainKeys';

/** One field of a struct. */
export interface FieldDef {
  /** The JSON name; empty for an embedded struct in {@link StructDef.ownFields}. */
  readonly name: string;
  readonly type: TypeRef;
  /** Protobuf field number; 0 when the field does not travel in protobuf (TypeMeta). */
  readonly proto: number;
  readonly omitEmpty: boolean;
  readonly omitZero: boolean;
  /** As OpenAPI counts it: neither `omitempty` nor marked optional. */
  readonly required: boolean;
  readonly patchStrategy: readonly PatchStrategy[];
  readonly patchMergeKey: string | undefined;
  readonly listType: 'map' | 'set' | 'atomic' | undefined;
  readonly listMapKeys: readonly string[];
  readonly mapType: 'granular' | 'atomic' | undefined;
  /** The declared default (`"TCP"` of a port's protocol), which counts as the value of an absent list-map key. */
  readonly defaultValue: unknown;
  /** The field is an embedded struct: flattened in JSON, a message of its own in protobuf. */
  readonly inline: boolean;
  /** Go names of the embedded structs a flattened field was found in, outermost first. */
  readonly embeddedIn: readonly string[];
}

/** A Go struct. */
export interface StructDef {
  /** The Go name: `DeploymentSpec`. */
  readonly name: string;
  /** The table it is in: `apps/v1`. */
  readonly path: string;
  /** Unique over all tables: `apps/v1.DeploymentSpec`. */
  readonly qualifiedName: string;
  /** As Go prints the type: `v1.DeploymentSpec`. */
  readonly goName: string;
  /** The OpenAPI definition name: `io.k8s.api.apps.v1.DeploymentSpec`. */
  readonly modelName: string;
  /** Server-side apply treats the whole struct as one value. */
  readonly atomic: boolean;
  /** JSON fields in Go order, embedded structs flattened in place. */
  readonly fields: readonly FieldDef[];
  /** Fields as declared, embedded structs kept (`inline`): the protobuf view. */
  readonly ownFields: readonly FieldDef[];
  /** A JSON field by name. */
  field(name: string): FieldDef | undefined;
}

/** One Go package of facts; see loader.ts for the language of `text`. */
export interface TypeTable {
  readonly path: string;
  readonly goPackage: string;
  /** Prefix of the OpenAPI definition names. */
  readonly model: string;
  /** The API group and version of the package; absent for packages of helper types. */
  readonly groupVersion?: { readonly group: string; readonly version: string };
  readonly text: string;
}

/** The type as Go's reflection prints it, without the outer pointer: `v1.PodPhase`, `[]v1.Container`. */
export function goTypeName(type: TypeRef): string {
  if (type.goName !== undefined) return type.goName;
  switch (type.kind) {
    case 'scalar':
      return type.scalar === 'bytes' ? '[]uint8' : type.scalar === 'any' ? 'interface {}' : type.scalar;
    case 'special':
      return type.special;
    case 'struct':
      return type.struct.goName;
    case 'list':
      return `[]${nested(type.element)}`;
    case 'map':
      return `map[${type.keyGoName}]${nested(type.value)}`;
  }
}

function nested(type: TypeRef): string {
  return type.pointer ? `*${goTypeName(type)}` : goTypeName(type);
}
