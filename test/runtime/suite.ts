import type { Transport } from '@capstan/meta';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { greeter } from '../../docs/guide/greeter.js';
import { describeConversion } from './conversion.js';
import { describeHooks } from './hooks.js';
import { CONFIG_MAPS, start, Fixture } from './fixture.js';
import { eventually } from '../src/wait.js';

const LEASES = { group: 'coordination.k8s.io', version: 'v1', plural: 'leases', namespaced: true };
const WHOM = 'greeter.example.com/whom';

/** The operator of the guide keeps greetings as they should be. */
async function describeGreetings(fixture: Fixture): Promise<void> {
  const { cache, client, namespace, transport } = fixture;
  await client.create(CONFIG_MAPS, fixture.configMap({ name: 'before', annotations: { [WHOM]: 'early' } }));
  const stop = start(greeter({ transport, cache }));
  await eventually('what was there is greeted', () => fixture.hasText('before-greeting', 'Hello, early!'));
  const object = fixture.configMap({ name: 'a', annotations: { [WHOM]: 'planet' } });
  const { uid } = (await client.create(CONFIG_MAPS, object)).metadata;
  await eventually('what comes is greeted', () => fixture.hasText('a-greeting', 'Hello, planet!'));
  const greeting = await client.get(CONFIG_MAPS, 'a-greeting', { namespace });
  expect(greeting.metadata.ownerReferences).toEqual([
    { apiVersion: 'v1', kind: 'ConfigMap', name: 'a', uid, controller: true, blockOwnerDeletion: true },
  ]);
  await fixture.annotate('a', { [WHOM]: 'moon' });
  await eventually('what changes is greeted again', () => fixture.hasText('a-greeting', 'Hello, moon!'));
  await client.delete(CONFIG_MAPS, 'a-greeting', { namespace });
  await eventually('a deleted greeting is created again', () => fixture.hasText('a-greeting', 'Hello, moon!'));
  await stop();
}

/** Of two operators one works, and the other when the first has left. */
async function describeLeaders(fixture: Fixture): Promise<void> {
  const { cache, client, namespace, transport } = fixture;
  const lead = (identity: string): (() => Promise<void>) => {
    const leaderElection = { namespace, name: 'greeter', identity, retryPeriodMs: 200 };
    return start(greeter({ transport, cache, leaderElection }));
  };
  const stopFirst = lead('first');
  await client.create(CONFIG_MAPS, fixture.configMap({ name: 'b', annotations: { [WHOM]: 'one' } }));
  await eventually('the first greets', () => fixture.hasText('b-greeting', 'Hello, one!'));
  const stopSecond = lead('second');
  await stopFirst();
  await fixture.annotate('b', { [WHOM]: 'two' });
  await eventually('the second greets', () => fixture.hasText('b-greeting', 'Hello, two!'));
  expect(await client.get(LEASES, 'greeter', { namespace })).toMatchObject({
    spec: { holderIdentity: 'second', leaseDurationSeconds: 15, leaseTransitions: 1 },
  });
  await stopSecond();
}

/** What the runtime must do on any server. */
export function describeRuntime(server: string, connect: () => Promise<Transport>): void {
  describe(`the controller runtime on ${server}`, () => {
    let fixture: Fixture | undefined;
    beforeAll(async () => {
      fixture = await Fixture.create(await connect());
    });
    afterAll(() => fixture?.end());

    it.each([
      ['keeps greetings, as the operator of the guide does', describeGreetings],
      ['hands work over from one leader to the next', describeLeaders],
      ['changes and refuses by webhooks', describeHooks],
      ['converts between versions', describeConversion],
    ])('%s', async (_name, run) => {
      if (fixture === undefined) throw new Error('the server did not start');
      await run(fixture);
    });
  });
}
