/** Definitions for tests. */
import type { CompatibilityReport } from './report.js';
import { type LiveOptions, type RequirementOptions, prepareRequirement } from './requirement.js';

type Fields = Readonly<Record<string, unknown>>;

/** A definition with one version that has these fields in its spec; `more` are members of the version. */
export function widget(fields: Fields, more: Fields = {}, spec: Fields = {}): object {
  return widgets([{ ...version('v1', { type: 'object', properties: fields }), storage: true, ...more }], spec);
}

/** A version with this schema of its spec. */
export function version(name: string, spec: Fields): Fields {
  return {
    name,
    served: true,
    storage: false,
    schema: { openAPIV3Schema: { type: 'object', properties: { spec } } },
  };
}

/** A definition of these versions; `more` are members of its spec. */
export function widgets(versions: readonly object[], more: Fields = {}, rest: Fields = {}): object {
  const names = { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' };
  return {
    metadata: { name: 'widgets.example.com' },
    spec: { group: 'example.com', names, scope: 'Namespaced', versions, ...more },
    ...rest,
  };
}

/** What of both sides counts. */
type CheckOptions = LiveOptions & Partial<RequirementOptions>;

/** The report of one check. */
export function check(required: object, live: object, options: CheckOptions = {}): CompatibilityReport {
  const prepared = prepareRequirement(required, { versions: ['v1'], ...options });
  if ('errors' in prepared) throw new Error(JSON.stringify(prepared.errors));
  return prepared.ok.check(live, { stored: options.stored });
}
