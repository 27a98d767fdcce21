import type { Shape } from '../json/shape.js';
import { members } from '../json/shape.js';
import { accessReview, rulesReview } from './access-reviews.js';
import type { NameForm } from './definitions.js';
import { afterDot, beforeLastDot, definition } from './definitions.js';
import type { Fields } from './fields.js';
import { customObject, objectWith, plainObject } from './objects.js';
import { resourceQuota } from './quotas.js';
import { role } from './rbac.js';
import type { Surface } from './surface.js';

/** What kind of route a path is; the table in the reference has the same names. */
export type RouteClass =
  | 'passthrough'
  | 'discovery'
  | 'openapi'
  /** Resources of the groups with two names. */
  | 'translated-group'
  /** CustomResourceDefinitions, APIServices and StorageVersions: their names carry groups. */
  | 'crd'
  /** Built-in kinds with groups in fields of their own: RBAC, webhooks, autoscalers. */
  | 'group-reference'
  | 'event'
  | 'object';

interface Row {
  readonly group: string;
  readonly resources: readonly string[];
  readonly class: RouteClass;
  readonly surface: (fields: Fields) => Surface;
  /** How names of these objects carry a group. */
  readonly names?: ((fields: Fields) => NameForm) | undefined;
  /** What is posted is a question, which is answered and not stored. */
  readonly isQuestion?: true;
}

const rules = (path: string) => (fields: Fields) => objectWith(fields, { [path]: fields.groups });

const policyMatch = (fields: Fields): Shape => {
  const ruleList: Shape = { items: { members: members({ apiGroups: fields.groups }) } };
  return { members: members({ resourceRules: ruleList, excludeResourceRules: ruleList }) };
};

const REGISTRATION = 'admissionregistration.k8s.io';
const AUTHORIZATION = 'authorization.k8s.io';

/** The built-in kinds that carry groups in places of their own. Any other built-in kind carries them in its metadata alone. */
const ROWS: readonly Row[] = [
  definitionRow('apiextensions.k8s.io', 'customresourcedefinitions', afterDot),
  definitionRow('apiregistration.k8s.io', 'apiservices', afterDot),
  definitionRow('internal.apiserver.k8s.io', 'storageversions', beforeLastDot),
  { group: 'rbac.authorization.k8s.io', resources: ['roles', 'clusterroles'], class: 'group-reference', surface: role },
  {
    group: REGISTRATION,
    resources: ['validatingwebhookconfigurations', 'mutatingwebhookconfigurations'],
    class: 'group-reference',
    surface: rules('webhooks.*.rules.*.apiGroups'),
  },
  {
    group: REGISTRATION,
    resources: ['validatingadmissionpolicies', 'mutatingadmissionpolicies'],
    class: 'group-reference',
    surface: (fields) =>
      objectWith(fields, { 'spec.paramKind': fields.reference, 'spec.matchConstraints': policyMatch(fields) }),
  },
  {
    group: REGISTRATION,
    resources: ['validatingadmissionpolicybindings', 'mutatingadmissionpolicybindings'],
    class: 'group-reference',
    surface: (fields) => objectWith(fields, { 'spec.matchResources': policyMatch(fields) }),
  },
  {
    group: AUTHORIZATION,
    resources: ['selfsubjectaccessreviews', 'subjectaccessreviews', 'localsubjectaccessreviews'],
    class: 'group-reference',
    surface: accessReview,
    isQuestion: true,
  },
  {
    group: AUTHORIZATION,
    resources: ['selfsubjectrulesreviews'],
    class: 'group-reference',
    surface: rulesReview,
    isQuestion: true,
  },
  {
    group: 'flowcontrol.apiserver.k8s.io',
    resources: ['flowschemas'],
    class: 'group-reference',
    surface: rules('spec.rules.*.resourceRules.*.apiGroups'),
  },
  { group: '', resources: ['resourcequotas'], class: 'group-reference', surface: resourceQuota },
  {
    group: 'autoscaling',
    resources: ['horizontalpodautoscalers'],
    class: 'group-reference',
    surface: (fields) =>
      objectWith(fields, {
        'spec.scaleTargetRef': fields.reference,
        'spec.metrics.*.object.describedObject': fields.reference,
        'spec.metrics.*.object.target': fields.reference,
        'status.currentMetrics.*.object.describedObject': fields.reference,
      }),
  },
  {
    group: 'storagemigration.k8s.io',
    resources: ['storageversionmigrations'],
    class: 'group-reference',
    surface: (fields) => objectWith(fields, { 'spec.resource': fields.groupKind }),
  },
  { group: '', resources: ['events'], class: 'event', surface: event },
  { group: 'events.k8s.io', resources: ['events'], class: 'event', surface: event },
  {
    group: '',
    resources: ['persistentvolumeclaims'],
    class: 'object',
    surface: (fields) =>
      objectWith(fields, { 'spec.dataSource': fields.typedReference, 'spec.dataSourceRef': fields.typedReference }),
  },
  {
    group: 'networking.k8s.io',
    resources: ['ingresses'],
    class: 'object',
    surface: (fields) =>
      objectWith(fields, {
        'spec.defaultBackend.resource': fields.typedReference,
        'spec.rules.*.http.paths.*.backend.resource': fields.typedReference,
      }),
  },
  {
    group: 'networking.k8s.io',
    resources: ['ingressclasses'],
    class: 'object',
    surface: (fields) => objectWith(fields, { 'spec.parameters': fields.typedReference }),
  },
  {
    group: 'apps',
    resources: ['controllerrevisions'],
    class: 'object',
    surface: (fields) => objectWith(fields, { data: fields.anywhere }),
  },
];

