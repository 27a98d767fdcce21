import { DEFINITIONS, REQUIREMENTS } from '@capstan/crd-compatibility';
import type { CompatibilityRequirement } from '@capstan/api/apiextensions';
import type { JsonObject, KubeObject } from '@capstan/meta';
import { expect } from 'vitest';
import { LIMIT, messageOf } from './world.js';
import type { CheckerWorld, Story } from './world.js';

const DENY = { customResourceDefinitionSchemaValidation: { action: 'Deny' } } as const;
const WARN = { customResourceDefinitionSchemaValidation: { action: 'Warn' } } as const;
const TEXT = { type: 'string' };
const NUMBER = { type: 'integer' };
const DENIED = 'admission webhook "definitions.crd-compatibility.openshift.io" denied the request: ';

const remove = (world: CheckerWorld, plural: string): Promise<string> =>
  world.client.delete(DEFINITIONS, world.crdName(plural)).then(() => 'deleted', messageOf);

async function refusesWhatBreaks(world: CheckerWorld): Promise<void> {
  const definition = world.definition('boats', { size: NUMBER, name: TEXT });
  const name = world.crdName('boats');
  expect(await world.tryApply(definition)).toBe('applied');
  await world.require('boat-users', definition, DENY);
  expect(await world.conditions('boat-users')).toEqual({
    Progressing: 'False/UpToDate',
    Admitted: 'True/Admitted',
    Compatible: 'True/Compatible',
  });
  const { status } = await world.client.get<CompatibilityRequirement>(REQUIREMENTS, 'boat-users');
  const { metadata } = await world.client.get(DEFINITIONS, name);
  expect(status).toMatchObject({ crdName: name, observedCRD: { uid: metadata.uid, generation: metadata.generation } });

  const refused = await world.tryApply(world.definition('boats', { name: TEXT }));
  expect(refused.split('\n')).toEqual([
    `${DENIED}CRD Compatibility Checker: CustomResourceDefinition "${name}" is not compatible:`,
    expect.stringMatching(/^requirement "boat-users" of \S+: v1 spec\.size: .+ \[[a-z-]+\]$/),
  ]);
  expect(await world.tryApply(world.definition('boats', { size: TEXT, name: TEXT }))).toContain(
    'requirement "boat-users"',
  );
  expect(await world.tryApply(world.definition('boats', { size: NUMBER, name: TEXT, sails: NUMBER }))).toBe('applied');
  expect((await remove(world, 'boats')).split('\n')).toEqual([
    `${DENIED}CRD Compatibility Checker: CustomResourceDefinition "${name}" must not be deleted:`,
    expect.stringMatching(/^requirement "boat-users" of \S+: needs this definition$/),
  ]);

  await world.release('boat-users');
  expect(await world.tryApply(world.definition('boats', { name: TEXT }))).toBe('applied');
  expect(await remove(world, 'boats')).toBe('deleted');
}

async function saysWhoNeedsIt(world: CheckerWorld): Promise<void> {
  const definition = world.definition('docks', { size: NUMBER });
  await world.tryApply(definition);
  const { metadata: owner } = await world.client.get(DEFINITIONS, world.crdName('docks'));
  const requirement = world.requirement('dock-users', definition, DENY);
  requirement.metadata.ownerReferences = [
    {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      name: owner.name ?? '',
      uid: owner.uid ?? '',
      controller: true,
    },
  ];
  await world.client.create(REQUIREMENTS, requirement);
  await world.require('more-dock-users', definition, DENY, { labels: { 'app.kubernetes.io/managed-by': 'harbour' } });
  await world.untilAdmitted('dock-users');
  const refused = await world.tryApply(world.definition('docks', {}));
  expect(refused).toContain(`requirement "dock-users" of CustomResourceDefinition/${world.crdName('docks')}: `);
  expect(refused).toContain('requirement "more-dock-users" of harbour: ');
  await world.release('dock-users');
  await world.release('more-dock-users');
}

async function onlyWarns(world: CheckerWorld): Promise<void> {
  const definition = world.definition('buoys', { size: NUMBER });
  await world.tryApply(definition);
  await world.require('buoy-users', definition, WARN);
  expect(await world.tryApply(world.definition('buoys', {}))).toBe('applied');
  expect(world.warnings).toContainEqual(
    expect.stringMatching(/^CRD Compatibility Checker: requirement "buoy-users" of \S+: v1 spec\.size: /),
  );
  await expect
    .poll(() => world.conditions('buoy-users'), LIMIT)
    .toMatchObject({ Compatible: 'False/RequirementsNotMet' });
  expect(await remove(world, 'buoys')).toBe('deleted');
  expect(world.warnings).toContainEqual(
    expect.stringMatching(/requirement "buoy-users" of \S+: needs this definition$/),
  );
  await expect.poll(() => world.conditions('buoy-users'), LIMIT).toMatchObject({ Compatible: 'False/CRDNotFound' });
  const { status } = await world.client.get<CompatibilityRequirement>(REQUIREMENTS, 'buoy-users');
  expect(status).toMatchObject({ crdName: world.crdName('buoys') });
  expect(status).not.toHaveProperty('observedCRD');
  await world.release('buoy-users');
}

