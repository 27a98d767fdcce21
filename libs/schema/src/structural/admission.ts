/** The admission of one version's schema, as part of the admission of a CRD. */
import {
  type FieldError,
  forbidden,
  indexField,
  invalid,
  joinField,
  required,
  duplicate,
  tooMany,
  pushAll,
} from '@capstan/meta';
import { checkDefaults } from './admit/defaults.js';
import { OpenApiAdmission, rootComplaint } from './admit/openapi.js';
import { RuleAdmission } from './admit/rules.js';
import { checkStructural, unreadableReason } from './admit/structural.js';
import { celEngine } from './rules/cel-engine.js';
import { resolveFieldPath } from './schema/field-path.js';
import { internalSchema, setMembers } from './schema/internal-form.js';
import { parseSchema } from './schema/parse-schema.js';
import type { RuleEngine } from './rules/engine.js';
import type { SchemaNode } from './schema/schema-node.js';
import { defaultMinor } from './structural-schema.js';

/** What admission needs to know besides the schema. */
export interface SchemaAdmissionOptions {
  /**
   * Where the schema is: `spec.validation` when all versions of the CRD have the same (as one alone does), else
   * `spec.versions[i].schema`.
   */
  readonly path: string;
  /** Whether the version has a status subresource. */
  readonly status?: boolean;
  readonly minor?: number;
  /** The version's schema is the one stored already: its rules are not held to their own cost limit again. */
  readonly unchanged?: boolean;
  readonly engine?: RuleEngine;
}

function checkRoot(node: SchemaNode, path: string, status: boolean): FieldError[] {
  const errors: FieldError[] = [];
  const complaint = status ? rootComplaint(setMembers(node), node.type) : undefined;
  if (complaint === 'type') {
    const reason =
      'only "object" is allowed as the type at the root of the schema if the status subresource is enabled';
    errors.push(invalid(joinField(path, 'type'), node.type, reason));
  } else if (complaint !== undefined) {
    errors.push(invalid(path, internalSchema(node), complaint));
  }
  if (node.nullable) errors.push(forbidden(joinField(path, 'nullable'), 'nullable cannot be true at the root'));
  return errors;
}

/** Reports everything that is wrong with an `openAPIV3Schema`, in the server's order. */
export function admitSchema(openApiV3Schema: unknown, options: SchemaAdmissionOptions): FieldError[] {
  const { minor = defaultMinor, engine = celEngine } = options;
  const node = parseSchema(openApiV3Schema);
  const path = joinField(options.path, 'openAPIV3Schema');
  const errors = checkRoot(node, path, options.status ?? false);
  const unreadable = unreadableReason(node);
  if (unreadable !== undefined) {
    pushAll(errors, new OpenApiAdmission(undefined).admit(node, path));
    // The other complaints say it better where there are any.
    return errors.length > 0 ? errors : [invalid(path, '', unreadable)];
  }
  const shape = checkStructural(node, path);
  const deeper = shape.length > 0 ? shape : checkDefaults(node, path, minor, engine);
  pushAll(errors, deeper);
  // Expressions are compiled only against a schema that has a type for everything.
  const rules = deeper.length === 0 ? new RuleAdmission(engine, options.unchanged !== true) : undefined;
  pushAll(errors, new OpenApiAdmission(rules).admit(node, path));
  if (rules !== undefined) pushAll(errors, rules.errors, rules.totalErrors(path));
  return errors;
}

const maxSelectableFields = 8;
const selectableTypes = ['string', 'boolean', 'integer'];

/** Reports what is wrong with a version's `selectableFields`; `path` is theirs. */
export function admitSelectableFields(fields: unknown, openApiV3Schema: unknown, path: string): FieldError[] {
  const node = parseSchema(openApiV3Schema);
  const errors: FieldError[] = [];
  const unique = new Set<string>();
  for (const [index, field] of (Array.isArray(fields) ? fields : []).entries()) {
    const jsonPath = (field as { jsonPath?: unknown } | null)?.jsonPath;
    const at = joinField(indexField(path, index), 'jsonPath');
    if (typeof jsonPath !== 'string' || jsonPath === '') {
      errors.push(required(at));
      continue;
    }
    const resolved = resolveFieldPath(jsonPath, node, false);
    if ('error' in resolved) {
      errors.push(invalid(at, jsonPath, `is an invalid path: ${resolved.error}`));
      continue;
    }
    if (resolved.names[0] === 'metadata') {
      errors.push(invalid(at, jsonPath, 'must not point to fields in metadata'));
    }
    if (resolved.node === undefined || !selectableTypes.includes(resolved.node.type)) {
      const reason =
        'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.';
      errors.push(invalid(at, jsonPath, reason));
    }
    if (unique.has(resolved.path)) errors.push(duplicate(at, jsonPath));
    unique.add(resolved.path);
  }
  if (unique.size > maxSelectableFields) errors.push(tooMany(path, unique.size, maxSelectableFields));
  return errors;
}
