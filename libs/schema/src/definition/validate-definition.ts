/** The admission of custom resource definitions, in the order of the real server. */
import { Recent, pushAll } from '@capstan/meta';
import { createHash } from 'node:crypto';
import {
  checkDns1035Label,
  checkDns1123Subdomain,
  deepEqual,
  fieldImmutable,
  indexField,
  invalid,
  notSupported,
  required,
  stringifyJson,
} from '@capstan/meta';
import type { FieldError, JsonObject, KubeObject } from '@capstan/meta';
import { admitSchema, admitSelectableFields } from '../structural/admission.js';
import { defaultMinor } from '../structural/structural-schema.js';
import { checkApproval } from './approval.js';
import { bundleProblem } from './ca-bundle.js';
import { isTrue, specOf, statusOf, type DefinitionSpec, type DefinitionVersion } from './definition.js';
import { internalVersions } from './internal-versions.js';
import { plainText } from './plain-text.js';
import { fields, text, texts } from './read.js';
import { hasStatus, schemaOf, sharedParts, type SharedParts } from './shared-parts.js';
import { checkConversion, speaksKnownReview, type ConversionChecks } from './validate-conversion.js';
import { checkNames, checkRequiredNames } from './validate-names.js';
import { checkColumns, checkDeprecation, checkSubresources } from './validate-version.js';

interface SpecInput {
  readonly spec: DefinitionSpec;
  readonly versions: readonly DefinitionVersion[];
  readonly shared: SharedParts;
  readonly old: DefinitionSpec | undefined;
  readonly conversion: ConversionChecks;
  /** The release whose rules schemas are held to; the newest by default. */
  readonly minor: number | undefined;
}

function checkGroup(group: string): FieldError[] {
  if (!group) return [required('spec.group')];
  const complaints = checkDns1123Subdomain(group);
  if (complaints.length > 0) return [invalid('spec.group', group, complaints.join(','))];
  return group.includes('.') ? [] : [invalid('spec.group', group, 'should be a domain with at least one dot')];
}

/** How many schemas are known by heart; servers that share a process mostly have the same ones. */
const KNOWN_SCHEMAS = 64;
const faultless = new Recent<string, true>(KNOWN_SCHEMAS);

/** The same by the schema itself, which nobody changes once it is read: without its text there is nothing to hash. */
const faultlessObjects = new WeakMap<JsonObject, Set<string>>();

/** What is wrong with a schema that is stored nowhere yet. The same text has the same faults: one without any is known again. */
function admitNew(schema: JsonObject, options: { path: string; status: boolean; minor?: number }): FieldError[] {
  const terms = `${options.minor ?? defaultMinor} ${options.status}`;
  const seen = faultlessObjects.get(schema) ?? new Set<string>();
  if (seen.has(terms)) return [];
  const key = createHash('sha256')
    .update(`${terms} ${stringifyJson(schema)}`)
    .digest('hex');
  const errors = faultless.get(key) === true ? [] : admitSchema(schema, { ...options, unchanged: false });
  if (errors.length > 0) return errors;
  faultless.set(key, true);
  faultlessObjects.set(schema, seen.add(terms));
  return [];
}

/** A schema that has been let in before is not looked at again. */
function checkSchema(input: SpecInput, version: DefinitionVersion, path: string, status: boolean): FieldError[] {
  const schema = schemaOf(version);
  if (schema === undefined) return [];
  const before = input.old?.versions.find(({ name }) => name === version.name);
  const isKnown = before !== undefined && deepEqual(schemaOf(before), schema);
  if (isKnown && (!status || hasStatus(before))) return [];
  const options = { path, status, ...(input.minor === undefined ? {} : { minor: input.minor }) };
  return isKnown ? admitSchema(schema, { ...options, unchanged: true }) : admitNew(schema, options);
}

