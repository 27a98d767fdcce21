import { DEFINITIONS, REQUIREMENTS, VALIDATING_WEBHOOKS } from '@capstan/crd-compatibility';
import type { JsonObject, KubeObject, Transport, WatchSink } from '@capstan/meta';
import { expect } from 'vitest';
import { LIMIT, messageOf } from './fixture.js';
import type { CheckerFixture, Scenario } from './fixture.js';

const DENY = { customResourceDefinitionSchemaValidation: { action: 'Deny' } } as const;
const STATIC = 'crd-compatibility-requirements';
const NUMBER = { type: 'integer' };
const OWN = 'compatibilityrequirements.apiextensions.openshift.io';

const failing = (webhook: string): string =>
  `Internal error occurred: failed calling webhook "${webhook}.crd-compatibility.openshift.io": failed to call webhook: Post "https://`;

async function restoresItsConfiguration(fixture: CheckerFixture): Promise<void> {
  await fixture.untilChecked();
  const before = await fixture.configuration();
  const [first, ...others] = (before?.['webhooks'] ?? []) as JsonObject[];
  const value = {
    webhooks: [{ ...first, failurePolicy: 'Ignore', objectSelector: { matchLabels: { none: 'such' } } }, ...others],
  };
  await fixture.client.patch(VALIDATING_WEBHOOKS, STATIC, { type: 'merge', value });
  await expect.poll(async () => (await fixture.configuration())?.['webhooks'], LIMIT).toEqual(before?.['webhooks']);
  await fixture.client.delete(VALIDATING_WEBHOOKS, STATIC);
  await expect.poll(async () => (await fixture.configuration())?.['webhooks'], LIMIT).toEqual(before?.['webhooks']);
}

/** More than a server has room for in the warnings of one answer. */
async function bringsManyInForce(fixture: CheckerFixture): Promise<void> {
  const names = Array.from({ length: 20 }, (_, at) => `one-of-${'many-'.repeat(40)}${at}`);
  const definition = fixture.definition('crates', { size: NUMBER });
  const spec = { objectSchemaValidation: { action: 'Deny' } } as const;
  await Promise.all(
    names.map((name) => fixture.client.create(REQUIREMENTS, fixture.requirement(name, definition, spec))),
  );
  await Promise.all(names.map((name) => fixture.untilAdmitted(name)));
  await Promise.all(names.map((name) => fixture.release(name)));
}

/** Two replicas that serve reviews while they start and stop. */
async function rollsUnderWrites(fixture: CheckerFixture): Promise<void> {
  const definition = fixture.definition('buses', { seats: NUMBER });
  await fixture.tryApply(definition);
  await fixture.require('bus-users', definition, DENY);
  await fixture.stopAll();
  let old = [await fixture.replica({ id: 'a', delayMs: 300 }), await fixture.replica({ id: 'b', delayMs: 300 })];
  await fixture.untilAdmitted('bus-users');
  let isOver = false;
  const seen = { good: new Set<string>(), bad: new Set<string>() };
  let writes = 0;
  const write = async (): Promise<void> => {
    while (!isOver) {
      writes += 1;
      const good = fixture.definition('buses', { seats: NUMBER, [`extra${writes % 2}`]: NUMBER });
      seen.good.add(await fixture.tryApply(good));
      seen.bad.add((await fixture.tryApply(fixture.definition('buses', {}))).replace(/.*requirement/s, 'requirement'));
    }
  };
  const writing = write();
  for (const round of ['c', 'd']) {
    const next = [
      await fixture.replica({ id: `${round}1`, delayMs: 300 }),
      await fixture.replica({ id: `${round}2`, delayMs: 300 }),
    ];
    for (const replica of next) await replica.ready();
    // Both sorts of replicas are asked, and then the new ones alone, however slow the machine is.
    await expect.poll(() => writes, LIMIT).toBeGreaterThan(writes + 1);
    for (const replica of old) await replica.stop();
    await expect.poll(() => writes, LIMIT).toBeGreaterThan(writes + 1);
    old = next;
  }
  isOver = true;
  await writing;
  expect([...seen.good]).toEqual(['applied']);
  expect([...seen.bad]).toEqual([expect.stringMatching(/^requirement "bus-users" of user: v1 spec\.seats: /)]);
  await fixture.release('bus-users');
}

/** From the moment a requirement is stored, on every replica. */
async function enforcesOnEveryReplica(fixture: CheckerFixture): Promise<void> {
  await fixture.stopAll();
  const replicas = [await fixture.replica({ id: 'a' }), await fixture.replica({ id: 'b' })];
  for (const replica of replicas) await replica.ready();
  const definition = fixture.definition('trams', { seats: NUMBER });
  const broken = fixture.definition('trams', {});
  await fixture.tryApply(definition);
  for (let round = 0; round < 10; round += 1) {
    await fixture.client.create(REQUIREMENTS, fixture.requirement('tram-users', definition, DENY));
    if (round === 0) await fixture.untilAdmitted('tram-users');
    for (const replica of replicas)
      expect(await replica.review(broken, definition)).toContain('requirement "tram-users" of ');
    await fixture.release('tram-users');
    for (const replica of replicas) expect(await replica.review(broken, definition)).toBe('allowed');
  }
}

