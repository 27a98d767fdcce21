import type { CompatibilityRequirement } from '@capstan/api/apiextensions';
import type { FieldError } from '@capstan/meta';
import { describe, expect, it } from 'vitest';
import type { ReadRequirement } from '../requirement-cache/read.js';
import type { WebhookConfiguration } from '../webhooks/configuration.js';
import { decide, problemsOf } from './decide.js';
import type { Plan } from './decide.js';

const read = { crdName: 'boats.example.com' } as ReadRequirement;
const PARSED = { ok: read };
const PROBLEM = { type: 'FieldValueInvalid', field: 'spec', detail: 'no YAML' } as unknown as FieldError;
const UNPARSED = { errors: [PROBLEM] };
const metadata = { name: 'boat-users', uid: 'u1' };

function configurationOf(uid: string): WebhookConfiguration {
  const owner = { apiVersion: 'v1', kind: 'CompatibilityRequirement', name: 'boat-users', uid, controller: true };
  return { metadata: { name: 'boat-users', ownerReferences: [owner] } } as unknown as WebhookConfiguration;
}

const OURS = configurationOf('u1');
const FOREIGN = configurationOf('u2');
const CONFLICT = 'there is a ValidatingWebhookConfiguration "boat-users" that is not of this requirement';
const DENY = { objectSchemaValidation: { action: 'Deny' } };
const WARN = { objectSchemaValidation: { action: 'Warn' } };
const CRD_CHECK = { customResourceDefinitionSchemaValidation: { action: 'Deny' } };
const common = { crdName: read.crdName, definitions: 'unasked' } as const;

describe('the webhook configuration of a requirement', () => {
  it.each<[string, object, WebhookConfiguration | undefined, Plan]>([
    [
      'is installed, and fails closed, for one that denies',
      DENY,
      undefined,
      { ...common, objectWebhook: { do: 'install', read, policy: 'Fail', live: undefined } },
    ],
    [
      'is compared with the existing one, and fails open, for one that warns',
      WARN,
      OURS,
      { ...common, objectWebhook: { do: 'install', read, policy: 'Ignore', live: OURS } },
    ],
    [
      'of another owner is a conflict, and stays',
      DENY,
      FOREIGN,
      { ...common, conflict: CONFLICT, objectWebhook: { do: 'keep', objects: 'pending' } },
    ],
    [
      'is removed when objects are no longer checked',
      {},
      OURS,
      { ...common, objectWebhook: { do: 'remove', live: OURS } },
    ],
    [
      'of another owner stays, and is no conflict, when objects are not checked',
      {},
      FOREIGN,
      { ...common, objectWebhook: { do: 'keep', objects: 'unasked' } },
    ],
    [
      'is not needed when nothing is checked',
      {},
      undefined,
      { ...common, objectWebhook: { do: 'keep', objects: 'unasked' } },
    ],
    [
      'does not depend on the check of CRDs, whose state is reported',
      CRD_CHECK,
      undefined,
      { ...common, definitions: 'pending', objectWebhook: { do: 'keep', objects: 'unasked' } },
    ],
  ])('%s', (_title, spec, configuration, expected) => {
    const requirement = { metadata, spec } as unknown as CompatibilityRequirement;
    const snapshot = { reading: PARSED, problems: [], configuration, definitionsChecked: 'pending' } as const;
    expect(decide(requirement, snapshot)).toEqual(expected);
  });

  it.each([
    ['cannot be parsed', { reading: UNPARSED, problems: [PROBLEM] }],
    ['names another CRD than before', { reading: PARSED, problems: [PROBLEM] }],
  ])('stays as it is while the requirement %s', (_title, given) => {
    const requirement = { metadata, spec: DENY } as unknown as CompatibilityRequirement;
    expect(decide(requirement, { ...given, configuration: OURS, definitionsChecked: 'enforced' })).toEqual({
      crdName: '',
      definitions: 'unasked',
      objectWebhook: { do: 'keep', objects: 'unasked' },
    });
  });
});

describe('the problems of a requirement', () => {
  it.each([
    ['are none for a new one', {}, PARSED, []],
    ['are none while the CRD stays the same', { crdName: read.crdName }, PARSED, []],
    ['are those of a document that cannot be parsed', { crdName: read.crdName }, UNPARSED, ['spec']],
    [
      'include a CRD other than the one it was about',
      { crdName: 'ships.example.com' },
      PARSED,
      ['spec.compatibilitySchema.customResourceDefinition.data'],
    ],
  ])('%s', (_title, status, reading, expected) => {
    const requirement = { status } as unknown as CompatibilityRequirement;
    expect(problemsOf(requirement, reading).map(({ field }) => field)).toEqual(expected);
  });
});