function definitionRow(group: string, resource: string, names: (fields: Fields) => NameForm): Row {
  return { group, resources: [resource], class: 'crd', surface: (fields) => definition(fields, names(fields)), names };
}

/** Core and events.k8s.io name the same fields differently; neither has both. */
function event(fields: Fields): Surface {
  return objectWith(fields, {
    involvedObject: fields.reference,
    regarding: fields.reference,
    related: fields.reference,
  });
}

/** Groups whose kinds are all built in. */
const BUILT_IN = new Set([
  '',
  'admissionregistration.k8s.io',
  'apiextensions.k8s.io',
  'apiregistration.k8s.io',
  'apps',
  'authentication.k8s.io',
  'authorization.k8s.io',
  'autoscaling',
  'batch',
  'certificates.k8s.io',
  'coordination.k8s.io',
  'discovery.k8s.io',
  'events.k8s.io',
  'flowcontrol.apiserver.k8s.io',
  'internal.apiserver.k8s.io',
  'networking.k8s.io',
  'node.k8s.io',
  'policy',
  'rbac.authorization.k8s.io',
  'resource.k8s.io',
  'scheduling.k8s.io',
  'storage.k8s.io',
  'storagemigration.k8s.io',
]);

const BY_RESOURCE = new Map(
  ROWS.flatMap((row) => row.resources.map((resource) => [`${row.group}/${resource}`, row] as const)),
);

/** How the objects of a resource are translated. */
export interface Entry {
  readonly class: RouteClass;
  readonly surface: Surface;
  readonly names: NameForm | undefined;
  readonly isQuestion?: boolean | undefined;
}

/** Entries of one mapping. */
interface Entries {
  readonly byKey: Map<string, Entry>;
  /** Those asked for, by group and resource. */
  readonly asked: Map<string, Map<string, Entry>>;
  remembered: number;
}

/** Clients choose the paths: what they can make us remember must stay bounded. */
const MAX_REMEMBERED = 1024;

const entries = new WeakMap<Fields, Entries>();

/** The translation of a resource, by its group as the server knows it. */
export function entryOf(fields: Fields, group: string, resource: string): Entry {
  let known = entries.get(fields);
  if (known === undefined) entries.set(fields, (known = { byKey: new Map(), asked: new Map(), remembered: 0 }));
  const found = known.asked.get(group)?.get(resource);
  if (found !== undefined) return found;
  const entry = makeEntry(known.byKey, fields, group, resource);
  if (known.remembered < MAX_REMEMBERED) {
    known.remembered += 1;
    let ofGroup = known.asked.get(group);
    if (ofGroup === undefined) known.asked.set(group, (ofGroup = new Map()));
    ofGroup.set(resource, entry);
  }
  return entry;
}

function makeEntry(known: Map<string, Entry>, fields: Fields, group: string, resource: string): Entry {
  const row = BY_RESOURCE.get(`${group}/${resource}`);
  const key = row === undefined ? kindOfRoute(fields, group, resource) : `${group}/${resource}`;
  let entry = known.get(key);
  if (entry === undefined) known.set(key, (entry = row === undefined ? generic(fields, key) : fromRow(fields, row)));
  return entry;
}

/** Resources without a row of their own fall into few kinds. */
function kindOfRoute(fields: Fields, group: string, resource: string): string {
  if (fields.mapping.side(group) !== undefined) return CAPI_RESOURCES.has(resource) ? `mapped/${resource}` : 'mapped';
  return BUILT_IN.has(group) ? 'built-in' : 'custom';
}

/** Those with values that are left alone. */
const CAPI_RESOURCES = new Set(['clusters', 'clusterclasses', 'extensionconfigs']);

function generic(fields: Fields, key: string): Entry {
  if (key === 'built-in') return { class: 'object', surface: plainObject(fields), names: undefined };
  const resource = key.split('/')[1] ?? '';
  return {
    class: key === 'custom' ? 'object' : 'translated-group',
    surface: customObject(fields, resource),
    names: undefined,
  };
}

function fromRow(fields: Fields, row: Row): Entry {
  return { class: row.class, surface: row.surface(fields), names: row.names?.(fields), isQuestion: row.isQuestion };
}
