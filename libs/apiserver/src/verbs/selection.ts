import { apiErrors, goQuote, parseFieldSelector, parseLabelSelector } from '@capstan/meta';
import type { FieldMatcher, KubeObject, LabelMatcher } from '@capstan/meta';
import { readSelector } from '../request/selectors.js';
import type { ServedResource } from '../registry/served-resource.js';
import type { Stored } from '../store/index.js';

/** What of a resource a list or watch wants to see. */
export interface Selection {
  /** Undefined: everything. */
  readonly matches: ((stored: Stored) => boolean) | undefined;
  /** The same for an object in the version served, where `matches` cannot have that. Undefined: everything. */
  readonly matchesServed: ((object: KubeObject) => boolean) | undefined;
  /** A name the field selector insists on: that alone needs looking at. */
  readonly name: string | undefined;
}

/** What no selector narrows. */
export const EVERYTHING: Selection = { matches: undefined, matchesServed: undefined, name: undefined };
const NO_LABELS: Readonly<Record<string, string>> = {};

function requireKnownFields(served: ServedResource, fields: FieldMatcher): void {
  const known = served.strategy.fieldLabels;
  for (const { field } of fields.requirements) {
    if (field === 'metadata.name' || field === 'metadata.namespace' || Object.hasOwn(known, field)) continue;
    // Jobs have words of their own for it.
    if (served.storage === 'batch/jobs')
      throw apiErrors.badRequest(`field label ${goQuote(field)} not supported for Job`);
    const hasOwnLabels = Object.keys(known).length > 0 || !served.bareItems;
    throw hasOwnLabels ? apiErrors.unsupportedFieldLabel(field) : apiErrors.unknownFieldSelector(field);
  }
}

/** Compiles the selectors of a request; both must hold. */
export function selectionFor(served: ServedResource, labelSelector: string, fieldSelector: string): Selection {
  if (labelSelector === '' && fieldSelector === '') return EVERYTHING;
  const labels: LabelMatcher | undefined =
    labelSelector === '' ? undefined : readSelector(labelSelector, parseLabelSelector);
  const fields: FieldMatcher | undefined =
    fieldSelector === '' ? undefined : readSelector(fieldSelector, parseFieldSelector);
  if (fields !== undefined) requireKnownFields(served, fields);
  if (labels === undefined && (fields?.requirements.length ?? 0) === 0) return EVERYTHING;
  const matches = (stored: Stored): boolean =>
    (labels === undefined || labels.matches(stored.labels() ?? NO_LABELS)) &&
    (fields === undefined || fields.matches((field) => fieldOf(served, stored, field)));
  const matchesServed = (object: KubeObject): boolean =>
    (labels === undefined || labels.matches(object.metadata.labels ?? NO_LABELS)) &&
    (fields === undefined || fields.matches((field) => servedField(served, object, field)));
  const name = fields?.requirements.find((each) => each.field === 'metadata.name' && each.operator === '=')?.value;
  return { matches, matchesServed, name };
}

function fieldOf(served: ServedResource, stored: Stored, field: string): string {
  if (field === 'metadata.name') return stored.name;
  if (field === 'metadata.namespace') return stored.namespace;
  const read: ((object: KubeObject) => string) | undefined = served.strategy.fieldLabels[field];
  // Kept with the version, so that filtering a long list parses each object at most once; another schema may default otherwise.
  const schema = served.conversion?.key ?? '';
  return read === undefined ? '' : stored.fact(`${schema}${field}`, () => read(admittedForm(served, stored.object())));
}

function admittedForm({ conversion }: ServedResource, object: KubeObject): KubeObject {
  return conversion?.encode === undefined ? object : conversion.fromStorage(object);
}

function servedField({ strategy }: ServedResource, object: KubeObject, field: string): string {
  const { metadata } = object;
  if (field === 'metadata.name') return metadata.name ?? '';
  if (field === 'metadata.namespace') return metadata.namespace ?? '';
  return strategy.fieldLabels[field]?.(object) ?? '';
}
