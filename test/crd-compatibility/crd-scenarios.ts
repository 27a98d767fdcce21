import { DEFINITIONS, REQUIREMENTS } from '@capstan/crd-compatibility';
import type { CompatibilityRequirement } from '@capstan/api/apiextensions';
import type { JsonObject, KubeObject } from '@capstan/meta';
import { expect } from 'vitest';
import { LIMIT, messageOf } from './fixture.js';
import type { CheckerFixture, Scenario } from './fixture.js';

const DENY = { customResourceDefinitionSchemaValidation: { action: 'Deny' } } as const;
const WARN = { customResourceDefinitionSchemaValidation: { action: 'Warn' } } as const;
const TEXT = { type: 'string' };
const NUMBER = { type: 'integer' };
const DENIED = 'admission webhook "definitions.crd-compatibility.openshift.io" denied the request: ';

const remove = (fixture: CheckerFixture, plural: string): Promise<string> =>
  fixture.client.delete(DEFINITIONS, fixture.crdName(plural)).then(() => 'deleted', messageOf);

async function refusesWhatBreaks(fixture: CheckerFixture): Promise<void> {
  const definition = fixture.definition('boats', { size: NUMBER, name: TEXT });
  const name = fixture.crdName('boats');
  expect(await fixture.tryApply(definition)).toBe('applied');
  await fixture.require('boat-users', definition, DENY);
  expect(await fixture.conditions('boat-users')).toEqual({
    Progressing: 'False/UpToDate',
    Admitted: 'True/Admitted',
    Compatible: 'True/Compatible',
  });
  const { status } = await fixture.client.get<CompatibilityRequirement>(REQUIREMENTS, 'boat-users');
  const { metadata } = await fixture.client.get(DEFINITIONS, name);
  expect(status).toMatchObject({ crdName: name, observedCRD: { uid: metadata.uid, generation: metadata.generation } });

  const refused = await fixture.tryApply(fixture.definition('boats', { name: TEXT }));
  expect(refused.split('\n')).toEqual([
    `${DENIED}CRD Compatibility Checker: CustomResourceDefinition "${name}" is not compatible:`,
    expect.stringMatching(/^requirement "boat-users" of \S+: v1 spec\.size: .+ \[[a-z-]+\]$/),
  ]);
  expect(await fixture.tryApply(fixture.definition('boats', { size: TEXT, name: TEXT }))).toContain(
    'requirement "boat-users"',
  );
  expect(await fixture.tryApply(fixture.definition('boats', { size: NUMBER, name: TEXT, sails: NUMBER }))).toBe(
    'applied',
  );
  expect((await remove(fixture, 'boats')).split('\n')).toEqual([
    `${DENIED}CRD Compatibility Checker: CustomResourceDefinition "${name}" must not be deleted:`,
    expect.stringMatching(/^requirement "boat-users" of \S+: needs this CRD$/),
  ]);

  await fixture.release('boat-users');
  expect(await fixture.tryApply(fixture.definition('boats', { name: TEXT }))).toBe('applied');
  expect(await remove(fixture, 'boats')).toBe('deleted');
}

async function namesTheOwners(fixture: CheckerFixture): Promise<void> {
  const definition = fixture.definition('docks', { size: NUMBER });
  await fixture.tryApply(definition);
  const { metadata: owner } = await fixture.client.get(DEFINITIONS, fixture.crdName('docks'));
  const requirement = fixture.requirement('dock-users', definition, DENY);
  requirement.metadata.ownerReferences = [
    {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      name: owner.name ?? '',
      uid: owner.uid ?? '',
      controller: true,
    },
  ];
  await fixture.client.create(REQUIREMENTS, requirement);
  await fixture.require('more-dock-users', definition, DENY, { labels: { 'app.kubernetes.io/managed-by': 'harbour' } });
  await fixture.untilAdmitted('dock-users');
  const refused = await fixture.tryApply(fixture.definition('docks', {}));
  expect(refused).toContain(`requirement "dock-users" of CustomResourceDefinition/${fixture.crdName('docks')}: `);
  expect(refused).toContain('requirement "more-dock-users" of harbour: ');
  await fixture.release('dock-users');
  await fixture.release('more-dock-users');
}