function checkSelectable(
  version: DefinitionVersion,
  schema: JsonObject | undefined,
  path: string,
  complaint: string,
): FieldError[] {
  const { selectableFields } = version;
  if (selectableFields == null || selectableFields.length === 0) return [];
  return schema === undefined ? [invalid(path, '', complaint)] : admitSelectableFields(selectableFields, schema, path);
}

/** What a version has of its own. */
function checkVersion(input: SpecInput, version: DefinitionVersion, path: string): FieldError[] {
  const { shared } = input;
  const complaints = checkDns1035Label(version.name);
  const errors = complaints.length === 0 ? [] : [invalid(`${path}.name`, version.name, complaints.join(','))];
  pushAll(errors, checkDeprecation(version, path));
  if (!shared.schema) pushAll(errors, checkSchema(input, version, `${path}.schema`, hasStatus(version)));
  if (!shared.subresources) pushAll(errors, checkSubresources(version, `${path}.subresources`));
  if (!shared.columns)
    pushAll(errors, checkColumns(version.additionalPrinterColumns, `${path}.additionalPrinterColumns`));
  if (!shared.selectable) {
    const schema = shared.schema ? undefined : schemaOf(version);
    const complaint = 'may only be set when `version.schema.openAPIV3Schema` is not included';
    pushAll(errors, checkSelectable(version, schema, `${path}.selectableFields`, complaint));
  }
  return errors;
}

/** What all versions have in common. */
function checkShared(input: SpecInput): FieldError[] {
  const { shared, versions } = input;
  const [first] = versions;
  if (first === undefined) return [];
  const errors: FieldError[] = [];
  if (shared.schema) pushAll(errors, checkSchema(input, first, 'spec.validation', versions.some(hasStatus)));
  if (shared.subresources) pushAll(errors, checkSubresources(first, 'spec.subresources'));
  if (shared.columns) pushAll(errors, checkColumns(first.additionalPrinterColumns, 'spec.additionalPrinterColumns'));
  if (shared.selectable) {
    const schema = shared.schema ? schemaOf(first) : undefined;
    pushAll(
      errors,
      checkSelectable(first, schema, 'spec.selectableFields', 'may only be set when validations.schema is included'),
    );
  }
  return errors;
}

function checkVersions(input: SpecInput): FieldError[] {
  const { versions, shared, spec } = input;
  const errors = versions.flatMap((version, index) => checkVersion(input, version, indexField('spec.versions', index)));
  const bad = (complaint: string): FieldError =>
    invalid('spec.versions', internalVersions(spec.versions ?? null, shared), complaint);
  if (new Set(versions.map(({ name }) => name)).size < versions.length)
    errors.push(bad('must contain unique version names'));
  if (versions.filter(({ storage }) => storage).length !== 1)
    errors.push(bad('must have exactly one version marked as storage version'));
  const first = versions[0]?.name;
  const complaints = first ? checkDns1035Label(first) : [];
  if (complaints.length > 0) errors.push(invalid('spec.version', first, complaints.join(',')));
  return errors;
}

const SCOPES = ['Cluster', 'Namespaced'];

function checkSpec(input: SpecInput): FieldError[] {
  const { spec, versions } = input;
  const errors = checkGroup(spec.group);
  if (!spec.scope) errors.push(required('spec.scope'));
  else if (!SCOPES.includes(spec.scope)) errors.push(notSupported('spec.scope', plainText(spec.scope), SCOPES));
  for (const [index, version] of versions.entries()) {
    if (schemaOf(version) === undefined)
      errors.push(required(`${indexField('spec.versions', index)}.schema.openAPIV3Schema`));
  }
  pushAll(
    errors,
    checkVersions(input),
    checkRequiredNames(spec.names, 'spec.names'),
    checkNames(spec.names, 'spec.names'),
    checkShared(input),
  );
  const conversion = fields(spec.conversion);
  if (spec.preserveUnknownFields === true && conversion['strategy'] !== 'None') {
    errors.push(
      invalid('spec.conversion.strategy', conversion['strategy'], 'must be None if spec.preserveUnknownFields is true'),
    );
  }
  pushAll(errors, checkConversion(conversion, 'spec.conversion', input.conversion));
  return errors;
}

