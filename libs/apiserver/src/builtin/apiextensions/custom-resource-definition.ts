import { deepEqual } from '@capstan/meta';
import type { JsonObject, KubeObject } from '@capstan/meta';
import { CLEANUP_FINALIZER, statusOf, type DefinitionSpec, type DefinitionStatus } from './crd.js';
import { withCondition } from './crd.js';
import {
  defaultDefinition,
  defaultStoredVersions,
  storageVersion,
  validateDefinition,
  validateDefinitionStatus,
  validateDefinitionUpdate,
} from '@capstan/schema';
import { specAndStatus, statusUpdate } from '../base.js';
import { ensure, fields, record } from '../shared/json.js';
import type { ResourceStrategy, StrategyContext } from '../strategy.js';
import { formatWarnings } from './format-warnings.js';

function defaults(definition: KubeObject, sent?: unknown): void {
  const spec = ensure(definition, 'spec');
  // Refused as it was sent, and an empty list is not reported as a missing one.
  const versions = fields(fields(sent)['spec'])['versions'];
  if (spec['versions'] === null && Array.isArray(versions)) spec['versions'] = [];
  defaultDefinition(definition);
}

/** A version that objects are written in stays in storedVersions until a client has rewritten them all and removes it. */
function withStoredVersion(definition: KubeObject, status: DefinitionStatus): DefinitionStatus {
  const version = storageVersion(definition);
  const stored = status.storedVersions ?? [];
  return version === undefined || stored.includes(version)
    ? status
    : { ...status, storedVersions: [...stored, version] };
}

function setStatus(definition: KubeObject, status: DefinitionStatus): void {
  (definition as JsonObject)['status'] = withStoredVersion(definition, status);
}

/** The CRD stays until its objects are gone. Its generation does not count this as a change. */
function beginDelete(definition: KubeObject, { now }: StrategyContext): void {
  const { metadata } = definition;
  metadata.deletionTimestamp = now;
  const finalizers = metadata.finalizers ?? [];
  if (!finalizers.includes(CLEANUP_FINALIZER)) metadata.finalizers = [...finalizers, CLEANUP_FINALIZER];
  const status = statusOf(definition);
  const conditions = withCondition(
    status.conditions,
    {
      type: 'Terminating',
      status: 'True',
      reason: 'InstanceDeletionPending',
      message: 'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon',
    },
    now,
  );
  (definition as JsonObject)['status'] = { ...status, conditions };
}

/** Where schemas are inside a schema: one, a list of them, or a map. */
const INNER_SCHEMAS = ['items', 'additionalProperties', 'additionalItems', 'not', 'allOf', 'anyOf', 'oneOf'];
const INNER_MAPS = ['properties', 'patternProperties', 'definitions', 'dependencies'];

/** Items that are neither a schema nor a list of schemas are stored as none. */
function dropEmptyItems(schema: unknown): void {
  if (Array.isArray(schema)) for (const each of schema) dropEmptyItems(each);
  const node = record(schema);
  if (node === undefined) return;
  const { items } = node;
  if (items === null || (Array.isArray(items) && items.length === 0)) delete node['items'];
  for (const key of INNER_SCHEMAS) dropEmptyItems(node[key]);
  for (const key of INNER_MAPS) for (const each of Object.values(fields(node[key]))) dropEmptyItems(each);
}

const STRATEGY = specAndStatus({}, {});

/** Strategy of custom resource definitions. */
export const customResourceDefinitionStrategy: ResourceStrategy = {
  ...STRATEGY,
  allowUnconditionalUpdate: false,
  applyDefaults: defaults,
  prepareForCreate: (definition) => {
    setStatus(definition, { conditions: null, acceptedNames: { plural: '', kind: '' }, storedVersions: null });
    definition.metadata.generation = 1;
  },
  prepareForUpdate: (definition, old, context) => {
    STRATEGY.prepareForUpdate?.(definition, old, context);
    // What is empty and what is not there are different schemas.
    if (!deepEqual(definition['spec'], old['spec']))
      definition.metadata.generation = (old.metadata.generation ?? 0) + 1;
    setStatus(definition, statusOf(old));
  },
  validateName: ({ spec }) => {
    const { group, names } = spec as DefinitionSpec;
    return (name) => (name === `${names.plural}.${group}` ? [] : ['must be spec.names.plural+"."+spec.group']);
  },
  validate: (definition) => validateDefinition(definition),
  validateUpdate: (definition, old) => validateDefinitionUpdate(definition, old),
  canonicalize: (definition) => {
    for (const { schema } of (definition['spec'] as DefinitionSpec).versions ?? [])
      dropEmptyItems(schema?.openAPIV3Schema);
  },
  warningsOnCreate: (definition) => formatWarnings(definition),
  warningsOnUpdate: formatWarnings,
  subresources: { status: statusUpdate(validateDefinitionStatus, (definition) => defaultStoredVersions(definition)) },
  beginDelete,
};

/** The first minor release that warns of formats. */
const FORMAT_WARNINGS_SINCE = 35;

/** The same, with schemas held to the rules of Kubernetes 1.`minor`. */
export function definitionStrategyOf(minor: number): ResourceStrategy {
  const { warningsOnCreate: _onCreate, warningsOnUpdate: _onUpdate, ...silent } = customResourceDefinitionStrategy;
  return {
    ...(minor < FORMAT_WARNINGS_SINCE ? silent : customResourceDefinitionStrategy),
    validate: (definition) => validateDefinition(definition, minor),
    validateUpdate: (definition, old) => validateDefinitionUpdate(definition, old, minor),
  };
}