async function onlyWarns(fixture: CheckerFixture): Promise<void> {
  const definition = fixture.definition('buoys', { size: NUMBER });
  await fixture.tryApply(definition);
  await fixture.require('buoy-users', definition, WARN);
  expect(await fixture.tryApply(fixture.definition('buoys', {}))).toBe('applied');
  expect(fixture.warnings).toContainEqual(
    expect.stringMatching(/^CRD Compatibility Checker: requirement "buoy-users" of \S+: v1 spec\.size: /),
  );
  await expect
    .poll(() => fixture.conditions('buoy-users'), LIMIT)
    .toMatchObject({ Compatible: 'False/RequirementsNotMet' });
  expect(await remove(fixture, 'buoys')).toBe('deleted');
  expect(fixture.warnings).toContainEqual(expect.stringMatching(/requirement "buoy-users" of \S+: needs this CRD$/));
  await expect.poll(() => fixture.conditions('buoy-users'), LIMIT).toMatchObject({ Compatible: 'False/CRDNotFound' });
  const { status } = await fixture.client.get<CompatibilityRequirement>(REQUIREMENTS, 'buoy-users');
  expect(status).toMatchObject({ crdName: fixture.crdName('buoys') });
  expect(status).not.toHaveProperty('observedCRD');
  await fixture.release('buoy-users');
}

async function leavesAloneWhatIsNotAskedFor(fixture: CheckerFixture): Promise<void> {
  const definition = fixture.definition('ropes', { size: NUMBER });
  await fixture.tryApply(definition);
  await fixture.require('rope-users', definition);
  expect(await fixture.tryApply(fixture.definition('ropes', {}))).toBe('applied');
  await expect
    .poll(() => fixture.conditions('rope-users'), LIMIT)
    .toMatchObject({ Compatible: 'False/RequirementsNotMet' });
  expect(await remove(fixture, 'ropes')).toBe('deleted');
  expect(fixture.warnings).toEqual([]);
  await fixture.release('rope-users');
}

/** What is wrong already may stay wrong; no more may go wrong. */
async function ratchets(fixture: CheckerFixture): Promise<void> {
  const needed = fixture.definition('masts', { height: NUMBER, wood: TEXT, age: NUMBER });
  const worse = (fields: JsonObject): KubeObject => fixture.definition('masts', fields);
  await fixture.tryApply(worse({ height: NUMBER, wood: TEXT }));
  await fixture.require('mast-users', needed, DENY);
  expect(await fixture.conditions('mast-users')).toMatchObject({
    Admitted: 'True/Admitted',
    Compatible: 'False/RequirementsNotMet',
  });
  expect(await fixture.tryApply(worse({ height: NUMBER, wood: TEXT, sail: TEXT }))).toBe('applied');
  expect(fixture.warnings).toContainEqual(
    expect.stringMatching(/requirement "mast-users" of \S+: not met before either: v1 spec\.age: /),
  );
  const refused = await fixture.tryApply(worse({ height: NUMBER, sail: TEXT }));
  expect(refused).toContain('v1 spec.wood: ');
  expect(refused).not.toContain('v1 spec.age: ');
  expect(await fixture.tryApply(needed)).toBe('applied');
  await expect.poll(() => fixture.conditions('mast-users'), LIMIT).toMatchObject({ Compatible: 'True/Compatible' });
  expect(await fixture.tryApply(worse({ height: NUMBER, wood: TEXT }))).toContain('v1 spec.age: ');
  await fixture.release('mast-users');
}

