import { DEFINITIONS } from '@capstan/crd-compatibility';
import type { ResourceRef } from '@capstan/kube';
import type { JsonObject, KubeObject } from '@capstan/meta';
import { expect } from 'vitest';
import { LIMIT, messageOf } from './fixture.js';
import type { CheckerFixture, Scenario } from './fixture.js';

const DENY = { objectSchemaValidation: { action: 'Deny' } } as const;
const WARN = { objectSchemaValidation: { action: 'Warn' } } as const;
const TEXT = { type: 'string' };
const NUMBER = { type: 'integer' };
const SCALE = { specReplicasPath: '.spec.crew', statusReplicasPath: '.status.crew' };
const namespace = 'default';

/** A kind whose live CRD allows more than the users of it understand. */
class Fleet {
  readonly ref: ResourceRef;
  readonly #fixture: CheckerFixture;
  readonly #plural: string;

  private constructor(fixture: CheckerFixture, plural: string) {
    this.#fixture = fixture;
    this.#plural = plural;
    this.ref = { group: fixture.group, version: 'v1', plural, namespaced: true };
  }

  static async of(fixture: CheckerFixture, plural: string): Promise<Fleet> {
    const fleet = new Fleet(fixture, plural);
    await fixture.tryApply(fleet.live());
    await expect.poll(() => fixture.established(fixture.crdName(plural)), LIMIT).toBe(true);
    await expect.poll(() => fixture.client.list(fleet.ref).then(() => 'served', messageOf), LIMIT).toBe('served');
    return fleet;
  }

  live(more: JsonObject = {}): KubeObject {
    const spec = { crew: { ...NUMBER, maximum: 100 }, flag: TEXT, engine: TEXT, ...more };
    const status = { crew: NUMBER, phase: TEXT, engine: TEXT };
    return this.#fixture.definition(this.#plural, spec, { status, subresources: { scale: SCALE } });
  }

  needed(): KubeObject {
    const spec = { crew: { ...NUMBER, maximum: 10 }, flag: { ...TEXT, enum: ['red', 'blue'] } };
    const status = { crew: NUMBER, phase: { ...TEXT, enum: ['Docked', 'Sailing'] } };
    return this.#fixture.definition(this.#plural, spec, { status, subresources: { scale: SCALE } });
  }

  ship(name: string, spec: JsonObject, metadata: JsonObject = {}): KubeObject {
    const { kind } = (this.live()['spec'] as { names: { kind: string } }).names;
    return { apiVersion: `${this.#fixture.group}/v1`, kind, metadata: { name, namespace, ...metadata }, spec };
  }

  create(name: string, spec: JsonObject, metadata?: JsonObject): Promise<string> {
    return this.#fixture.tryCreate(this.ref, this.ship(name, spec, metadata));
  }

  patch(name: string, value: JsonObject, subresource?: string): Promise<string> {
    const options = { namespace, ...(subresource === undefined ? {} : { subresource }) };
    return this.#fixture.client
      .patch(this.ref, name, { type: 'merge', value }, options)
      .then(() => 'patched', messageOf);
  }

  delete(name: string): Promise<string> {
    return this.#fixture.client.delete(this.ref, name, { namespace }).then(() => 'deleted', messageOf);
  }
}

async function refusesWhatIsNotUnderstood(fixture: CheckerFixture): Promise<void> {
  const fleet = await Fleet.of(fixture, 'ships');
  await fixture.require('ship-users', fleet.needed(), DENY);
  expect(await fleet.create('good', { crew: 5, flag: 'red' })).toBe('created');
  const refused = (await fleet.create('bad', { crew: 50, engine: 'steam' })).split('\n');
  expect(refused).toEqual([
    'admission webhook "objects.crd-compatibility.openshift.io" denied the request: CRD Compatibility Checker: Ship "bad" does not conform:',
    expect.stringMatching(/^requirement "ship-users" of user: spec\.crew: Invalid value: 50: /),
    expect.stringMatching(/^requirement "ship-users" of user: spec\.engine: Forbidden: /),
  ]);
  expect(await fleet.patch('good', { spec: { flag: 'green' } })).toContain('spec.flag: Unsupported value: "green"');
  expect(await fleet.patch('good', { spec: { flag: 'blue' } })).toBe('patched');
  expect(await fleet.patch('good', { status: { phase: 'Sunk' } }, 'status')).toContain(
    'status.phase: Unsupported value: "Sunk"',
  );
  expect(await fleet.patch('good', { status: { phase: 'Docked' } }, 'status')).toBe('patched');
  expect(await fleet.patch('good', { spec: { replicas: 7 } }, 'scale')).toBe('patched');
  expect(await fleet.patch('good', { spec: { replicas: 70 } }, 'scale')).toContain(
    'requirement "ship-users" of user: ',
  );
  expect(await fleet.delete('good')).toBe('deleted');
  await fixture.release('ship-users');
  expect(await fleet.create('bad', { crew: 50, engine: 'steam' })).toBe('created');
}

