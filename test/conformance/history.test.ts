import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ApiServer } from '@capstan/apiserver';
import { tokenAuthenticator } from '@capstan/apiserver';
import { embeddedServer, isReal, overHttps, type Backend } from '../src/conformance/backend.js';
import { CONFIG_MAPS, configMap, given, versionOf } from '../src/conformance/objects.js';
import { MERGE, type Session } from '../src/conformance/session.js';
import { openSession } from '../src/conformance/suite.js';

/** Needs the history cut short, which a real server cannot be configured to do. */
describe.skipIf(isReal)('a server that has forgotten', () => {
  let server: ApiServer;
  let close: () => Promise<void> = () => Promise.resolve();
  let backends: Backend[];

  beforeAll(async () => {
    const admin = { username: 'admin', groups: ['system:masters'] };
    server = embeddedServer({ authenticate: tokenAuthenticator(new Map([['admin-token', admin]])) });
    const https = await overHttps(server);
    close = () => https.close();
    const direct = { send: (request: Parameters<ApiServer['send']>[0]) => server.send({ ...request, user: admin }) };
    backends = [
      {
        name: 'in-process',
        kind: 'in-process',
        connect: () => Promise.resolve({ transport: direct, as: () => direct }),
      },
      { name: 'https', kind: 'https', connect: () => Promise.resolve(https) },
    ];
  });
  afterAll(() => close());

  async function onEach(run: (s: Session) => Promise<void>): Promise<void> {
    for (const backend of backends) {
      const session = await openSession(backend);
      await run(session);
      session.close();
    }
  }

  const change = (s: Session, value: string): Promise<unknown> =>
    s.quiet('PATCH', `${CONFIG_MAPS}/a`, { body: { data: { value } }, type: MERGE });

  test('answers an old watch with 200 and one ERROR event of 410, then ends it (trap 5)', () =>
    onEach(async (s) => {
      const old = versionOf(await given(s, CONFIG_MAPS, configMap('a')));
      for (const value of ['1', '2', '3']) await change(s, value);
      server.store.compact(server.store.revision);
      const watch = await s.watch(`${CONFIG_MAPS}?watch=true&resourceVersion=${old}`);
      await watch.ended();
      expect(watch.response.status).toBe(200);
      expect(watch.error).toBeUndefined();
      const message = expect.stringMatching(new RegExp(`^too old resource version: ${old} \\(\\d+\\)$`)) as string;
      const object = {
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        message,
        reason: 'Expired',
        code: 410,
      };
      expect(watch.events).toEqual([{ type: 'ERROR', object }]);
    }));

  test('answers a list of an exact old version with 410', () =>
    onEach(async (s) => {
      const old = versionOf(await given(s, CONFIG_MAPS, configMap('a')));
      await change(s, '1');
      server.store.compact(server.store.revision);
      const answer = await s.quiet('GET', `${CONFIG_MAPS}?resourceVersion=${old}&resourceVersionMatch=Exact`);
      const message = 'The resourceVersion for the provided list is too old.';
      expect(answer.body).toEqual({
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        message,
        reason: 'Expired',
        code: 410,
      });
      expect(
        (await s.quiet('GET', `${CONFIG_MAPS}?resourceVersion=${old}&resourceVersionMatch=NotOlderThan`)).status,
      ).toBe(200);
    }));

  test('answers an expired continue token with 410 and a token that goes on from the present', () =>
    onEach(async (s) => {
      for (const name of ['a', 'b', 'c', 'd']) await given(s, CONFIG_MAPS, configMap(name));
      const first = await s.quiet('GET', `${CONFIG_MAPS}?limit=2`);
      await given(s, CONFIG_MAPS, configMap('bb'));
      server.store.compact(server.store.revision);
      const tokenOf = (body: unknown): string =>
        encodeURIComponent((body as { metadata: { continue: string } }).metadata.continue);
      const expired = await s.quiet('GET', `${CONFIG_MAPS}?limit=2&continue=${tokenOf(first.body)}`);
      expect(expired.status).toBe(410);
      expect(expired.body).toMatchObject({
        kind: 'Status',
        reason: 'Expired',
        code: 410,
        message: expect.stringMatching(
          /^The provided continue parameter is too old to display a consistent list result\./,
        ) as string,
      });
      const rest = await s.quiet('GET', `${CONFIG_MAPS}?continue=${tokenOf(expired.body)}`);
      const { items } = rest.body as { items: { metadata: { name: string } }[] };
      expect(items.map(({ metadata }) => metadata.name)).toEqual(['bb', 'c', 'd']);
    }));

  test('keeps serving watches that began before, and objects as they were', () =>
    onEach(async (s) => {
      const version = versionOf(await given(s, CONFIG_MAPS, configMap('a')));
      const watch = await s.watch(`${CONFIG_MAPS}?watch=true&resourceVersion=${version}`);
      server.store.compact(server.store.revision);
      await change(s, '1');
      await watch.until(1);
      expect(watch.events.map(({ type }) => type)).toEqual(['MODIFIED']);
    }));
});
