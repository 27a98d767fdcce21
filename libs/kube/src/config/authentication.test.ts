import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createCa } from '../certs/certificates.js';
import { ManualClock } from '../testing/manual-clock.js';
import { HttpTransport } from '../transport/http.js';
import type { Connection } from './connection.js';
import { loadConnection } from './load.js';
import type { LoadOptions } from './load.js';

const ca = createCa({ commonName: 'ca' });
const [alice, bob] = [ca.issueClient({ user: 'alice' }), ca.issueClient({ user: 'bob' })];
const base64 = (text: string): string => Buffer.from(text).toString('base64');

let server: Server;
let port = 0;
/** Answered with 401 once, when it comes with this. */
let refused = '';
beforeAll(async () => {
  const { certPem: cert, keyPem: key } = ca.issueServing({ commonName: 'kube', dnsNames: ['kube.internal'] });
  server = createServer(
    { cert, key, ca: ca.certPem, requestCert: true, rejectUnauthorized: false },
    (request, response) => {
      const { subject } = (request.socket as TLSSocket).getPeerCertificate();
      const { authorization = '' } = request.headers;
      response.statusCode = refused !== '' && authorization === refused ? 401 : 200;
      response.setHeader('content-type', 'application/json');
      // Null prototype when there is no certificate.
      const certificate = subject === undefined || subject === null ? '' : subject.CN;
      response.end(JSON.stringify({ authorization, certificate }));
    },
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'capstan-auth-'));
  refused = '';
});
const transports: HttpTransport[] = [];
afterEach(async () => {
  for (const transport of transports.splice(0)) await transport.close();
  rmSync(folder, { recursive: true });
});

function file(name: string, content: string): string {
  writeFileSync(join(folder, name), content);
  return name;
}

const SECURE = { 'certificate-authority-data': base64(ca.certPem), 'tls-server-name': 'kube.internal' };

/** A kubeconfig with that user, loaded. */
function loaded(
  user: Record<string, unknown>,
  cluster: Record<string, unknown> = SECURE,
  options: LoadOptions = {},
): Promise<Connection> {
  const document = {
    'current-context': 'x',
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
    clusters: [{ name: 'c', cluster: { server: `https://127.0.0.1:${port}`, ...cluster } }],
    users: [{ name: 'u', user }],
  };
  file('config', JSON.stringify(document));
  return loadConnection({ path: join(folder, 'config'), env: {}, ...options });
}

async function connected(...how: Parameters<typeof loaded>): Promise<HttpTransport> {
  const transport = new HttpTransport(await loaded(...how));
  transports.push(transport);
  return transport;
}

interface Seen {
  readonly authorization: string;
  readonly certificate: string;
}

async function seen(transport: HttpTransport): Promise<Seen> {
  const { body } = await transport.send({ method: 'GET', target: '/whoami', headers: {} });
  return (body.type === 'payload' ? body.value() : {}) as Seen;
}

function exec(
  version: string,
  status: Record<string, unknown>,
  more: Record<string, unknown> = {},
): Record<string, unknown> {
  const apiVersion = `client.authentication.k8s.io/${version}`;
  const output = file('credential.json', JSON.stringify({ kind: 'ExecCredential', apiVersion, status }));
  file(
    'plugin',
    `#!/bin/sh\ncat "${join(folder, output)}"\nprintf %s "$KUBERNETES_EXEC_INFO" > "${join(folder, 'info')}"\n`,
  );
  chmodSync(join(folder, 'plugin'), 0o755);
  return { exec: { apiVersion, command: './plugin', ...more } };
}

const pem = { clientCertificateData: alice.certPem, clientKeyData: alice.keyPem };

