import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer as createProxyServer } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { createCa, fixedCredentials, inClusterConnection } from '@capstan/kube';
import { ManualClock } from '@capstan/kube/testing';
import type { CertificateAuthority, ClientCertificate } from '@capstan/kube';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ask } from './testing/ask.js';
import { testCa, connectionTo, sendJson, serveTls, proxyInFrontOf } from './testing/fixture.js';
import type { Fixture, Upstream } from './testing/fixture.js';

let fixture: Fixture | undefined;
let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'capstan-proxy-'));
});
afterEach(async () => {
  await fixture?.close();
  fixture = undefined;
  await rm(folder, { recursive: true });
});

/** A pod's own way to a server. */
async function inPod({ port }: Upstream, ca: string): Promise<Awaited<ReturnType<typeof inClusterConnection>>> {
  await writeFile(join(folder, 'ca.crt'), ca);
  await writeFile(join(folder, 'namespace'), 'n');
  const env = { KUBERNETES_SERVICE_HOST: '127.0.0.1', KUBERNETES_SERVICE_PORT: String(port) };
  return inClusterConnection({ env, serviceAccountDir: folder });
}

describe('The token of a pod', () => {
  it('that was renewed is used at once when the server refuses the old one', async () => {
    let valid = 'first';
    const seen: (string | undefined)[] = [];
    const upstream = await serveTls((request, response) => {
      const { authorization } = request.headers;
      seen.push(authorization);
      sendJson(response, { kind: 'Status' }, authorization === `Bearer ${valid}` ? 200 : 401);
    });
    await writeFile(join(folder, 'token'), 'first');
    fixture = await proxyInFrontOf(upstream, { connection: await inPod(upstream, testCa().certPem) });
    const url = `${fixture.proxy.url}/api/v1/namespaces`;
    expect((await ask(url)).status).toBe(200);
    valid = 'second';
    await writeFile(join(folder, 'token'), 'second');
    const body = { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } };
    expect((await ask(url, body)).status).toBe(200);
    expect(seen).toEqual(['Bearer first', 'Bearer first', 'Bearer second']);
  });

  it('that stays refused is tried twice, and the refusal passed on', async () => {
    let asked = 0;
    const upstream = await serveTls((_request, response) => {
      asked += 1;
      sendJson(response, { kind: 'Status', code: 401 }, 401);
    });
    await writeFile(join(folder, 'token'), 'wrong');
    fixture = await proxyInFrontOf(upstream, { connection: await inPod(upstream, testCa().certPem) });
    expect([(await ask(`${fixture.proxy.url}/api`)).status, asked]).toEqual([401, 2]);
    const ready = await ask(`${fixture.proxy.healthUrl}/readyz`);
    expect([ready.status, ready.text]).toEqual([500, expect.stringContaining('[-]upstream failed')]);
  });

  it('that cannot be obtained are answered with 503 and the cause', async () => {
    const upstream = await serveTls((_request, response) => sendJson(response, {}));
    const credentials = { get: () => Promise.reject(new TypeError('no such file')), refresh: () => false };
    fixture = await proxyInFrontOf(upstream, { connection: connectionTo(upstream, { credentials }) });
    const answer = await ask(`${fixture.proxy.url}/api`);
    expect([answer.status, JSON.parse(answer.text)]).toMatchObject([
      503,
      { message: expect.stringMatching(/no such file.*token/) },
    ]);
  });
});

describe('The CA of the server', () => {
  it('that was renewed in its file is believed without a restart', async () => {
    const next: CertificateAuthority = createCa({ commonName: 'next' });
    const upstream = await serveTls((_request, response) => sendJson(response, {}));
    await writeFile(join(folder, 'token'), 't');
    const clock = new ManualClock();
    fixture = await proxyInFrontOf(upstream, { connection: await inPod(upstream, testCa().certPem), clock });
    const url = `${fixture.proxy.url}/api`;
    expect((await ask(url)).status).toBe(200);
    await upstream.close();
    const { certPem: cert, keyPem: key } = next.issueServing({
      commonName: 'x',
      dnsNames: [],
      ipAddresses: ['127.0.0.1'],
    });
    const renewed = createServer({ cert, key }, (_request, response) => sendJson(response, {}));
    await new Promise<void>((resolve) => renewed.listen(upstream.port, '127.0.0.1', resolve));
    expect((await ask(url)).status).toBe(503);
    await writeFile(join(folder, 'ca.crt'), `${testCa().certPem}${next.certPem}`);
    await clock.advance(11_000);
    expect((await ask(url)).status).toBe(200);
    await new Promise((resolve) => {
      renewed.close(resolve);
      renewed.closeAllConnections();
    });
  });
});