/** What was there before the requirement must not be stuck. */
async function letsGoOfWhatViolates(fixture: CheckerFixture): Promise<void> {
  const fleet = await Fleet.of(fixture, 'barges');
  const finalizers = ['example.com/cargo', 'example.com/crew'];
  expect(await fleet.create('old', { crew: 50, engine: 'steam' }, { finalizers })).toBe('created');
  await fixture.require('barge-users', fleet.needed(), DENY);
  expect(await fleet.create('new', { crew: 50 })).toContain('requirement "barge-users"');
  expect(await fleet.patch('old', { status: { phase: 'Docked' } }, 'status')).toBe('patched');
  expect(await fleet.patch('old', { metadata: { finalizers: ['example.com/crew'] } })).toBe('patched');
  expect(await fleet.patch('old', { metadata: { labels: { size: 'large' } } })).toBe('patched');
  expect(await fleet.patch('old', { spec: { flag: 'red' } })).toBe('patched');
  expect(await fleet.patch('old', { spec: { crew: 60 } })).toContain('spec.crew: Invalid value: 60: ');
  expect(await fleet.delete('old')).toBe('deleted');
  expect(await fleet.patch('old', { metadata: { finalizers: null } })).toBe('patched');
  await expect.poll(() => fleet.delete('old'), LIMIT).toContain('not found');
  await fixture.release('barge-users');
}

async function onlyWarns(fixture: CheckerFixture): Promise<void> {
  const fleet = await Fleet.of(fixture, 'canoes');
  await fixture.require('canoe-users', fleet.needed(), WARN);
  expect(await fleet.create('odd', { crew: 50, engine: 'steam' })).toBe('created');
  for (const what of ['spec.crew: Invalid value: 50: ', 'spec.engine: Forbidden: '])
    expect(fixture.warnings).toContainEqual(
      expect.stringContaining(`CRD Compatibility Checker: requirement "canoe-users" of user: ${what}`),
    );
  await fixture.release('canoe-users');
}

async function looksOnlyAtWhatIsSelected(fixture: CheckerFixture): Promise<void> {
  const fleet = await Fleet.of(fixture, 'rafts');
  await fixture.require('raft-users', fleet.needed(), {
    objectSchemaValidation: {
      action: 'Deny',
      objectSelector: { matchLabels: { team: 'sea' } },
      matchConditions: [{ name: 'not-free', expression: "object.metadata.name != 'free'" }],
    },
  });
  const bad = { crew: 50 };
  expect(await fleet.create('ours', bad, { labels: { team: 'sea' } })).toContain('requirement "raft-users"');
  expect(await fleet.create('free', bad, { labels: { team: 'sea' } })).toBe('created');
  expect(await fleet.create('theirs', bad)).toBe('created');
  await fixture.release('raft-users');
}

/** A default that the server sets was not sent by the client. */
async function forgivesWhatTheServerFillsIn(fixture: CheckerFixture): Promise<void> {
  const fleet = await Fleet.of(fixture, 'ferries');
  await fixture.require('ferry-users', fleet.needed(), DENY);
  expect(await fixture.tryApply(fleet.live({ engine: { ...TEXT, default: 'diesel' } }))).toBe('applied');
  const filledIn = async (): Promise<unknown> => {
    const dry = await fixture.client.create(fleet.ref, fleet.ship('dry', { crew: 1 }), { dryRun: true });
    return (dry['spec'] as JsonObject)['engine'];
  };
  await expect.poll(filledIn, LIMIT).toBe('diesel');
  expect(await fleet.create('plain', { crew: 1 })).toBe('created');
  expect(await fleet.create('odd', { crew: 1, engine: 'steam' })).toContain('spec.engine: Forbidden: ');
  await fixture.release('ferry-users');
  await fixture.client.delete(DEFINITIONS, fixture.crdName('ferries'));
}

/** How objects are checked when the live CRD allows more than a requirement. */
export const objectScenarios: readonly Scenario[] = [
  [
    'refuses an object that a user of the required schema would not understand, with every reason',
    refusesWhatIsNotUnderstood,
  ],
  ['lets an incompatible object lose finalizers, get status and be deleted', letsGoOfWhatViolates],
  ['refuses no object for a requirement that only warns', onlyWarns],
  ['checks only the objects that selectors and match conditions select', looksOnlyAtWhatIsSelected],
  ['accepts an object whose extra field was set by a default of the live CRD', forgivesWhatTheServerFillsIn],
];