describe('what the server sees of a user', () => {
  it.each<[string, () => Record<string, unknown>, Seen]>([
    ['nobody', () => ({}), { authorization: '', certificate: '' }],
    ['a token', () => ({ token: 't' }), { authorization: 'Bearer t', certificate: '' }],
    ['a token in a file', () => ({ tokenFile: file('token', 'f\n') }), { authorization: 'Bearer f', certificate: '' }],
    [
      'the file, when there are both',
      () => ({ token: 't', tokenFile: file('token', 'f') }),
      { authorization: 'Bearer f', certificate: '' },
    ],
    [
      'a name and a password',
      () => ({ username: 'u', password: 'p' }),
      { authorization: `Basic ${base64('u:p')}`, certificate: '' },
    ],
    [
      'a certificate in the kubeconfig',
      () => ({ 'client-certificate-data': base64(alice.certPem), 'client-key-data': base64(alice.keyPem) }),
      { authorization: '', certificate: 'alice' },
    ],
    [
      'a certificate in files',
      () => ({ 'client-certificate': file('c', alice.certPem), 'client-key': file('k', alice.keyPem) }),
      { authorization: '', certificate: 'alice' },
    ],
    [
      'a certificate and a token',
      () => ({ 'client-certificate': file('c', alice.certPem), 'client-key': file('k', alice.keyPem), token: 't' }),
      { authorization: 'Bearer t', certificate: 'alice' },
    ],
    [
      'a plugin that gives a token',
      () => exec('v1', { token: 'x' }, { interactiveMode: 'Never' }),
      { authorization: 'Bearer x', certificate: '' },
    ],
    [
      'a plugin of the older version',
      () => exec('v1beta1', { token: 'x' }),
      { authorization: 'Bearer x', certificate: '' },
    ],
    [
      'a plugin that gives a certificate',
      () => exec('v1', pem, { interactiveMode: 'IfAvailable' }),
      { authorization: '', certificate: 'alice' },
    ],
    [
      'a plugin that gives both',
      () => exec('v1beta1', { token: 'x', ...pem }),
      { authorization: 'Bearer x', certificate: 'alice' },
    ],
  ])('%s', async (_name, user, expected) => {
    expect(await seen(await connected(user()))).toEqual(expected);
  });

  it('follows a token file that is rotated, at the latest when the server refuses the old one', async () => {
    const clock = new ManualClock();
    const transport = await connected({ tokenFile: file('token', 'one') }, SECURE, { clock });
    expect((await seen(transport)).authorization).toBe('Bearer one');
    file('token', 'second');
    expect((await seen(transport)).authorization).toBe('Bearer one');
    refused = 'Bearer one';
    expect((await seen(transport)).authorization).toBe('Bearer second');
    file('token', 'the third');
    await clock.advance(10_001);
    expect((await seen(transport)).authorization).toBe('Bearer the third');
  });

  it('follows certificate files that are rotated, with a new connection', async () => {
    const clock = new ManualClock();
    const user = { 'client-certificate': file('c', alice.certPem), 'client-key': file('k', alice.keyPem) };
    const transport = await connected(user, SECURE, { clock });
    expect((await seen(transport)).certificate).toBe('alice');
    file('c', bob.certPem);
    file('k', bob.keyPem);
    await clock.advance(10_001);
    expect((await seen(transport)).certificate).toBe('bob');
  });

  it('asks a plugin again when the server refuses what it gave, and when that expires', async () => {
    const clock = new ManualClock();
    const until = new Date(clock.now() + 60_000).toISOString();
    const transport = await connected(
      exec('v1', { token: 'one', expirationTimestamp: until }, { interactiveMode: 'Never' }),
      SECURE,
      { clock },
    );
    expect((await seen(transport)).authorization).toBe('Bearer one');
    exec('v1', { token: 'two', expirationTimestamp: until, ...pem });
    expect((await seen(transport)).authorization).toBe('Bearer one');
    refused = 'Bearer one';
    expect(await seen(transport)).toEqual({ authorization: 'Bearer two', certificate: 'alice' });
    exec('v1', { token: 'three' });
    await clock.advance(60_000);
    expect(await seen(transport)).toEqual({ authorization: 'Bearer three', certificate: '' });
  });

  it('is the service account of the pod, in a cluster', async () => {
    file('token', 'pod');
    file('ca.crt', ca.certPem);
    file('namespace', 'mine');
    const env = { KUBERNETES_SERVICE_HOST: '127.0.0.1', KUBERNETES_SERVICE_PORT: String(port) };
    const found = await loadConnection({ env, home: folder, serviceAccountDir: folder });
    const transport = new HttpTransport({ ...found, trust: { ...found.trust, serverName: 'kube.internal' } });
    transports.push(transport);
    expect([found.namespace, await seen(transport)]).toEqual([
      'mine',
      { authorization: 'Bearer pod', certificate: '' },
    ]);
  });
});

