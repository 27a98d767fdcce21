import { expect } from 'vitest';
import type { Both } from '../translate/scenarios.js';
import { gadget, of, P, S } from '../translate/scenarios.js';
import { Lines, open } from './ask.js';

/** A server with both groups, and a proxy before it. */
export interface Proxied extends Both {
  readonly url: string;
  readonly healthUrl: string;
  /** Makes the server compact its history up to now, where it can. */
  readonly forget: (() => void) | undefined;
}

interface Event {
  readonly type: string;
  readonly object: {
    readonly apiVersion: string;
    readonly metadata: { readonly name?: string; readonly resourceVersion: string };
  };
}

const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json';
const named = (group: string, name: string, n = 1): string => gadget(group, n).replace('"same"', `"${name}"`);
const parse = (line: string): Event => JSON.parse(line) as Event;

async function hidesPrivateGroups({ ask }: Proxied): Promise<void> {
  const { text } = await ask('/apis');
  const groups = (JSON.parse(text) as { groups: readonly { name: string }[] }).groups.map(({ name }) => name);
  expect([groups.filter((name) => name === S), groups.includes(P)]).toEqual([[S], false]);
  for (const target of [`/apis/${P}`, `/apis/${P}/v1beta1`, of(P), `${of(P)}/same`, `/openapi/v3/apis/${P}/v1beta1`]) {
    const answer = await ask(target);
    expect([target, answer.status, JSON.parse(answer.text)]).toMatchObject([
      target,
      404,
      { kind: 'Status', reason: 'NotFound' },
    ]);
  }
}

async function showsTables({ ask, url }: Proxied): Promise<void> {
  await ask(of(S), { method: 'POST', body: named(S, 'tabled') });
  for (const include of ['Metadata', 'Object', 'None']) {
    const { text } = await ask(`${of(S)}?includeObject=${include}`, { accept: TABLE });
    expect([text.includes(P), JSON.parse(text)]).toMatchObject([false, { kind: 'Table' }]);
  }
  const watch = await open(url, `${of(S)}?watch=true&fieldSelector=metadata.name%3Dtabled&includeObject=Object`, {
    accept: TABLE,
  });
  const lines = new Lines(watch.response);
  await lines.until((all) => all.length >= 1);
  expect([lines.all[0]?.includes(P), parse(lines.all[0] ?? '')]).toMatchObject([
    false,
    { type: 'ADDED', object: { kind: 'Table', rows: [{ object: { apiVersion: `${S}/v1beta1` } }] } },
  ]);
  watch.request.destroy();
  await ask(`${of(S)}/tabled`, { method: 'DELETE' });
}

async function answersInStandardWords({ ask }: Proxied): Promise<void> {
  await ask(of(S), { method: 'POST', body: named(S, 'taken') });
  const cases: readonly (readonly [string, Parameters<Proxied['ask']>[1], number, string, string])[] = [
    [`${of(S)}/missing`, {}, 404, 'NotFound', `gadgets.${S} "missing" not found`],
    [of(S), { method: 'POST', body: named(S, 'taken') }, 409, 'AlreadyExists', `gadgets.${S} "taken" already exists`],
    [of(S), { method: 'POST', body: named(S, 'large', 4) }, 422, 'Invalid', `Gadget.${S} "large" is invalid`],
  ];
  for (const [target, asked, status, reason, message] of cases) {
    const answer = await ask(target, asked);
    expect([answer.status, JSON.parse(answer.text)]).toMatchObject([
      status,
      { reason, message: expect.stringContaining(message), details: { group: S } },
    ]);
    expect(answer.text).not.toContain(P);
  }
  const unknown = await ask('/no/such/path');
  expect([unknown.status, unknown.text]).toEqual([404, expect.stringContaining('404')]);
  await ask(`${of(S)}/taken`, { method: 'DELETE' });
}

/** What servers say of a past they do not know. */
const expired = (message: unknown): object => ({
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Failure',
  message,
  reason: 'Expired',
  code: 410,
});