async function checksWhatIsCreated(fixture: CheckerFixture): Promise<void> {
  const needed = fixture.definition('piers', { length: NUMBER });
  await fixture.require('pier-users', needed, DENY);
  expect(await fixture.conditions('pier-users')).toMatchObject({
    Compatible: 'False/CRDNotFound',
    Progressing: 'False/UpToDate',
  });
  expect(await fixture.tryCreate(DEFINITIONS, fixture.definition('piers', {}))).toContain('v1 spec.length: ');
  expect(await fixture.tryCreate(DEFINITIONS, needed)).toBe('created');
  await expect.poll(() => fixture.conditions('pier-users'), LIMIT).toMatchObject({ Compatible: 'True/Compatible' });
  await fixture.release('pier-users');
}

/** The third workflow of the specification: a new version is added, and the old one is removed once no requirement needs it. */
async function movesToANewVersion(fixture: CheckerFixture): Promise<void> {
  const versions = (...names: string[]): KubeObject => fixture.definition('tides', { level: NUMBER }, { names });
  const name = fixture.crdName('tides');
  await fixture.tryApply(versions('v1alpha1'));
  await fixture.require('tide-users', versions('v1alpha1'), DENY);
  expect(await fixture.tryApply(versions('v1'))).not.toBe('applied');
  expect(await fixture.tryApply(versions('v1alpha1', 'v1'))).toBe('applied');
  expect(await fixture.tryApply(versions('v1', 'v1alpha1'))).toBe('applied');
  // The objects have been rewritten, and the stored versions of the CRD are updated.
  const value = { status: { storedVersions: ['v1'] } };
  await fixture.client.patch(DEFINITIONS, name, { type: 'merge', value }, { subresource: 'status' });
  expect(await fixture.tryApply(versions('v1'))).toContain('requirement "tide-users"');
  await fixture.require('tide-users', versions('v1'), DENY);
  expect(await fixture.conditions('tide-users')).toMatchObject({
    Compatible: expect.stringMatching(/^True/) as string,
  });
  expect(await fixture.tryApply(versions('v1'))).toBe('applied');
  await fixture.release('tide-users');
}

/** The fourth: a field goes without a new version. */
async function letsExcludedFieldsGo(fixture: CheckerFixture): Promise<void> {
  const status = { phase: TEXT, deprecated: { type: 'object', properties: { v1beta1: TEXT } } };
  const definition = fixture.definition('waves', { height: NUMBER }, { status });
  await fixture.tryApply(definition);
  const schema = { excludedFields: [{ path: 'status.deprecated', versions: ['v1'] }] };
  await fixture.require('wave-users', definition, { ...DENY, schema });
  expect(await fixture.tryApply(fixture.definition('waves', { height: NUMBER }, { status: { phase: TEXT } }))).toBe(
    'applied',
  );
  await expect
    .poll(() => fixture.conditions('wave-users'), LIMIT)
    .toMatchObject({ Compatible: expect.stringMatching(/^True/) as string });
  expect(await fixture.tryApply(fixture.definition('waves', { height: NUMBER }))).toContain('v1 status.phase: ');
  await fixture.release('wave-users');
}

/** What those who share a CRD live through. */
export const definitionScenarios: readonly Scenario[] = [
  [
    'refuses a change that breaks a requirement, with the reason and the owner, and lets others through',
    refusesWhatBreaks,
  ],
  ['names every requirement that needs a removed field, and its owner', namesTheOwners],
  ['refuses nothing for a requirement that only warns, and reports it in its status', onlyWarns],
  [
    'refuses nothing and warns of nothing for a requirement without an action, and reports it in its status',
    leavesAloneWhatIsNotAskedFor,
  ],
  ['allows changes to an incompatible CRD that do not make it worse', ratchets],
  ['checks a CRD against an earlier requirement when it is created', checksWhatIsCreated],
  ['lets a version be removed once no requirement needs it', movesToANewVersion],
  ['lets an excluded field be removed, and no field next to it', letsExcludedFieldsGo],
];