describe('what the server must prove', () => {
  it.each<[string, () => Record<string, unknown>, string | undefined]>([
    ['the name of the kubeconfig, by a CA in it', () => SECURE, undefined],
    [
      'the name, by a CA in a file',
      () => ({ 'certificate-authority': file('ca', ca.certPem), 'tls-server-name': 'kube.internal' }),
      undefined,
    ],
    ['nothing, when verification is off', () => ({ 'insecure-skip-tls-verify': true }), undefined],
    [
      'the host of the URL, when no name is given',
      () => ({ ...SECURE, 'tls-server-name': '' }),
      'ERR_TLS_CERT_ALTNAME_INVALID',
    ],
    ['that name and no other', () => ({ ...SECURE, 'tls-server-name': 'other' }), 'ERR_TLS_CERT_ALTNAME_INVALID'],
    [
      'who it is to the system, when no CA is given',
      () => ({ 'tls-server-name': 'kube.internal' }),
      'SELF_SIGNED_CERT_IN_CHAIN',
    ],
  ])('%s', async (_name, cluster, code) => {
    const transport = await connected({ token: 't' }, cluster());
    if (code === undefined) expect((await seen(transport)).authorization).toBe('Bearer t');
    else await expect(seen(transport)).rejects.toMatchObject({ code, mayHaveReachedServer: false });
  });
});

describe('a plugin that may ask the user', () => {
  it.each([
    ['v1', 'Never', true, false],
    ['v1', 'IfAvailable', true, true],
    ['v1', 'IfAvailable', false, false],
    ['v1', 'Always', true, true],
    ['v1beta1', undefined, true, true],
    ['v1beta1', undefined, false, false],
  ] as const)('%s in mode %s, terminal %s: gets %s', async (version, interactiveMode, isTerminal, expected) => {
    const user = exec(
      version,
      { token: 'x' },
      { provideClusterInfo: true, ...(interactiveMode && { interactiveMode }) },
    );
    const { credentials } = await loaded(user, { ...SECURE, 'proxy-url': 'http://p:1' }, { isTerminal });
    expect((await credentials.get()).headers).toEqual({ authorization: 'Bearer x' });
    expect(JSON.parse(readFileSync(join(folder, 'info'), 'utf8'))).toEqual({
      kind: 'ExecCredential',
      apiVersion: `client.authentication.k8s.io/${version}`,
      spec: {
        interactive: expected,
        cluster: { server: `https://127.0.0.1:${port}`, ...SECURE, 'proxy-url': 'http://p:1' },
      },
    });
  });

  it('and has to is refused where there is no terminal', async () => {
    const user = exec('v1', { token: 'x' }, { interactiveMode: 'Always' });
    await expect(loaded(user, SECURE, { isTerminal: false })).rejects.toThrow(
      'users[u].user.exec.interactiveMode: Always needs a terminal, and there is none here',
    );
  });
});

describe('the proxy of a connection', () => {
  it.each<[string, Record<string, unknown>, Record<string, string>, string | undefined]>([
    ['of the kubeconfig', { 'proxy-url': 'socks5://p:1' }, {}, 'socks5://p:1'],
    ['of the environment', {}, { HTTPS_PROXY: 'http://e:1' }, 'http://e:1'],
    ['of the kubeconfig first', { 'proxy-url': 'http://p:1' }, { HTTPS_PROXY: 'http://e:1' }, 'http://p:1'],
    ['of the kubeconfig, whatever NO_PROXY contains', { 'proxy-url': 'http://p:1' }, { NO_PROXY: '*' }, 'http://p:1'],
    ['none, by NO_PROXY', {}, { HTTPS_PROXY: 'http://e:1', NO_PROXY: 'far.example' }, undefined],
    ['none', {}, {}, undefined],
  ])('is the one %s', async (_name, cluster, env, expected) => {
    const far = { server: 'https://api.far.example', ...cluster };
    expect((await loaded({}, far, { env })).proxyUrl).toBe(expected);
  });

  it('in a cluster is the one of the environment', async () => {
    for (const name of ['token', 'ca.crt', 'namespace']) file(name, 'x');
    const env = { KUBERNETES_SERVICE_HOST: '10.0.0.1', KUBERNETES_SERVICE_PORT: '443', HTTPS_PROXY: 'e:1' };
    const inCluster = { home: folder, serviceAccountDir: folder };
    expect((await loadConnection({ ...inCluster, env })).proxyUrl).toBe('http://e:1');
    const exempt = { ...env, NO_PROXY: '10.0.0.0/8' };
    expect((await loadConnection({ ...inCluster, env: exempt })).proxyUrl).toBeUndefined();
  });
});
