/** What a server refuses about a CRD, whatever is required of it. */
import {
  type FieldError,
  type JsonObject,
  type KubeObject,
  cloneJson,
  setOwn,
  validateObjectMeta,
} from '@capstan/meta';
import { defaultDefinition, validateDefinition, validateDefinitionUpdate } from '@capstan/schema';
import { fieldTypeErrors } from './field-types.js';

/** What a CRD is held to. */
export interface ValidityOptions {
  /** The minor release of Kubernetes 1.x; the newest supported one by default. */
  readonly minor?: number | undefined;
  /** The CRD that the server stores at present: what it has of that is not validated again. */
  readonly stored?: object | undefined;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A copy in which null is absent, as typed decoding has it; schemas are read-only and stay as they are. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isObject(value)) return value;
  const copy: JsonObject = {};
  for (const [key, member] of Object.entries(value)) {
    if (member === null || member === undefined) continue;
    setOwn(copy, key, key === 'openAPIV3Schema' ? member : withoutNulls(member));
  }
  return copy;
}

/** The CRD as a server has it before validation. */
function decoded(crd: object): KubeObject {
  const { metadata, spec, status } = crd as JsonObject;
  const object: JsonObject = {
    metadata: withoutNulls(metadata ?? {}),
    spec: withoutNulls(spec ?? {}),
    status: { conditions: null, acceptedNames: { plural: '', kind: '' }, ...cloneJson((status ?? {}) as JsonObject) },
  };
  defaultDefinition(object as unknown as KubeObject);
  return object as unknown as KubeObject;
}

function metadataErrors({ metadata, spec }: KubeObject): FieldError[] {
  const { group, names } = spec as { readonly group?: string; readonly names: { readonly plural?: string } };
  const wanted = `${names.plural ?? ''}.${group ?? ''}`;
  const nameValidator = (name: string): string[] =>
    name === wanted ? [] : ['must be spec.names.plural+"."+spec.group'];
  return validateObjectMeta(metadata, { namespaced: false, nameValidator, builtIn: true });
}

/**
 * Everything for which a server would refuse the CRD, with the server's paths and texts. Its status is left out: the
 * server writes that itself, and rules of their own compare it.
 */
export function definitionErrors(crd: object, { minor, stored }: ValidityOptions): readonly FieldError[] {
  if (crd === stored) return [];
  const mistyped = fieldTypeErrors(crd);
  if (mistyped.length > 0) return mistyped;
  const definition = decoded(crd);
  const errors =
    stored === undefined
      ? [...metadataErrors(definition), ...validateDefinition(definition, minor)]
      : validateDefinitionUpdate(definition, decoded(stored), minor);
  return errors.filter(({ field }) => !field.startsWith('status.'));
}