describe('A client certificate', () => {
  it('proves who the proxy is, and a renewed one is shown on new connections', async () => {
    const issue = (commonName: string): ClientCertificate => testCa().issueClient({ user: commonName });
    const seen: string[] = [];
    const { certPem: cert, keyPem: key } = testCa().issueServing({
      commonName: 'x',
      dnsNames: [],
      ipAddresses: ['127.0.0.1'],
    });
    const server = createServer({ cert, key, ca: testCa().certPem, requestCert: true }, (request, response) => {
      seen.push((request.socket as TLSSocket).getPeerCertificate().subject.CN as string);
      sendJson(response, {});
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    let certificate = issue('first');
    const credentials = { get: () => ({ headers: {}, certificate }), refresh: () => false };
    const upstream = await serveTls(() => {});
    const url = `https://127.0.0.1:${port}`;
    fixture = await proxyInFrontOf(upstream, { connection: connectionTo({ url }, { credentials }) });
    await ask(`${fixture.proxy.url}/api`);
    await ask(`${fixture.proxy.url}/api`);
    certificate = issue('second');
    await ask(`${fixture.proxy.url}/api`);
    expect(seen).toEqual(['first', 'first', 'second']);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
});

describe('A proxy on the way', () => {
  it('is asked for a connection, with its own password', async () => {
    const upstream = await serveTls((_request, response) => sendJson(response, {}));
    const asked: unknown[] = [];
    const between = createProxyServer();
    between.on('connect', (request, client: Socket) => {
      asked.push([request.url, request.headers['proxy-authorization']]);
      const to = connect(upstream.port, '127.0.0.1', () => {
        client.write('HTTP/1.1 200 OK\r\n\r\n');
        client.pipe(to).pipe(client);
      });
      to.on('error', () => client.destroy());
      client.on('error', () => to.destroy());
    });
    await new Promise<void>((resolve) => between.listen(0, '127.0.0.1', resolve));
    const proxyUrl = `http://me:secret@127.0.0.1:${(between.address() as AddressInfo).port}`;
    fixture = await proxyInFrontOf(upstream, { connection: connectionTo(upstream, { proxyUrl }) });
    expect((await ask(`${fixture.proxy.url}/api`)).status).toBe(200);
    expect(asked).toEqual([[`127.0.0.1:${upstream.port}`, `Basic ${Buffer.from('me:secret').toString('base64')}`]]);
    await fixture.close();
    between.closeAllConnections();
    await new Promise((resolve) => between.close(resolve));
  });

  it('that refuses is named in the answer', async () => {
    const upstream = await serveTls((_request, response) => sendJson(response, {}));
    const between = createProxyServer();
    between.on('connect', (_request, client: Socket) => client.end('HTTP/1.1 407 No\r\n\r\n'));
    await new Promise<void>((resolve) => between.listen(0, '127.0.0.1', resolve));
    const { port } = between.address() as AddressInfo;
    fixture = await proxyInFrontOf(upstream, {
      connection: connectionTo(upstream, { proxyUrl: `http://127.0.0.1:${port}` }),
    });
    const answer = await ask(`${fixture.proxy.url}/api`);
    expect([answer.status, answer.text]).toEqual([
      503,
      expect.stringContaining(`the proxy 127.0.0.1:${port} refuses a connection`),
    ]);
    await new Promise((resolve) => between.close(resolve));
  });
});

describe('Impersonation in a kubeconfig', () => {
  it('goes with every request, and nothing of the client is added', async () => {
    const seen: unknown[] = [];
    const upstream = await serveTls((request, response) => {
      seen.push([
        request.headers['impersonate-user'],
        request.headers['impersonate-group'],
        request.headers.authorization,
      ]);
      sendJson(response, {});
    });
    const headers = { 'impersonate-user': 'robot', 'impersonate-group': ['a', 'b'], authorization: 'Bearer ours' };
    fixture = await proxyInFrontOf(upstream, {
      connection: connectionTo(upstream, { credentials: fixedCredentials({ headers }) }),
    });
    await ask(`${fixture.proxy.url}/api`, { headers: { authorization: 'Bearer theirs' } });
    expect(seen).toEqual([['robot', 'a, b', 'Bearer ours']]);
  });

  it('may be a server without TLS', async () => {
    const plain = createProxyServer((_request, response) => sendJson(response, { kind: 'Plain' }));
    await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve));
    const upstream = await serveTls(() => {});
    const url = `http://127.0.0.1:${(plain.address() as AddressInfo).port}`;
    fixture = await proxyInFrontOf(upstream, { connection: connectionTo({ url }) });
    expect(JSON.parse((await ask(`${fixture.proxy.url}/api/v1/pods`)).text)).toEqual({ kind: 'Plain' });
    plain.closeAllConnections();
    await new Promise((resolve) => plain.close(resolve));
  });

  it('reaches a server below a path', async () => {
    const seen: (string | undefined)[] = [];
    const upstream = await serveTls((request, response) => {
      seen.push(request.url);
      sendJson(response, {});
    });
    fixture = await proxyInFrontOf(upstream, { connection: connectionTo({ url: `${upstream.url}/clusters/c-1` }) });
    await ask(`${fixture.proxy.url}/apis/cluster.x-k8s.io/v1beta2/machines`);
    expect(seen).toEqual(['/clusters/c-1/apis/cluster.hypershift.openshift.io/v1beta2/machines']);
  });
});
