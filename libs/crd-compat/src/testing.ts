/** CRDs for tests. */
import type { CompatibilityReport, Finding } from './report.js';
import { type LiveOptions, type RequirementCheck, type RequirementOptions, prepareRequirement } from './requirement.js';

type Fields = Readonly<Record<string, unknown>>;

/** A CRD with one version that has these fields in its spec; `more` are members of the version. */
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

/** A CRD of these versions; `more` are members of its spec. */
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

function prepare(required: object, options: Partial<RequirementOptions>): RequirementCheck {
  const prepared = prepareRequirement(required, { versions: ['v1'], ...options });
  if ('errors' in prepared) throw new Error(JSON.stringify(prepared.errors));
  return prepared.ok;
}

/** The report of one check. */
export function check(required: object, live: object, options: CheckOptions = {}): CompatibilityReport {
  return prepare(required, options).check(live, { stored: options.stored });
}

/** A CRD whose one version has this schema. */
export function definitionOf(schema: Fields): object {
  return widgets([{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }]);
}

/** What an update of the live CRD breaks that was not broken. */
export function freshErrors(required: object, old: object, live: object): readonly Finding[] {
  return prepare(required, {})
    .checkUpdate(old, live)
    .fresh.filter(({ severity }) => severity === 'error');
}