async function leavesAloneWhatIsNotAskedFor(world: CheckerWorld): Promise<void> {
  const definition = world.definition('ropes', { size: NUMBER });
  await world.tryApply(definition);
  await world.require('rope-users', definition);
  expect(await world.tryApply(world.definition('ropes', {}))).toBe('applied');
  await expect
    .poll(() => world.conditions('rope-users'), LIMIT)
    .toMatchObject({ Compatible: 'False/RequirementsNotMet' });
  expect(await remove(world, 'ropes')).toBe('deleted');
  expect(world.warnings).toEqual([]);
  await world.release('rope-users');
}

/** What is wrong already may stay wrong; no more may go wrong. */
async function ratchets(world: CheckerWorld): Promise<void> {
  const needed = world.definition('masts', { height: NUMBER, wood: TEXT, age: NUMBER });
  const worse = (fields: JsonObject): KubeObject => world.definition('masts', fields);
  await world.tryApply(worse({ height: NUMBER, wood: TEXT }));
  await world.require('mast-users', needed, DENY);
  expect(await world.conditions('mast-users')).toMatchObject({
    Admitted: 'True/Admitted',
    Compatible: 'False/RequirementsNotMet',
  });
  expect(await world.tryApply(worse({ height: NUMBER, wood: TEXT, sail: TEXT }))).toBe('applied');
  expect(world.warnings).toContainEqual(
    expect.stringMatching(/requirement "mast-users" of \S+: not met before either: v1 spec\.age: /),
  );
  const refused = await world.tryApply(worse({ height: NUMBER, sail: TEXT }));
  expect(refused).toContain('v1 spec.wood: ');
  expect(refused).not.toContain('v1 spec.age: ');
  expect(await world.tryApply(needed)).toBe('applied');
  await expect.poll(() => world.conditions('mast-users'), LIMIT).toMatchObject({ Compatible: 'True/Compatible' });
  expect(await world.tryApply(worse({ height: NUMBER, wood: TEXT }))).toContain('v1 spec.age: ');
  await world.release('mast-users');
}

async function judgesWhatIsCreated(world: CheckerWorld): Promise<void> {
  const needed = world.definition('piers', { length: NUMBER });
  await world.require('pier-users', needed, DENY);
  expect(await world.conditions('pier-users')).toMatchObject({
    Compatible: 'False/CRDNotFound',
    Progressing: 'False/UpToDate',
  });
  expect(await world.tryCreate(DEFINITIONS, world.definition('piers', {}))).toContain('v1 spec.length: ');
  expect(await world.tryCreate(DEFINITIONS, needed)).toBe('created');
  await expect.poll(() => world.conditions('pier-users'), LIMIT).toMatchObject({ Compatible: 'True/Compatible' });
  await world.release('pier-users');
}

/** The third workflow of the specification: a new version comes, the old one goes when nobody needs it any more. */
async function movesToANewVersion(world: CheckerWorld): Promise<void> {
  const versions = (...names: string[]): KubeObject => world.definition('tides', { level: NUMBER }, { names });
  const name = world.crdName('tides');
  await world.tryApply(versions('v1alpha1'));
  await world.require('tide-users', versions('v1alpha1'), DENY);
  expect(await world.tryApply(versions('v1'))).not.toBe('applied');
  expect(await world.tryApply(versions('v1alpha1', 'v1'))).toBe('applied');
  expect(await world.tryApply(versions('v1', 'v1alpha1'))).toBe('applied');
  // The objects have been rewritten, and the server is told so.
  const value = { status: { storedVersions: ['v1'] } };
  await world.client.patch(DEFINITIONS, name, { type: 'merge', value }, { subresource: 'status' });
  expect(await world.tryApply(versions('v1'))).toContain('requirement "tide-users"');
  await world.require('tide-users', versions('v1'), DENY);
  expect(await world.conditions('tide-users')).toMatchObject({
    Compatible: expect.stringMatching(/^True/) as string,
  });
  expect(await world.tryApply(versions('v1'))).toBe('applied');
  await world.release('tide-users');
}

/** The fourth: a field goes without a new version. */
async function letsExcludedFieldsGo(world: CheckerWorld): Promise<void> {
  const status = { phase: TEXT, deprecated: { type: 'object', properties: { v1beta1: TEXT } } };
  const definition = world.definition('waves', { height: NUMBER }, { status });
  await world.tryApply(definition);
  const schema = { excludedFields: [{ path: 'status.deprecated', versions: ['v1'] }] };
  await world.require('wave-users', definition, { ...DENY, schema });
  expect(await world.tryApply(world.definition('waves', { height: NUMBER }, { status: { phase: TEXT } }))).toBe(
    'applied',
  );
  await expect
    .poll(() => world.conditions('wave-users'), LIMIT)
    .toMatchObject({ Compatible: expect.stringMatching(/^True/) as string });
  expect(await world.tryApply(world.definition('waves', { height: NUMBER }))).toContain('v1 status.phase: ');
  await world.release('wave-users');
}

/** What those who share a definition live through. */
export const definitionStories: readonly Story[] = [
  ['a change that breaks somebody is refused, with the reason and the owner; all else goes through', refusesWhatBreaks],
  ['a refusal names all who need what would go, and whose they are', saysWhoNeedsIt],
  ['a requirement that only warns refuses nothing, and its status says how it is', onlyWarns],
  ['a requirement that asks for no check is only told about', leavesAloneWhatIsNotAskedFor],
  ['a definition that does not meet a requirement can be changed as long as it gets no worse', ratchets],
  ['a requirement comes before its definition, and the definition is judged when it is created', judgesWhatIsCreated],
  ['a version goes when nobody needs it any more', movesToANewVersion],
  ['an excluded field may go, those beside it may not', letsExcludedFieldsGo],
];
