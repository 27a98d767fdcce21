import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { ask, open } from './testing/ask.js';
import { bodyOf, serveTls, proxyInFrontOf } from './testing/fixture.js';
import type { Fixture } from './testing/fixture.js';

const S = 'cluster.x-k8s.io';
const P = 'cluster.hypershift.openshift.io';
const MACHINES = `/apis/${S}/v1beta2/namespaces/n/machines`;

/** A document that parsing and printing would change, with a group at its place; both spellings of it elsewhere. */
const odd = (group: string): string =>
  `{ "apiVersion" : "${group}/v1beta2","kind":"Machine","metadata":{"name":"ü-€-😀","labels":{"${S}/cluster-name":"${P}"},` +
  `"finalizers":["machine.${S}"],"resourceVersion":"1"},"spec":{"big":9007199254740993,"one":1.0,"e":1E+2,"zero":-0,` +
  `"twice":1,"twice":2,"escaped":"\\u0063luster.x-k8s.io","ref":{"apiGroup":"${group}","kind":"K"}},\t"10":0,"2":0}`;

let fixture: Fixture | undefined;
afterEach(async () => {
  await fixture?.close();
  fixture = undefined;
});

/** Writes bytes in pieces, each on its own. */
async function inPieces(response: ServerResponse, bytes: Buffer, size: number): Promise<void> {
  for (let at = 0; at < bytes.length; at += size) {
    response.write(bytes.subarray(at, at + size));
    await new Promise((resolve) => setImmediate(resolve));
  }
  response.end();
}

describe('Every byte but those of a group', () => {
  it.each([1, 7, 64, 100_000])('comes back as it was, in pieces of %i', async (size) => {
    fixture = await proxyInFrontOf(
      await serveTls((_request, response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        void inPieces(response, Buffer.from(odd(P)), size);
      }),
    );
    expect((await ask(`${fixture.proxy.url}${MACHINES}/m`)).text).toBe(odd(S));
  });

  it('is sent as it was', async () => {
    const seen: string[] = [];
    fixture = await proxyInFrontOf(
      await serveTls((request, response) => {
        void bodyOf(request).then((body) => {
          seen.push(body.toString());
          response.end();
        });
      }),
    );
    const headers = { 'content-type': 'application/json' };
    await ask(`${fixture.proxy.url}${MACHINES}`, { method: 'POST', body: odd(S), headers });
    expect(seen).toEqual([odd(P)]);
  });

  it('of a group that was written with escapes is written without them', async () => {
    fixture = await proxyInFrontOf(
      await serveTls((_request, response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(`{"apiVersion":"cluster\\u002ehypershift.openshift.io/v1beta2","kind":"Machine"}`);
      }),
    );
    expect((await ask(`${fixture.proxy.url}${MACHINES}/m`)).text).toBe(
      `{"apiVersion":"${S}/v1beta2","kind":"Machine"}`,
    );
  });
});

describe('An event of 16 MiB', () => {
  it('passes whole, with what comes before and after it', async () => {
    const event = (group: string, data: string): string =>
      `{"type":"MODIFIED","object":{"apiVersion":"${group}/v1beta2","kind":"Machine","spec":{"data":"${data}"},"status":{"apiGroup":"${group}"}}}\n`;
    const data = 'x'.repeat(16 * 1024 * 1024 - 512);
    const events = (group: string): string => event(group, 'first') + event(group, data) + event(group, 'last');
    fixture = await proxyInFrontOf(
      await serveTls((_request, response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(events(P));
      }),
    );
    const { response } = await open(`${fixture.proxy.url}${MACHINES}?watch=1`);
    const chunks: Buffer[] = [];
    for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk);
    expect(Buffer.concat(chunks).equals(Buffer.from(events(S)))).toBe(true);
  });
});
