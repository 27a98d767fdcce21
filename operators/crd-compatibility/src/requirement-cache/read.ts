import type { CompatibilityRequirementSpec } from '@capstan/api/apiextensions';
import { createDefinition } from '@capstan/apiserver/checks';
import { prepareRequirement, selectVersions } from '@capstan/crd-compat';
import type { RequirementCheck, ServerRelease } from '@capstan/crd-compat';
import { errorText, readYamlDocuments } from '@capstan/kube';
import { invalid, joinField, notSupported, omitValue, parseJson } from '@capstan/meta';
import type { FieldError, JsonObject, KubeObject } from '@capstan/meta';
import { DEFINITIONS } from '../kinds.js';

/** A requirement that was parsed. */
export interface ReadRequirement {
  /** Name of the CRD that it is about. */
  readonly crdName: string;
  /** The required CRD, as a server would store it. */
  readonly definition: KubeObject;
  /** The versions that count, in the order of the CRD. */
  readonly versions: readonly string[];
  readonly check: RequirementCheck;
}

/** A parsed requirement, or why it cannot be parsed. */
export type Reading = { readonly ok: ReadRequirement } | { readonly errors: readonly FieldError[] };

const SCHEMA = 'spec.compatibilitySchema';
const SOURCE = joinField(SCHEMA, 'customResourceDefinition');
const DATA = joinField(SOURCE, 'data');
const API_VERSION = `${DEFINITIONS.group}/${DEFINITIONS.version}`;

/** The value would be the whole document once more. */
const badData = (detail: string): Reading => ({ errors: [invalid(DATA, omitValue, detail)] });

/** JSON is YAML, and far faster to read. */
async function parse(text: string): Promise<readonly unknown[]> {
  if (!/^\s*\{/.test(text)) return readYamlDocuments(text, 'data');
  try {
    return [parseJson(text).value];
  } catch {
    return readYamlDocuments(text, 'data');
  }
}

async function readDocument(text: string): Promise<{ readonly document: JsonObject } | { readonly problem: string }> {
  let documents: readonly unknown[];
  try {
    documents = await parse(text);
  } catch (error) {
    // The other lines show the place in the text, which no message has room for.
    const [problem = ''] = errorText(error)
      .replace(/^data: /, '')
      .split('\n');
    return { problem };
  }
  const [document] = documents;
  if (documents.length !== 1) return { problem: `must hold one document, not ${documents.length}` };
  if (typeof document !== 'object' || document === null || Array.isArray(document))
    return { problem: 'must be an object' };
  const { apiVersion, kind } = document as JsonObject;
  if (apiVersion !== API_VERSION || kind !== DEFINITIONS.kind)
    return { problem: `must be a ${DEFINITIONS.kind} of ${API_VERSION}, not ${String(kind)} of ${String(apiVersion)}` };
  return { document: document as JsonObject };
}

/** The document as a server would store it; or the errors of the server, with their place in the data. */
function admit(document: JsonObject): { readonly object: KubeObject } | { readonly errors: readonly FieldError[] } {
  try {
    const created = createDefinition(document);
    if ('object' in created) return created;
    return { errors: created.errors.map((error) => ({ ...error, field: `${DATA}: ${error.field}` })) };
  } catch (error) {
    return { errors: [invalid(DATA, omitValue, errorText(error))] };
  }
}

/** What of a CRD is required. */
export type RequiredParts = Pick<
  CompatibilityRequirementSpec['compatibilitySchema'],
  'excludedFields' | 'requiredVersions'
>;

/** Reads a CRD as what is required, or some of it. */
export function readRequiredCrd(
  document: JsonObject,
  { excludedFields, requiredVersions }: RequiredParts,
  server?: ServerRelease,
): Reading {
  const admitted = admit(document);
  if ('errors' in admitted) return admitted;
  const { object: definition } = admitted;
  const selected = selectVersions(definition, requiredVersions);
  if ('errors' in selected) return selected;
  const versions = selected.ok;
  const options = { versions, excludedFields: excludedFields ?? [], ...(server === undefined ? {} : { server }) };
  const prepared = prepareRequirement(definition, options);
  if ('errors' in prepared) return prepared;
  return { ok: { crdName: prepared.ok.crdName, definition, versions, check: prepared.ok } };
}

/** Parses a requirement. Errors name the field of the requirement that is to be corrected. */
export async function readRequirement(spec: CompatibilityRequirementSpec, server?: ServerRelease): Promise<Reading> {
  const { data, type } = spec.compatibilitySchema.customResourceDefinition;
  if (type !== 'YAML') return { errors: [notSupported(joinField(SOURCE, 'type'), type, ['YAML'])] };
  const read = await readDocument(data);
  if ('problem' in read) return badData(read.problem);
  return readRequiredCrd(read.document, spec.compatibilitySchema, server);
}
