import type { JsonSchema } from '@capstan/api/model';

import type { Addition, PrinterColumn, RuleChange } from './sources.js';

const SCHEMA = 'v1alpha1.spec.compatibilitySchema';
const EVERY_SERVER = 'the servers of 1.30 have no library of formats in their rules';
const LENIENT =
  'the specification has it so: an empty list stands for every selected version, and repeating one does no harm';

const VERSION: JsonSchema = {
  type: 'string',
  minLength: 1,
  maxLength: 63,
  'x-kubernetes-validations': [
    {
      message:
        'It must contain only lower-case alphanumeric characters and hyphens and must start with an alphabetic character and end with an alphanumeric character',
      rule: "self.matches('^[a-z]([-a-z0-9]*[a-z0-9])?$')",
    },
  ],
};

const versions: JsonSchema = { type: 'array', items: VERSION, maxItems: 32, 'x-kubernetes-list-type': 'atomic' };

const path: JsonSchema = {
  type: 'string',
  minLength: 1,
  maxLength: 1023,
  'x-kubernetes-validations': [
    { message: 'There may be at most 16 fields in the path.', rule: "self.split('.').size() <= 16" },
    {
      message:
        'path must be dot-separated field names, each starting with a letter and containing only letters, digits, and underscores not exceeding 63 characters. There may be at most 16 fields in the path.',
      rule: "self.split('.', 16).all(f, f.matches('^[a-zA-Z][a-zA-Z0-9_]{0,62}$'))",
    },
  ],
};

/** What is ours in requirements. */
export const requirementAdditions: readonly Addition[] = [
  { path: `${SCHEMA}.requiredVersions.additionalVersions`, schema: versions, replaces: true, reason: LENIENT },
  {
    path: `${SCHEMA}.excludedFields`,
    schema: {
      type: 'array',
      maxItems: 64,
      'x-kubernetes-list-type': 'atomic',
      items: { type: 'object', properties: { path, versions }, required: ['path'] },
      'x-kubernetes-validations': [
        { message: 'each path in the list must be unique.', rule: 'self.all(x, self.exists_one(y, y.path == x.path))' },
      ],
    },
    replaces: true,
    reason: LENIENT,
  },
];

function conditionColumn(type: string): PrinterColumn {
  return { name: type, type: 'string', jsonPath: `.status.conditions[?(@.type=="${type}")].status` };
}

/** What kubectl shows of requirements: which CRD, whether it is enforced and met, and what a violation leads to. */
export const requirementColumns: readonly PrinterColumn[] = [
  { name: 'CRD', type: 'string', jsonPath: '.status.crdName' },
  ...['Admitted', 'Progressing', 'Compatible'].map(conditionColumn),
  { name: 'Action', type: 'string', jsonPath: '.spec.customResourceDefinitionSchemaValidation.action' },
  { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
];

/** The rule about names of definitions, in words that every server knows. */
function definitionName(path: string): RuleChange {
  return {
    path,
    message:
      "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character.",
    becomes: "self.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?([.][a-z0-9]([-a-z0-9]*[a-z0-9])?)*$')",
    reason: EVERY_SERVER,
  };
}

/** Rules of ClusterAPI that read otherwise with us. */
export const clusterApiRules: readonly RuleChange[] = [
  { ...definitionName('v1alpha1.spec.unmanagedCustomResourceDefinitions'), ofItems: true },
  { ...definitionName('v1alpha1.status.revisions.unmanagedCustomResourceDefinitions'), ofItems: true },
];

/** Rules of requirements that read otherwise with us. */
export const requirementRules: readonly RuleChange[] = [
  {
    path: `${SCHEMA}.requiredVersions`,
    message: "additionalVersions may not be defined when defaultSelection is 'AllServed'",
    reason: LENIENT,
  },
  definitionName('v1alpha1.status.crdName'),
];