/** A real server knows nothing of a resource from before it opened its storage; all revisions it forgets in its own time. */
async function reportsExpiredVersions({ ask, forget, url }: Proxied): Promise<void> {
  forget?.();
  const { request, response } = await open(url, `${of(S)}?watch=1&resourceVersion=1`);
  const lines = new Lines(response);
  await lines.until((_, end) => end !== undefined);
  const tooOld = expired(expect.stringMatching(/^too old resource version: 1 \(\d+\)$/));
  expect([response.statusCode, ...lines.all.map((line) => JSON.parse(line) as unknown)]).toEqual([
    200,
    { type: 'ERROR', object: tooOld },
  ]);
  request.destroy();
  if (forget === undefined) return;
  const past = await ask(`${of(S)}?resourceVersion=1&resourceVersionMatch=Exact`);
  expect([past.status, JSON.parse(past.text)]).toEqual([
    410,
    expired('The resourceVersion for the provided list is too old.'),
  ]);
}

async function watches({ ask, direct, url }: Proxied): Promise<void> {
  const ways = [
    `${of(S)}?watch=1`,
    `${of(S)}?watch=true&allowWatchBookmarks=true`,
    of(S).replace('/v1beta1/', '/v1beta1/watch/'),
  ];
  const { text } = await ask(of(S));
  const { resourceVersion } = (JSON.parse(text) as { metadata: { resourceVersion: string } }).metadata;
  const opened = await Promise.all(
    ways.map((way) => open(url, `${way}${way.includes('?') ? '&' : '?'}resourceVersion=${resourceVersion}`)),
  );
  // The heads are here although nothing has happened yet.
  expect(opened.map(({ response }) => response.statusCode)).toEqual([200, 200, 200]);
  const streams = opened.map(({ response }) => new Lines(response));
  await ask(of(S), { method: 'POST', body: named(S, 'watched') });
  await direct(of(S), { method: 'POST', body: named(S, 'of-the-platform') });
  await direct(`${of(P)}/watched`, { method: 'PATCH', type: 'application/merge-patch+json', body: '{"spec":{"n":2}}' });
  await ask(`${of(S)}/watched`, { method: 'DELETE' });
  for (const stream of streams) {
    await stream.until((lines) => lines.filter((line) => line.includes('"watched"')).length >= 3);
    const events = stream.all.map(parse).filter(({ type }) => type !== 'BOOKMARK');
    expect(events.map(({ type, object }) => [type, object.metadata.name, object.apiVersion])).toEqual([
      ['ADDED', 'watched', `${S}/v1beta1`],
      ['MODIFIED', 'watched', `${S}/v1beta1`],
      ['DELETED', 'watched', `${S}/v1beta1`],
    ]);
  }
  for (const { request } of opened) request.destroy();
  await direct(`${of(S)}/of-the-platform`, { method: 'DELETE' });
}

async function reportsTranslation({ ask, healthUrl }: Proxied): Promise<void> {
  const { status } = await ask('/version');
  expect(status).toBe(200);
  const ready = await fetch(`${healthUrl}/readyz`);
  expect(ready.status).toBe(200);
  // The core group is not served here, or no longer in a moment, and the check must fail with that instead of passing.
  const check = async (): Promise<unknown> => {
    const response = await fetch(`${healthUrl}/readyz/translation`);
    return [response.status, await response.json()];
  };
  const message =
    'the server does not serve the group under its private name: install its CRDs with capstan crds mirror';
  await expect
    .poll(check, { timeout: 30_000 })
    .toEqual([503, { state: 'failed', ok: false, asked: 'cluster.x-k8s.io', message }]);
}

/** Scenarios that need sockets. */
export const SOCKET_SCENARIOS: readonly (readonly [sentence: string, run: (proxied: Proxied) => Promise<void>])[] = [
  ['private groups are not served under their own names', hidesPrivateGroups],
  ['tables and watches of tables contain objects of the standard group', showsTables],
  ['refusals of the server name the standard group', answersInStandardWords],
  ['an expired resource version is reported as expired', reportsExpiredVersions],
  ['watches of every spelling get their response headers at once, and the private objects alone', watches],
  ['health is reported on the second port', reportsTranslation],
];
