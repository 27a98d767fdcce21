import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCa, writeKubeconfig } from '@capstan/kube';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startEmbedded } from '../kubectl/cluster.js';
import { CRDS, definition, gadget, of, P, S } from '../translate/scenarios.js';
import { askOverHttp, Lines, open } from './ask.js';
import { endProxyProcesses, startProxyProcess } from './proxy-process.js';
import { eventually } from '../src/wait.js';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'capstan-proxy-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));
afterEach(endProxyProcesses);

describe('the proxy as a program', () => {
  it('breaks its watches when it crashes, and clients continue after its restart', async () => {
    const cluster = await startEmbedded();
    const options = ['--kubeconfig', cluster.kubeconfig, '--kubeconfig-out', join(folder, 'kubeconfig')];
    const first = await startProxyProcess([...options, '--listen', '127.0.0.1:0']);
    const ask = askOverHttp(first.url);
    expect((await ask(CRDS, { method: 'POST', body: definition(S) })).status).toBe(201);
    await eventually('it is served', async () => ((await ask(of(S))).status === 200 ? true : undefined));
    const watch = new Lines((await open(first.url, `${of(S)}?watch=1`)).response);
    expect((await ask(of(S), { method: 'POST', body: gadget(S, 1) })).status).toBe(201);
    await watch.until((lines) => lines.length === 1);
    const { metadata } = (JSON.parse(watch.all[0] ?? '') as { object: { metadata: { resourceVersion: string } } })
      .object;
    await first.end('SIGKILL');
    await watch.until((_lines, end) => end !== undefined);
    expect(watch.end).toBe('broken');
    await expect(ask(`${of(S)}/same`)).rejects.toThrow('ECONNREFUSED');
    const gadgets = { group: P, version: 'v1beta1', plural: 'gadgets', namespaced: true, kind: 'Gadget' };
    await cluster.client.patch(gadgets, 'same', { type: 'merge', value: { spec: { n: 2 } } }, { namespace: 'default' });
    const second = await startProxyProcess([...options, '--listen', new URL(first.url).host]);
    expect(second.url).toBe(first.url);
    const again = new Lines(
      (await open(second.url, `${of(S)}?watch=1&resourceVersion=${metadata.resourceVersion}`)).response,
    );
    await again.until((lines) => lines.length === 1);
    expect(JSON.parse(again.all[0] ?? '')).toMatchObject({
      type: 'MODIFIED',
      object: { apiVersion: `${S}/v1beta1`, spec: { n: 2 } },
    });
    expect((await ask(`${of(S)}/same`, { method: 'DELETE' })).status).toBe(200);
    expect(await second.end('SIGTERM')).toBe(0);
    await again.until((_lines, end) => end !== undefined);
    expect(again.end).toBe('whole');
    await cluster.stop();
  }, 90_000);

  it('passes a list of 100 MB on in 32 MB', async () => {
    const ca = createCa({ commonName: 'x' });
    const { certPem: cert, keyPem: key } = ca.issueServing({ commonName: 'u', ipAddresses: ['127.0.0.1'] });
    const item = (group: string): string =>
      `{"apiVersion":"${group}/v1beta1","kind":"Gadget","metadata":{"name":"g","managedFields":[{"apiVersion":"${group}/v1beta1"}]},"spec":{"text":"${'x'.repeat(4000)}"}}`;
    const total = 25_000;
    const server = createServer({ cert, key }, (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{"items":[');
      let sent = 0;
      const send = (): void => {
        while (sent < total) {
          sent += 1;
          if (response.write(`${sent === 1 ? '' : ','}${item(P)}`)) continue;
          response.once('drain', send);
          return;
        }
        response.end(']}');
      };
      send();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const path = join(folder, 'large');
    const address = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await writeKubeconfig({ path, server: address, caPem: ca.certPem, token: 't' });
    const proxy = await startProxyProcess(['--kubeconfig', path, '--listen', '127.0.0.1:0']);
    const before = await memoryOf(proxy.healthUrl);
    let most = before;
    let isOver = false;
    const watching = (async () => {
      while (!isOver) most = Math.max(most, await memoryOf(proxy.healthUrl));
    })();
    const { response } = await open(proxy.url, of(S));
    let received = 0;
    for await (const chunk of response as AsyncIterable<Buffer>) received += chunk.length;
    isOver = true;
    await watching;
    expect(received).toBe('{"items":[]}'.length + total * item(S).length + total - 1);
    expect((most - before) / 1e6).toBeLessThan(32);
    await proxy.end('SIGTERM');
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }, 120_000);
});

/** The heap and the memory outside of it, from the metrics of the proxy. */
async function memoryOf(healthUrl: string): Promise<number> {
  const { text } = await askOverHttp(healthUrl)('/metrics');
  const read = (name: string): number => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
  return read('nodejs_heap_size_used_bytes') + read('nodejs_external_memory_bytes');
}