/** Versions that objects may still be stored in must stay. */
function checkStoredVersions(definition: KubeObject, versions: readonly DefinitionVersion[]): FieldError[] {
  const path = 'status.storedVersions';
  const stored = statusOf(definition).storedVersions;
  if (stored === null || stored.length === 0) return [invalid(path, null, 'must have at least one stored version')];
  const errors: FieldError[] = [];
  const expected = new Set(stored);
  for (const { name, storage } of versions) {
    // Found once: a second version of the same name finds nothing any more.
    if (!expected.delete(name) && storage) errors.push(invalid(path, stored, `must have the storage version ${name}`));
  }
  for (const [index, name] of stored.entries()) {
    if (versions.some((version) => version.name === name)) continue;
    const reason =
      `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage ` +
      `migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`;
    errors.push(invalid(indexField(path, index), name, reason));
  }
  return errors;
}

function checkPreserve(spec: DefinitionSpec, old?: DefinitionSpec): FieldError[] {
  if (spec.preserveUnknownFields !== true || old?.preserveUnknownFields === true) return [];
  const reason =
    'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead';
  return [invalid('spec.preserveUnknownFields', true, reason)];
}

/** What the checks of a CRD go by besides the CRD itself. */
interface Circumstances {
  readonly old?: KubeObject;
  readonly conversion: ConversionChecks;
  readonly minor: number | undefined;
}

function checkAll(
  definition: KubeObject,
  { old, conversion, minor }: Circumstances,
  immutable: readonly FieldError[],
): FieldError[] {
  const spec = specOf(definition);
  const versions = spec.versions ?? [];
  const before = old && specOf(old);
  return [
    ...checkSpec({ spec, versions, shared: sharedParts(versions), old: before, conversion, minor }),
    ...immutable,
    ...checkNames(statusOf(definition).acceptedNames, 'status.acceptedNames'),
    ...checkStoredVersions(definition, versions),
    ...checkApproval(definition, old),
    ...checkPreserve(spec, before),
  ];
}

/** Reports everything that is wrong with a new CRD but its metadata. */
export function validateDefinition(definition: KubeObject, minor?: number): FieldError[] {
  // A bundle that makes no sense keeps the CRD from being established; it is not refused.
  return checkAll(definition, { conversion: { requiresKnownReview: true, requiresBundle: false }, minor }, []);
}

function immutableErrors(spec: DefinitionSpec, old: DefinitionSpec, isEstablished: boolean): FieldError[] {
  const same = (field: string, value: unknown, before: unknown): FieldError[] =>
    value === before ? [] : [invalid(field, value, fieldImmutable)];
  return [
    ...(isEstablished
      ? [...same('spec.scope', spec.scope, old.scope), ...same('spec.names.kind', spec.names.kind, old.names.kind)]
      : []),
    ...same('spec.group', spec.group, old.group),
    ...same('spec.names.plural', spec.names.plural, old.names.plural),
  ];
}

/** Reports everything that is wrong with a change of a CRD but its metadata. */
export function validateDefinitionUpdate(definition: KubeObject, old: KubeObject, minor?: number): FieldError[] {
  const before = specOf(old);
  const webhook = fields(before.conversion?.webhook);
  const bundle = text(fields(webhook['clientConfig'])['caBundle']);
  const isEstablished = isTrue(old, 'Established');
  const conversion: ConversionChecks = {
    requiresKnownReview: speaksKnownReview(texts(webhook['conversionReviewVersions'])),
    requiresBundle: isEstablished && bundleProblem(bundle) === undefined,
  };
  return checkAll(definition, { old, conversion, minor }, immutableErrors(specOf(definition), before, isEstablished));
}

/** Reports what is wrong with a change of a CRD's status. */
export function validateDefinitionStatus(definition: KubeObject): FieldError[] {
  return checkNames(statusOf(definition).acceptedNames, 'status.acceptedNames');
}
