import type { CompatibilityRequirement } from '@capstan/api/apiextensions';
import { createValidatingWebhooks } from '@capstan/apiserver/checks';
import { invalid } from '@capstan/meta';
import type { FieldError } from '@capstan/meta';
import { objectConfiguration } from '../../webhooks/configuration.js';
import type { Reading, ReadRequirement } from '../../requirement-cache/read.js';

/** Any address will do: what is looked at is what the requirement puts in. */
const NOWHERE = { at: { url: 'https://localhost' }, caPem: '' };
const OBJECTS = 'spec.objectSchemaValidation';

/** What a server would say of the configuration that comes of the selectors and conditions. */
function checkObjects(requirement: CompatibilityRequirement, read: ReadRequirement): readonly FieldError[] {
  if (requirement.spec.objectSchemaValidation == null) return [];
  const metadata = { ...requirement.metadata, uid: 'none', generation: 1 };
  const options = { address: NOWHERE, failurePolicy: 'Fail' } as const;
  const { configuration } = objectConfiguration({ ...requirement, metadata }, read, options);
  const created = createValidatingWebhooks(configuration);
  if ('object' in created) return [];
  return created.errors.map((error) => ({ ...error, field: error.field.replace(/^webhooks\[\d+\]/, OBJECTS) }));
}

/** The CRD that a requirement is about stays the same: others know it by its name. */
function checkTarget(crdName: string, known: string | undefined): readonly FieldError[] {
  if (known === undefined || known === crdName) return [];
  const detail = `must be the CRD of ${known}: what a requirement is about cannot be changed`;
  return [invalid('spec.compatibilitySchema.customResourceDefinition.data', crdName, detail)];
}

/** Everything that is wrong with a requirement that is to be written. */
export function checkRequirement(
  requirement: CompatibilityRequirement,
  reading: Reading,
  /** Of the requirement as it was; undefined for a new one, and for one that could not be read. */
  knownTarget?: string,
): readonly FieldError[] {
  if ('errors' in reading) return reading.errors;
  return [...checkTarget(reading.ok.crdName, knownTarget), ...checkObjects(requirement, reading.ok)];
}
