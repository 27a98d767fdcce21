import { DEFINITIONS, REQUIREMENTS, VALIDATING_WEBHOOKS } from '@capstan/crd-compatibility';
import type { CompatibilityRequirement } from '@capstan/api/apiextensions';
import type { JsonObject, KubeObject } from '@capstan/meta';
import { expect } from 'vitest';
import { LIMIT } from './fixture.js';
import type { CheckerFixture, RequirementParts, Scenario } from './fixture.js';

const NUMBER = { type: 'integer' };
const OBJECTS = { objectSchemaValidation: { action: 'Deny' } } as const;
const refusal = (name: string, what: string): string =>
  `admission webhook "requirements.crd-compatibility.openshift.io" denied the request: CRD Compatibility Checker: CompatibilityRequirement "${name}" is invalid: ${what}`;
const DATA = 'spec.compatibilitySchema.customResourceDefinition.data';

function source(data: string): RequirementParts {
  return { schema: { customResourceDefinition: { type: 'YAML', data } } };
}

/** Invalid requirements, and the refusal of each. */
function refusals(fixture: CheckerFixture): readonly (readonly [RequirementParts, string])[] {
  const good = fixture.definition('nets', { mesh: NUMBER, edge: { type: 'object', properties: { knots: NUMBER } } });
  const spec = good['spec'] as JsonObject & { versions: readonly JsonObject[] };
  const bad = { ...good, spec: { ...spec, scope: 'Everywhere', versions: [{ ...spec.versions[0], storage: false }] } };
  const excluded = (...paths: string[]): RequirementParts => ({
    schema: { excludedFields: paths.map((path) => ({ path, versions: ['v1'] })) },
  });
  const objects = (more: object): RequirementParts => ({ objectSchemaValidation: { action: 'Deny', ...more } });
  return [
    [source('a: [1'), `${DATA}: Invalid value: not YAML: `],
    [source('[]'), `${DATA}: Invalid value: must be an object`],
    [
      source('{}'),
      `${DATA}: Invalid value: must be a CustomResourceDefinition of apiextensions.k8s.io/v1, not undefined of undefined`,
    ],
    [source(`${JSON.stringify(good)}\n---\na: 1`), `${DATA}: Invalid value: must hold one document, not 2`],
    [
      source(JSON.stringify({ ...good, spec: 'nothing' })),
      `${DATA}: Invalid value: json: cannot unmarshal string into Go struct field CustomResourceDefinition.spec`,
    ],
    [
      source(JSON.stringify(bad)),
      `[${DATA}: spec.scope: Unsupported value: "Everywhere": supported values: "Cluster", "Namespaced", `,
    ],
    [
      { schema: { requiredVersions: { defaultSelection: 'StorageOnly', additionalVersions: ['v7'] } } },
      'spec.compatibilitySchema.requiredVersions.additionalVersions[0]: Invalid value: "v7": the required CRD has no such version',
    ],
    [excluded('spec.net'), 'spec.compatibilitySchema.excludedFields[0].path: Invalid value: "spec.net": '],
    [
      excluded('spec.edge', 'spec.edge.knots'),
      'spec.compatibilitySchema.excludedFields[1].path: Invalid value: "spec.edge.knots": overlaps with "spec.edge" in version "v1"',
    ],
    [
      objects({ matchConditions: [{ name: 'a', expression: 'object.(' }] }),
      'spec.objectSchemaValidation.matchConditions[0].expression: Invalid value: "object.(": ',
    ],
    [
      objects({ namespaceSelector: { matchExpressions: [{ key: 'a', operator: 'Near' }] } }),
      'spec.objectSchemaValidation.namespaceSelector.matchExpressions[0].operator: Invalid value: "Near": not a valid selector operator',
    ],
  ];
}

async function refusesWhatMakesNoSense(fixture: CheckerFixture): Promise<void> {
  await fixture.untilChecked();
  const good = fixture.definition('nets', { mesh: NUMBER, edge: { type: 'object', properties: { knots: NUMBER } } });
  for (const [parts, message] of refusals(fixture)) {
    const answer = await fixture.tryCreate(REQUIREMENTS, fixture.requirement('net-users', good, parts));
    expect(answer).toContain(refusal('net-users', message));
  }
}

async function keepsItsTarget(fixture: CheckerFixture): Promise<void> {
  await fixture.require('net-users', fixture.definition('nets', { mesh: NUMBER }));
  const other = fixture.requirement('net-users', fixture.definition('hooks', { mesh: NUMBER }));
  const value = { spec: other.spec };
  const answer = await fixture.client
    .patch(REQUIREMENTS, 'net-users', { type: 'merge', value })
    .then(() => 'patched', String);
  expect(answer).toContain(
    refusal(
      'net-users',
      `${DATA}: Invalid value: "${fixture.crdName('hooks')}": must be the CRD of ${fixture.crdName('nets')}: what a requirement is about cannot be changed`,
    ),
  );
  await fixture.release('net-users');
}

