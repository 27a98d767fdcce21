import { fieldErrorMessage } from '@capstan/meta';
import type { JsonObject, KubeObject } from '@capstan/meta';
import { describe, expect, it } from 'vitest';
import { validateDefinition, validateDefinitionStatus, validateDefinitionUpdate } from '@capstan/schema';
import { customResourceDefinitionStrategy } from './custom-resource-definition.js';

const LABEL =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an " +
  "alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";

function version(fields: JsonObject = {}): JsonObject {
  return { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } }, ...fields };
}

function definition(spec: JsonObject = {}, status: JsonObject = {}): KubeObject {
  const names = { plural: 'as', singular: 'a', kind: 'Aa', listKind: 'AaList' };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'as.p.example.com' },
    spec: {
      group: 'p.example.com',
      scope: 'Namespaced',
      names,
      versions: [version()],
      conversion: { strategy: 'None' },
      ...spec,
    },
    status: { conditions: null, acceptedNames: { plural: '', kind: '' }, storedVersions: ['v1'], ...status },
  };
}

const OPEN = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
const UNTYPED = { openAPIV3Schema: { properties: { a: { type: 'string' } } } };
const ESTABLISHED = {
  conditions: [{ type: 'Established', status: 'True', lastTransitionTime: '', reason: '', message: '' }],
};

const REFUSED: readonly (readonly [what: string, KubeObject, errors: readonly string[]])[] = [
  ['nothing', definition(), []],
  [
    'a group without a dot',
    definition({ group: 'p' }),
    ['spec.group: Invalid value: "p": should be a domain with at least one dot'],
  ],
  [
    'another scope',
    definition({ scope: 'Both' }),
    ['spec.scope: Unsupported value: "Both": supported values: "Cluster", "Namespaced"'],
  ],
  [
    'a version of a bad name',
    definition({ versions: [version({ name: 'V1' })] }, { storedVersions: ['V1'] }),
    [`spec.versions[0].name: Invalid value: "V1": ${LABEL}`, `spec.version: Invalid value: "V1": ${LABEL}`],
  ],
  [
    'a schema all versions share',
    definition({ versions: [version({ schema: UNTYPED })] }),
    ['spec.validation.openAPIV3Schema.type: Required value: must not be empty at the root'],
  ],
  [
    'a schema of one version',
    definition({ versions: [version({ schema: UNTYPED }), version({ name: 'v2', storage: false, schema: OPEN })] }),
    ['spec.versions[0].schema.openAPIV3Schema.type: Required value: must not be empty at the root'],
  ],
  [
    'columns of one version',
    definition({
      versions: [
        version({ additionalPrinterColumns: [{ name: 'a', type: 'x', jsonPath: '.a' }] }),
        version({ name: 'v2', storage: false }),
      ],
    }),
    [
      'spec.versions[0].additionalPrinterColumns[0].type: Invalid value: "x": must be one of boolean,date,integer,number,string',
    ],
  ],
  [
    'versions without one to store',
    definition({ versions: [version({ storage: false, subresources: { status: {} } })] }),
    [
      'spec.versions: Invalid value: [{"Name":"v1","Served":true,"Storage":false,"Deprecated":false,"DeprecationWarning":null,"Schema":null,"Subresources":null,' +
        '"AdditionalPrinterColumns":null,"SelectableFields":null}]: must have exactly one version marked as storage version',
    ],
  ],
  [
    'keeping unknown fields',
    definition({ preserveUnknownFields: true }),
    [
      'spec.preserveUnknownFields: Invalid value: true: cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead',
    ],
  ],
];

const CHANGES: readonly (readonly [what: string, next: KubeObject, old: KubeObject, errors: readonly string[]])[] = [
  ['nothing', definition(), definition(), []],
  ['the scope before anybody could rely on it', definition({ scope: 'Cluster' }), definition(), []],
  [
    'the scope afterwards',
    definition({ scope: 'Cluster' }, ESTABLISHED),
    definition({}, ESTABLISHED),
    ['spec.scope: Invalid value: "Cluster": field is immutable'],
  ],
  [
    'the group',
    definition({ group: 'q.example.com' }),
    definition(),
    ['spec.group: Invalid value: "q.example.com": field is immutable'],
  ],
  [
    'a schema that was let in before',
    definition({ versions: [version({ schema: UNTYPED })] }),
    definition({ versions: [version({ schema: UNTYPED })] }),
    [],
  ],
  [
    'a version that objects are stored in',
    definition({ versions: [version({ name: 'v2' })] }, { storedVersions: ['v1', 'v2'] }),
    definition(),
    [
      'status.storedVersions[0]: Invalid value: "v1": missing from spec.versions; v1 was previously a storage version, and must remain in spec.versions until a ' +
        'storage migration ensures no data remains persisted in v1 and removes v1 from status.storedVersions',
    ],
  ],
];

describe('the admission of CRDs', () => {
  it.each(REFUSED)('complains about %s', (_, object, errors) => {
    expect(validateDefinition(object).map(fieldErrorMessage)).toEqual(errors);
  });

  it.each(REFUSED)('complains a second time about %s', (_, object, errors) => {
    validateDefinition(object);
    expect(validateDefinition(object).map(fieldErrorMessage)).toEqual(errors);
  });

  it('of a schema that was let in without a status knows it again without one alone', () => {
    const schema = { openAPIV3Schema: { type: 'object', minProperties: 1 } };
    const complaints = (more: JsonObject): number =>
      validateDefinition(definition({ versions: [version({ schema, ...more })] })).length;
    expect([complaints({}), complaints({ subresources: { status: {} } }), complaints({})]).toEqual([0, 1, 0]);
  });

  it.each(CHANGES)('of a change of %s', (_, next, old, errors) => {
    expect(validateDefinitionUpdate(next, old).map(fieldErrorMessage)).toEqual(errors);
  });

  it('of a status looks at the names', () => {
    expect(
      validateDefinitionStatus(definition({}, { acceptedNames: { plural: 'A', kind: '' } })).map(fieldErrorMessage),
    ).toEqual([`status.acceptedNames.plural: Invalid value: "A": ${LABEL}`]);
  });

  it('wants the name to be made of plural and group', () => {
    const complaints = customResourceDefinitionStrategy.validateName?.(definition());
    expect([complaints?.('as.p.example.com'), complaints?.('x')]).toEqual([
      [],
      ['must be spec.names.plural+"."+spec.group'],
    ]);
  });
});

describe('the first delete of a CRD', () => {
  it('marks it and keeps it, its generation as it was', () => {
    const object = definition();
    customResourceDefinitionStrategy.beginDelete?.(object, { now: '2026-01-01T00:00:00Z' });
    expect(object.metadata).toEqual({
      name: 'as.p.example.com',
      deletionTimestamp: '2026-01-01T00:00:00Z',
      finalizers: ['customresourcecleanup.apiextensions.k8s.io'],
    });
    expect(object['status']).toMatchObject({
      conditions: [{ type: 'Terminating', status: 'True', reason: 'InstanceDeletionPending' }],
    });
  });
});