/** Watches of requirements that the test has stopped, and that go on where they were when it releases them. */
class Stall {
  #isOn = false;
  #waiting: (() => void)[] = [];

  on(): void {
    this.#isOn = true;
  }

  off(): void {
    this.#isOn = false;
    for (const go of this.#waiting.splice(0)) go();
  }

  readonly through = (transport: Transport): Transport => ({
    send: async (request) => {
      const response = await transport.send(request);
      const { body } = response;
      if (body.type !== 'watch' || !request.target.includes(`/${REQUIREMENTS.plural}?`)) return response;
      return {
        ...response,
        body: { type: 'watch', start: (sink) => body.start(this.#held(sink)), stop: () => body.stop() },
      };
    },
  });

  #held(sink: WatchSink): WatchSink {
    const later = (go: () => void): void => {
      if (this.#isOn) this.#waiting.push(go);
      else go();
    };
    return { frame: (frame) => later(() => sink.frame(frame)), end: (error) => later(() => sink.end(error)) };
  }
}

/** A replica whose watch stands still refuses what it cannot decide. */
async function enforcesWhileAWatchStandsStill(fixture: CheckerFixture): Promise<void> {
  await fixture.stopAll();
  const stall = new Stall();
  await (await fixture.replica({ id: 'a' })).ready();
  const behind = await fixture.replica({ id: 'b', through: stall.through });
  await behind.ready();
  const definition = fixture.definition('ferries', { seats: NUMBER });
  const broken = fixture.definition('ferries', {});
  await fixture.tryApply(definition);
  stall.on();
  const [stored, other] = [
    fixture.requirement('ferry-users', definition, DENY),
    fixture.definition('ferries', { seats: NUMBER, more: NUMBER }),
  ];
  await fixture.client.create(REQUIREMENTS, stored);
  // The replica that stands still is behind the same address, so that each replica that is asked must know.
  await fixture.untilAdmitted('ferry-users');
  const unsure = 'this replica does not know all requirements yet; try again';
  expect(await behind.review(broken, definition)).toContain(unsure);
  stall.off();
  await expect.poll(() => behind.review(other, definition), LIMIT).toBe('allowed');
  expect(await behind.review(broken, definition)).toContain('requirement "ferry-users" of ');
  await fixture.release('ferry-users');
}

interface Away {
  readonly definition: KubeObject;
  readonly ref: { group: string; version: string; plural: string; namespaced: boolean };
  readonly object: (name: string) => KubeObject;
}

function kindOf(definition: KubeObject): string {
  return (definition['spec'] as { names: { kind: string } }).names.kind;
}

/** A CRD with a requirement of every kind, and no checker that answers. */
async function leaveAlone(fixture: CheckerFixture, plural: string): Promise<Away> {
  await fixture.stopAll();
  await fixture.replica();
  const definition = fixture.definition(plural, { wheels: NUMBER });
  await fixture.tryApply(definition);
  await expect.poll(() => fixture.established(fixture.crdName(plural)), LIMIT).toBe(true);
  const ref = { group: fixture.group, version: 'v1', plural, namespaced: true };
  await expect.poll(() => fixture.client.list(ref).then(() => 'served', messageOf), LIMIT).toBe('served');
  await fixture.require(`${plural}-users`, definition, { ...DENY, objectSchemaValidation: { action: 'Deny' } });
  const object = (name: string): KubeObject => ({
    apiVersion: `${fixture.group}/v1`,
    kind: kindOf(definition),
    metadata: { name, namespace: 'default' },
    spec: { wheels: 4 },
  });
  expect(await fixture.tryCreate(ref, object('first'))).toBe('created');
  await fixture.stopAll();
  fixture.balancer.drop();
  return { definition, ref, object };
}

async function failsClosed(fixture: CheckerFixture): Promise<void> {
  const { object, ref } = await leaveAlone(fixture, 'carts');
  const changed = fixture.definition('carts', { wheels: NUMBER, colour: { type: 'string' } });
  expect(await fixture.tryApply(changed)).toContain(failing('definitions'));
  expect(await fixture.tryCreate(DEFINITIONS, fixture.definition('trucks', {}))).toContain(failing('definitions'));
  expect(await fixture.client.delete(DEFINITIONS, fixture.crdName('carts')).then(() => 'deleted', messageOf)).toContain(
    failing('definitions'),
  );
  expect(await fixture.tryCreate(ref, object('second'))).toContain(failing('objects'));
  // A checker that accepts connections and never answers is no better.
  const { webhooks } = (await fixture.configuration()) as KubeObject & { webhooks: JsonObject[] };
  const value = { webhooks: webhooks.map((each) => ({ ...each, timeoutSeconds: 1 })) };
  await fixture.client.patch(VALIDATING_WEBHOOKS, STATIC, { type: 'merge', value });
  fixture.balancer.isSilent = true;
  await expect
    .poll(() => fixture.tryApply(changed), LIMIT)
    .toMatch(/definitions\.crd-compatibility\.openshift\.io.*(deadline|timeout)/s);
  fixture.balancer.isSilent = false;
  fixture.balancer.drop();
}

async function locksNobodyOut(fixture: CheckerFixture): Promise<void> {
  const { object, ref } = await leaveAlone(fixture, 'sleds');
  const labels = { label: 'changed' };
  const relabel = { type: 'merge', value: { metadata: { labels } } } as const;
  // The CRD of requirements, which a new checker may need in another version.
  expect(await fixture.client.patch(DEFINITIONS, OWN, relabel)).toMatchObject({ metadata: { labels } });
  expect(await fixture.client.patch(REQUIREMENTS, 'sleds-users', relabel)).toMatchObject({ metadata: { labels } });
  const spec = { customResourceDefinitionSchemaValidation: { action: 'Warn' } };
  const changed = fixture.client.patch(REQUIREMENTS, 'sleds-users', { type: 'merge', value: { spec } });
  expect(await changed.then(() => 'patched', messageOf)).toContain(failing('requirements'));
  expect(await fixture.client.delete(ref, 'first', { namespace: 'default' })).toMatchObject({ status: 'Success' });
  await fixture.client.delete(REQUIREMENTS, 'sleds-users');
  await fixture.client.patch(REQUIREMENTS, 'sleds-users', { type: 'merge', value: { metadata: { finalizers: null } } });
  // What is left of a requirement that is gone refuses nothing.
  await fixture.replica();
  await fixture.untilChecked();
  expect(await fixture.tryCreate(ref, object('third'))).toBe('created');
  expect(await fixture.tryApply(fixture.definition('sleds', {}))).toBe('applied');
}

/** Both procedures of the specification, for when the checker cannot be brought back. */
async function followsSupportProcedures(fixture: CheckerFixture): Promise<void> {
  const { object, ref } = await leaveAlone(fixture, 'wagons');
  // Create, update and delete of CRDs.
  await fixture.client.delete(VALIDATING_WEBHOOKS, STATIC);
  await expect
    .poll(() => fixture.tryApply(fixture.definition('wagons', { wheels: NUMBER, bell: NUMBER })), LIMIT)
    .toBe('applied');
  expect(await fixture.tryCreate(ref, object('second'))).toContain(failing('objects'));
  // Create and update of objects.
  await fixture.client.deleteCollection(VALIDATING_WEBHOOKS, {
    labelSelector: 'app.kubernetes.io/managed-by=crd-compatibility',
  });
  await expect.poll(() => fixture.tryCreate(ref, object('second')), LIMIT).toBe('created');
  // A checker that is configured so brings back the second, and leaves the first away.
  const without = await fixture.replica({ staticWebhook: false });
  await expect
    .poll(() => fixture.conditions('wagons-users'), LIMIT)
    .toMatchObject({ Admitted: 'False/NotAdmitted', Progressing: 'False/UpToDate' });
  await expect
    .poll(() => fixture.configuration('wagons-users'), LIMIT)
    .toMatchObject({ kind: 'ValidatingWebhookConfiguration' });
  expect(await fixture.configuration()).toBeUndefined();
  expect(await fixture.tryApply(fixture.definition('wagons', {}))).toBe('applied');
  // Back to normal.
  await without.stop();
  await fixture.replica();
  await fixture.untilAdmitted('wagons-users');
  expect(await fixture.conditions('wagons-users')).toMatchObject({ Compatible: 'False/RequirementsNotMet' });
  expect(await fixture.tryApply(fixture.definition('wagons', { wheels: NUMBER }))).toBe('applied');
  expect(await fixture.tryApply(fixture.definition('wagons', {}))).toContain('requirement "wagons-users"');
  await fixture.release('wagons-users');
}

/** What those who run the checker live through. */
export const operationScenarios: readonly Scenario[] = [
  ['restores its own webhook configuration, whether changed or deleted', restoresItsConfiguration],
  ['enforces many requirements that are created at once, and removes them', bringsManyInForce],
  ['enforces a stored requirement on every replica', enforcesOnEveryReplica],
  ['refuses what a replica with a stalled watch cannot decide', enforcesWhileAWatchStandsStill],
  ['loses no write and admits none wrongly while replicas start and stop', rollsUnderWrites],
  ['refuses writes while no replica answers, and names the webhook', failsClosed],
  ['lets administrators recover while no replica answers', locksNobodyOut],
  ['supports both support procedures and the way back', followsSupportProcedures],
];