/** A webhook configuration belongs to the client that created it, also under a name of ours. */
async function leavesTheConfigurationsOfOthers(fixture: CheckerFixture): Promise<void> {
  const foreign: KubeObject = {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name: 'net-objects' },
    webhooks: [],
  };
  await fixture.client.create(VALIDATING_WEBHOOKS, foreign);
  const definition = fixture.definition('nets', { mesh: NUMBER });
  await fixture.client.create(REQUIREMENTS, fixture.requirement('net-objects', definition, OBJECTS));
  await expect
    .poll(() => fixture.conditions('net-objects'), LIMIT)
    .toMatchObject({ Progressing: 'False/OwnershipConflict', Admitted: 'False/NotAdmitted' });
  expect(await fixture.configuration('net-objects')).toMatchObject({ metadata: { name: 'net-objects' } });
  expect((await fixture.configuration('net-objects'))?.['webhooks'] ?? []).toEqual([]);
  await fixture.client.delete(VALIDATING_WEBHOOKS, 'net-objects');
  await fixture.untilAdmitted('net-objects');
  expect(await fixture.conditions('net-objects')).toMatchObject({ Progressing: 'False/UpToDate' });
  await fixture.release('net-objects');
}

async function followsTheRequirement(fixture: CheckerFixture): Promise<void> {
  const definition = fixture.definition('nets', { mesh: NUMBER }, { subresources: { scale: SCALE } });
  await fixture.require('net-objects', definition, {
    objectSchemaValidation: {
      action: 'Deny',
      namespaceSelector: { matchLabels: { team: 'sea' } },
      objectSelector: { matchLabels: { size: 'large' } },
      matchConditions: [{ name: 'only-some', expression: "object.metadata.name != 'free'" }],
    },
  });
  const { metadata } = await fixture.client.get<CompatibilityRequirement>(REQUIREMENTS, 'net-objects');
  expect(metadata.finalizers).toEqual(['compatibilityrequirement.operator.openshift.io/finalizer']);
  expect(await fixture.configuration('net-objects')).toMatchObject({
    metadata: {
      ownerReferences: [{ kind: 'CompatibilityRequirement', name: 'net-objects', uid: metadata.uid, controller: true }],
    },
    webhooks: [
      {
        name: 'objects.crd-compatibility.openshift.io',
        failurePolicy: 'Fail',
        namespaceSelector: { matchLabels: { team: 'sea' } },
        objectSelector: { matchLabels: { size: 'large' } },
        matchConditions: [{ name: 'only-some', expression: "object.metadata.name != 'free'" }],
        rules: [
          {
            apiGroups: [fixture.group],
            apiVersions: ['v1'],
            operations: ['CREATE', 'UPDATE'],
            resources: ['nets', 'nets/status', 'nets/scale'],
            scope: 'Namespaced',
          },
        ],
      },
      { name: 'probe.crd-compatibility.openshift.io', failurePolicy: 'Ignore' },
    ],
  });
  await fixture.require('net-objects', definition, { objectSchemaValidation: { action: 'Warn' } });
  const [changed] = ((await fixture.configuration('net-objects'))?.['webhooks'] ?? []) as JsonObject[];
  expect(changed).toMatchObject({ failurePolicy: 'Ignore', namespaceSelector: {}, objectSelector: {} });
  expect(changed).not.toHaveProperty('matchConditions');
  await fixture.require('net-objects', definition);
  await expect.poll(() => fixture.configuration('net-objects'), LIMIT).toBeUndefined();
  await fixture.require('net-objects', definition, OBJECTS);
  await fixture.release('net-objects');
  expect(await fixture.configuration('net-objects')).toBeUndefined();
}

/** What a client that may write the status can write there: the schema lets no generation go back. */
async function correctsItsStatus(fixture: CheckerFixture): Promise<void> {
  const definition = fixture.definition('nets', { mesh: NUMBER });
  await fixture.client.create(DEFINITIONS, definition);
  await fixture.require('net-users', definition);
  const read = async (): Promise<object> => {
    const { status } = await fixture.client.get<CompatibilityRequirement>(REQUIREMENTS, 'net-users');
    return { ...status, conditions: status?.conditions?.map((each) => ({ ...each, lastTransitionTime: '' })) };
  };
  await expect.poll(() => fixture.conditions('net-users'), LIMIT).toMatchObject({ Compatible: 'True/Compatible' });
  const right = await read();
  const before = await fixture.client.get<CompatibilityRequirement>(REQUIREMENTS, 'net-users');
  const { conditions = [], observedCRD } = before.status ?? {};
  const lies = [
    { observedCRD: { ...observedCRD, generation: 999 } },
    { observedCRD: { uid: '0b1f6471-1bf0-4dda-aec3-cb9272f09590', generation: 7 } },
    { conditions: conditions.map((each) => ({ ...each, status: 'Unknown', reason: 'Lie', message: 'it is not' })) },
    { conditions: conditions.slice(0, 1) },
  ];
  for (const value of lies) {
    await fixture.client.patch(
      REQUIREMENTS,
      'net-users',
      { type: 'merge', value: { status: value } as JsonObject },
      { subresource: 'status' },
    );
    await expect.poll(read, LIMIT).toEqual(right);
  }
  await fixture.release('net-users');
}

const SCALE = { specReplicasPath: '.spec.mesh', statusReplicasPath: '.status.mesh' };

/** What becomes of requirements themselves. */
export const requirementScenarios: readonly Scenario[] = [
  ['refuses an invalid requirement, with the field to fix', refusesWhatMakesNoSense],
  ['refuses a requirement that is changed to another CRD', keepsItsTarget],
  ['corrects a status that another client wrote', correctsItsStatus],
  ['reports a webhook configuration of another owner, and does not change it', leavesTheConfigurationsOfOthers],
  ['creates, updates and deletes a webhook configuration with its requirement', followsTheRequirement],
];
