import { Buffer } from 'node:buffer';
import { structOf, structsIn, typeTablePaths } from '@capstan/api/kubernetes';
import type { SpecialName, StructDef, TypeRef } from '@capstan/api/kubernetes';

/*
 * Random objects of every built-in kind, full of names of groups: whatever may be a string is one of them about as
 * often as not, so that a place too many or too few shows soon. All of an object follows from one number.
 */

/** A built-in kind. */
export interface BuiltinKind {
  readonly apiVersion: string;
  readonly kind: string;
  readonly struct: StructDef;
}

/** Kinds that have no message, or none that is translated as protobuf. */
const LEFT_OUT = /^(Table|APIGroup|APIGroupList|APIResourceList|AdmissionReview|ConversionReview|List|WatchEvent)$/;

/** Every kind that travels as protobuf. */
export const KINDS: readonly BuiltinKind[] = typeTablePaths()
  .flatMap((path) => structsIn(path))
  .flatMap((struct) => {
    const [name = '', version = ''] = struct.path.split('/');
    const groups = [
      name === 'core' ? '' : name,
      `${name}.k8s.io`,
      `${name}.authorization.k8s.io`,
      `${name}.apiserver.k8s.io`,
    ];
    const group = groups.find((each) => structOf(each, version, struct.name) === struct);
    if (group === undefined || LEFT_OUT.test(struct.name)) return [];
    return [{ apiVersion: group === '' ? version : `${group}/${version}`, kind: struct.name, struct }];
  });

const STANDARD = 'cluster.x-k8s.io';
const PRIVATE = 'cluster.hypershift.openshift.io';

/** Strings that name a group, nearly name one, or do not. */
const TEXTS: readonly string[] = [
  STANDARD,
  PRIVATE,
  `infrastructure.${STANDARD}`,
  `a.b.${PRIVATE}`,
  `${STANDARD}/v1beta2`,
  `${PRIVATE}/v1beta1`,
  `bootstrap.${STANDARD}/v1beta1`,
  `machines.${STANDARD}`,
  `machines.${PRIVATE}`,
  `count/machines.${STANDARD}`,
  `customresourcedefinitions.apiextensions.k8s.io "machines.${PRIVATE}" not found`,
  `multi${STANDARD}`,
  `multi${STANDARD}/v1alpha1`,
  `${STANDARD}.example.com/v1`,
  `xcluster.hypershift.openshift.io`,
  'capi-provider.agent-install.openshift.io/v1beta1',
  'capi-provider.agent-install.private.hypershift.openshift.io',
  'customresourcedefinitions',
  'customresourcedefinitions/status',
  'apiservices',
  'CustomResourceDefinition',
  'apiVersion',
  'apps/v1',
  'v1',
  '',
  'é ключ 🎉',
  `${STANDARD}/`.repeat(20),
];

/** The same numbers for the same seed. */
export function randomOf(seed: number): (below: number) => number {
  let state = seed | 0;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** A random object of the kind. */
export function randomObject({ apiVersion, kind, struct }: BuiltinKind, seed: number): Record<string, unknown> {
  const maker = new Maker(randomOf(seed));
  return { apiVersion, kind, ...maker.object(struct, 0) };
}

class Maker {
  readonly #below: (below: number) => number;

  constructor(below: (below: number) => number) {
    this.#below = below;
  }

  text(): string {
    return TEXTS[this.#below(TEXTS.length)] ?? '';
  }

  object(struct: StructDef, depth: number): Record<string, unknown> {
    const out: Record<string, unknown> = {};
    for (const field of struct.fields) {
      if (field.embeddedIn[0] === 'TypeMeta') continue;
      // Metadata is always there; what is deep down is there ever less.
      const isMetadata = field.name === 'metadata' && depth < 3;
      if (!isMetadata && this.#below(depth + 2) > 1) continue;
      const value = this.#value(field.type, depth);
      if (value !== undefined) out[field.name] = value;
    }
    return out;
  }

  #value(type: TypeRef, depth: number): unknown {
    switch (type.kind) {
      case 'scalar':
        return this.#scalar(type.scalar);
      case 'special':
        return this.#special(type.special);
      case 'struct':
        return depth > 9 ? undefined : this.object(type.struct, depth + 1);
      case 'list':
        return depth > 9 ? undefined : this.#several().map(() => this.#value(type.element, depth));
      case 'map':
        return Object.fromEntries(this.#several().map(() => [this.text(), this.#value(type.value, depth + 1)]));
    }
  }

  #several(): readonly undefined[] {
    return Array.from({ length: 1 + this.#below(3) }, () => undefined);
  }

  #scalar(scalar: string): unknown {
    switch (scalar) {
      case 'string':
        return this.text();
      case 'bool':
        return this.#below(2) === 1;
      case 'bytes':
        return Buffer.from(this.text()).toString('base64');
      case 'any':
        return this.text();
      default:
        return this.#below(1000);
    }
  }

  #special(special: SpecialName): unknown {
    switch (special) {
      case 'Time':
        return '2026-01-02T03:04:05Z';
      case 'MicroTime':
        return '2026-01-02T03:04:05.000006Z';
      case 'Duration':
        return '1m30s';
      case 'Quantity':
        return '5';
      case 'IntOrString':
        return this.text();
      case 'RawExtension':
      case 'FieldsV1':
      case 'JSON':
        return { apiVersion: this.text(), 'f:metadata': { apiGroup: this.text() } };
      default:
        return undefined;
    }
  }
}
