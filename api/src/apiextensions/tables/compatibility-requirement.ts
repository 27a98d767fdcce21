// Drafted by tools/src/api-kinds/draft from github.com/openshift/api@v0.0.0-20260813212709-d4bb0b443cb8; not edited by hand.
import type { Infer, KindOf, Schema } from '../../model/index.js';
import { array, condition, int64, kind, map, named, object, optional, string } from '../../model/index.js';
import { meanings } from '../meanings.table.js';

const nonEmptyLabelSelectorShape = object(
  {
    matchExpressions: optional(array(
      object({ key: string(), operator: string(), values: optional(array(string(), { listType: 'atomic' })) }),
      { listType: 'atomic' },
    )),
    matchLabels: optional(map(string())),
  },
  {
    mapType: 'atomic',
    rules: [
      {
        message: 'must have at least one of matchLabels or matchExpressions when specified',
        rule: 'size(self.matchLabels) > 0 || size(self.matchExpressions) > 0',
      },
    ],
  },
);

/** A value of the shape NonEmptyLabelSelector. */
export interface NonEmptyLabelSelector extends Infer<typeof nonEmptyLabelSelectorShape> {}

/** The shape NonEmptyLabelSelector. */
export const nonEmptyLabelSelector: Schema<NonEmptyLabelSelector> = named('NonEmptyLabelSelector', nonEmptyLabelSelectorShape);

const excludedFieldShape = object({
  path: string({
    maxLength: 1023,
    minLength: 1,
    rules: [
      { message: 'There may be at most 16 fields in the path.', rule: "self.split('.').size() <= 16" },
      {
        message: 'path must be dot-separated field names, each starting with a letter and containing only letters, digits, and underscores not exceeding 63 characters. There may be at most 16 fields in the path.',
        rule: "self.split('.', 16).all(f, f.matches('^[a-zA-Z][a-zA-Z0-9_]{0,62}$'))",
      },
    ],
  }),
  versions: optional(array(
    string({
      maxLength: 63,
      minLength: 1,
      rules: [
        {
          message: 'It must contain only lower-case alphanumeric characters and hyphens and must start with an alphabetic character and end with an alphanumeric character',
          rule: "self.matches('^[a-z]([-a-z0-9]*[a-z0-9])?$')",
        },
      ],
    }),
    { maxItems: 32, listType: 'atomic' },
  )),
});

/** A value of the shape ExcludedField. */
export interface ExcludedField extends Infer<typeof excludedFieldShape> {}

/** The shape ExcludedField. */
export const excludedField: Schema<ExcludedField> = named('ExcludedField', excludedFieldShape);

const compatibilityRequirementStatusShape = object(
  {
    conditions: optional(array(condition, { maxItems: 32, minItems: 1, listMapKeys: ['type'], listType: 'map' })),
    crdName: optional(string({
      maxLength: 253,
      minLength: 1,
      rules: [
        {
          message: "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character.",
          rule: "self.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?([.][a-z0-9]([-a-z0-9]*[a-z0-9])?)*$')",
        },
      ],
    })),
    observedCRD: optional(object(
      { generation: int64({ minimum: 1 }), uid: string({ format: 'uuid', maxLength: 36, minLength: 1 }) },
      {
        rules: [
          {
            message: 'generation may only increase on the same CRD',
            rule: 'oldSelf.uid != self.uid || self.generation >= oldSelf.generation',
          },
        ],
      },
    )),
  },
  {
    minProperties: 1,
    rules: [
      {
        message: 'crdName cannot be changed once set',
        rule: '!has(oldSelf.crdName) || has(self.crdName) && oldSelf.crdName == self.crdName',
      },
    ],
  },
);

/** A value of the shape CompatibilityRequirementStatus. */
export interface CompatibilityRequirementStatus extends Infer<typeof compatibilityRequirementStatusShape> {}

/** The shape CompatibilityRequirementStatus. */
export const compatibilityRequirementStatus: Schema<CompatibilityRequirementStatus> = named('CompatibilityRequirementStatus', compatibilityRequirementStatusShape);

