/**
 * Where built-in types carry groups. Field numbers, embedded structs and the way to a field from a kind are not here:
 * they come from the type tables.
 */

/** What a string is there. */
export type Meaning =
  /** `group/version`. */
  | 'apiVersion'
  | 'group'
  /** `group/version` that a manager of fields wrote an object as. */
  | 'recordedVersion'
  /** The group that a CRD defines. */
  | 'definedGroup'
  /** A group that a rule allows something for. */
  | 'allowedGroup'
  /** A sentence of the server. */
  | 'message'
  /** A key of a quota: `count/plural.group`. */
  | 'quotaKey'
  /** The name of an object whose kind is in a sibling field: of a CustomResourceDefinition, `plural.group`. */
  | 'name';

/** Fields that mean the same wherever they are. */
export const BY_FIELD: ReadonlyMap<string, Meaning> = new Map([
  ['apiVersion', 'apiVersion'],
  ['apiGroup', 'group'],
  ['apiGroups', 'group'],
]);

/** Fields by the struct they are in; undefined where a name that means a group elsewhere means none. */
export const BY_STRUCT: ReadonlyMap<string, Readonly<Record<string, Meaning | undefined>>> = new Map<
  string,
  Readonly<Record<string, Meaning | undefined>>
>([
  // The version a path of fields is written in, of the pod it is in.
  ['core/v1.ObjectFieldSelector', { apiVersion: undefined }],
  ['meta/v1.ManagedFieldsEntry', { apiVersion: 'recordedVersion' }],
  ['meta/v1.Status', { message: 'message' }],
  ['meta/v1.StatusDetails', { group: 'group', name: 'name' }],
  ['meta/v1.GroupResource', { group: 'group' }],
  ['apiextensions/v1.CustomResourceDefinitionSpec', { group: 'definedGroup' }],
  ['apiregistration/v1.APIServiceSpec', { group: 'definedGroup' }],
  ['authorization/v1.ResourceAttributes', { group: 'group', name: 'name' }],
  ['authorization/v1.ResourceRule', { apiGroups: 'allowedGroup', resourceNames: 'name' }],
  ['rbac/v1.PolicyRule', { resourceNames: 'name' }],
  ['admissionregistration/v1.NamedRuleWithOperations', { resourceNames: 'name' }],
  ['networking/v1.ParentReference', { group: 'group' }],
  ['core/v1.ResourceQuotaSpec', { hard: 'quotaKey' }],
  ['core/v1.ResourceQuotaStatus', { hard: 'quotaKey', used: 'quotaKey' }],
]);

/** The sibling field with the kind or resource of a name, by struct. */
export const KIND_FIELDS: ReadonlyMap<string, string> = new Map([
  ['meta/v1.StatusDetails', 'kind'],
  ['authorization/v1.ResourceAttributes', 'resource'],
  ['authorization/v1.ResourceRule', 'resources'],
  ['rbac/v1.PolicyRule', 'resources'],
  ['admissionregistration/v1.NamedRuleWithOperations', 'resources'],
]);

/** Resources, as rules name them, whose objects are named after a group. */
export const NAMED_RESOURCES: ReadonlySet<string> = new Set(['customresourcedefinitions', 'apiservices', '*']);

/** The same as a Status names them: by resource or by kind. */
export const NAMED_KINDS: ReadonlySet<string> = new Set([
  'customresourcedefinitions',
  'apiservices',
  'CustomResourceDefinition',
  'APIService',
]);

/** Fields that hold whole objects, as JSON or with an envelope of their own. */
export const EMBEDDED: ReadonlySet<string> = new Set([
  'meta/v1.WatchEvent.object',
  'meta/v1.List.items',
  'apps/v1.ControllerRevision.data',
]);

/**
 * Versions without a table whose messages, where they carry groups, have the numbers of the version that has one.
 * By group, the older versions.
 */
export const LIKE_V1: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['admissionregistration.k8s.io', new Set(['v1alpha1', 'v1beta1'])],
  ['flowcontrol.apiserver.k8s.io', new Set(['v1beta1', 'v1beta2', 'v1beta3'])],
  ['meta.k8s.io', new Set(['v1beta1'])],
  ['networking.k8s.io', new Set(['v1alpha1', 'v1beta1'])],
  ['resource.k8s.io', new Set(['v1beta1', 'v1beta2'])],
]);

/** What is asked for in JSON alone: groups are left out or put together there, which is more than renaming. */
export const JSON_ONLY: ReadonlySet<string> = new Set([
  'APIGroup',
  'APIGroupList',
  'APIResourceList',
  'APIGroupDiscovery',
  'APIGroupDiscoveryList',
  'AdmissionReview',
  'ConversionReview',
]);

/** Fields of kinds that have no table, by `group kind` and the numbers that lead there. */
export const WITHOUT_TABLE: ReadonlyMap<string, { readonly path: readonly number[]; readonly meaning: Meaning }> =
  new Map([
    // spec.resource.group
    ['storagemigration.k8s.io StorageVersionMigration', { path: [2, 1, 1], meaning: 'group' }],
    // spec.controllerRef.apiGroup
    ['scheduling.k8s.io Workload', { path: [2, 1, 1], meaning: 'group' }],
  ]);