const objectSchemaValidationShape = object({
  action: string({ enum: ['Deny', 'Warn'] }),
  matchConditions: optional(array(
    object({ expression: string(), name: string() }),
    { maxItems: 64, minItems: 1, listMapKeys: ['name'], listType: 'map' },
  )),
  namespaceSelector: optional(nonEmptyLabelSelector),
  objectSelector: optional(nonEmptyLabelSelector),
});

/** A value of the shape ObjectSchemaValidation. */
export interface ObjectSchemaValidation extends Infer<typeof objectSchemaValidationShape> {}

/** The shape ObjectSchemaValidation. */
export const objectSchemaValidation: Schema<ObjectSchemaValidation> = named('ObjectSchemaValidation', objectSchemaValidationShape);

const compatibilitySchemaShape = object({
  customResourceDefinition: object({ data: string({ maxLength: 1572864, minLength: 1 }), type: string({ enum: ['YAML'] }) }),
  excludedFields: optional(array(
    excludedField,
    {
      maxItems: 64,
      listType: 'atomic',
      rules: [
        { message: 'each path in the list must be unique.', rule: 'self.all(x, self.exists_one(y, y.path == x.path))' },
      ],
    },
  )),
  requiredVersions: object({
    additionalVersions: optional(array(
      string({
        maxLength: 63,
        minLength: 1,
        rules: [
          {
            message: 'It must contain only lower-case alphanumeric characters and hyphens and must start with an alphabetic character and end with an alphanumeric character',
            rule: "self.matches('^[a-z]([-a-z0-9]*[a-z0-9])?$')",
          },
        ],
      }),
      { maxItems: 32, listType: 'atomic' },
    )),
    defaultSelection: string({ enum: ['StorageOnly', 'AllServed'] }),
  }),
});

/** A value of the shape CompatibilitySchema. */
export interface CompatibilitySchema extends Infer<typeof compatibilitySchemaShape> {}

/** The shape CompatibilitySchema. */
export const compatibilitySchema: Schema<CompatibilitySchema> = named('CompatibilitySchema', compatibilitySchemaShape);

const compatibilityRequirementSpecShape = object({
  compatibilitySchema: compatibilitySchema,
  customResourceDefinitionSchemaValidation: optional(object({ action: string({ enum: ['Deny', 'Warn'] }) })),
  objectSchemaValidation: optional(objectSchemaValidation),
});

/** A value of the shape CompatibilityRequirementSpec. */
export interface CompatibilityRequirementSpec extends Infer<typeof compatibilityRequirementSpecShape> {}

/** The shape CompatibilityRequirementSpec. */
export const compatibilityRequirementSpec: Schema<CompatibilityRequirementSpec> = named('CompatibilityRequirementSpec', compatibilityRequirementSpecShape);

/** The kind CompatibilityRequirement. */
export const compatibilityRequirement = kind({
  group: 'apiextensions.openshift.io',
  kind: 'CompatibilityRequirement',
  plural: 'compatibilityrequirements',
  scope: 'Cluster',
  meanings: meanings,
  versions: [
    {
      name: 'v1alpha1',
      storage: true,
      columns: [
        { name: 'CRD', type: 'string', jsonPath: '.status.crdName' },
        { name: 'Admitted', type: 'string', jsonPath: '.status.conditions[?(@.type=="Admitted")].status' },
        { name: 'Progressing', type: 'string', jsonPath: '.status.conditions[?(@.type=="Progressing")].status' },
        { name: 'Compatible', type: 'string', jsonPath: '.status.conditions[?(@.type=="Compatible")].status' },
        { name: 'Action', type: 'string', jsonPath: '.spec.customResourceDefinitionSchemaValidation.action' },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
      ],
      subresources: { status: true },
      schema: object({
        metadata: object({}),
        spec: compatibilityRequirementSpec,
        status: optional(compatibilityRequirementStatus),
      }),
    },
  ],
});

/** CompatibilityRequirement in `apiextensions.openshift.io/v1alpha1`. */
export type CompatibilityRequirement = KindOf<typeof compatibilityRequirement, 'v1alpha1'>;
