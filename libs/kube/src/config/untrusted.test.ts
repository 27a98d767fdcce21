import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { createCa } from '../certs/certificates.js';
import { ConfigError, UntrustedConfigError } from './fields.js';
import { MAX_UNTRUSTED_BYTES, untrustedConnection, untrustedKubeconfig } from './untrusted.js';
import { kubeconfigJson, kubeconfigText } from './write.js';

const ORIGIN = 'Secret clusters-a/admin-kubeconfig';
const ca = createCa({ commonName: 'ca' });
const pair = ca.issueClient({ user: 'admin' });
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const EXEC = { apiVersion: 'client.authentication.k8s.io/v1', command: 'touch', args: ['/tmp/x'] };

function config(cluster: object, user: object = { token: 't' }): Record<string, unknown> {
  return {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'c', cluster: { server: 'https://a.example:6443', ...cluster } }],
    users: [{ name: 'u', user }],
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
    'current-context': 'x',
  };
}

async function refusal(text: string): Promise<string> {
  const error: unknown = await untrustedConnection(text, { origin: ORIGIN, env: {} }).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(UntrustedConfigError);
  expect(error).toBeInstanceOf(ConfigError);
  return (error as Error).message;
}

describe('a kubeconfig of others', () => {
  it.each([
    ['JSON', kubeconfigJson],
    ['YAML', kubeconfigText],
  ])('as %s gives server, CA and credentials', async (_, print) => {
    const { certPem: caPem } = ca;
    const text = print({ server: 'https://a:1/x/', caPem, serverName: 'a.example', clientCert: pair, namespace: 'n' });
    const { credentials, ...connection } = await untrustedConnection(text, { origin: ORIGIN, env: {} });
    expect(connection).toEqual({
      server: 'https://a:1/x',
      trust: { caPem, serverName: 'a.example' },
      namespace: 'n',
      context: 'capstan',
    });
    expect(await credentials.get()).toEqual({ headers: {}, certificate: pair });
  });

  it('gives a token as a bearer, and goes through the proxy of the environment', async () => {
    const text = JSON.stringify(config({}));
    const { credentials, proxyUrl } = await untrustedConnection(text, {
      origin: ORIGIN,
      env: { HTTPS_PROXY: 'http://proxy:3128' },
    });
    expect(await credentials.get()).toEqual({ headers: { authorization: 'Bearer t' } });
    expect(proxyUrl).toBe('http://proxy:3128');
  });

  it('comes down to what can be written again', async () => {
    expect(
      await untrustedKubeconfig(stringify(config({ extensions: [], 'disable-compression': true })), { origin: ORIGIN }),
    ).toEqual({
      context: 'x',
      userName: 'u',
      server: 'https://a.example:6443',
      token: 't',
    });
  });

  const held = 'refused: a kubeconfig that a cluster holds';
  const credentials = 'put a token, or client-certificate-data and client-key-data, into it';
  it.each<[string, object, string]>([
    ['exec', { exec: EXEC }, `may not run commands: ${credentials}`],
    ['exec', { token: 't', exec: {} }, `may not run commands: ${credentials}`],
    ['exec', { exec: 'sh' }, `may not run commands: ${credentials}`],
    ['auth-provider', { 'auth-provider': { name: 'oidc' } }, `may not load auth providers: ${credentials}`],
    ['tokenFile', { tokenFile: '/run/secrets/token' }, `may not name files: ${credentials}`],
    [
      'client-certificate',
      { 'client-certificate': 'a.pem' },
      'may not name files: put the certificate itself into client-certificate-data',
    ],
    ['client-key', { 'client-key': 'a.pem' }, 'may not name files: put the key itself into client-key-data'],
    ['as', { as: 'system:admin' }, `may not impersonate: ${credentials}`],
    ['as-uid', { 'as-uid': '1' }, `may not impersonate: ${credentials}`],
    ['as-groups', { 'as-groups': ['system:masters'] }, `may not impersonate: ${credentials}`],
    ['as-user-extra', { 'as-user-extra': { a: ['b'] } }, `may not impersonate: ${credentials}`],
    ['username', { username: 'a', password: 'b' }, `may not use basic authentication: ${credentials}`],
  ])('may not say %s of a user: %j', async (field, user, why) => {
    const expected = `${ORIGIN}: users[u].user.${field}: ${held} ${why}`;
    expect(await refusal(JSON.stringify(config({}, user)))).toBe(expected);
    expect(await refusal(stringify(config({}, user)))).toBe(expected);
  });

  it.each<[string, object, string]>([
    [
      'certificate-authority',
      { 'certificate-authority': '/etc/shadow' },
      `${held} may not name files: put the CA itself into certificate-authority-data`,
    ],
    [
      'insecure-skip-tls-verify',
      { 'insecure-skip-tls-verify': true },
      `${held} may not turn verification off: put the CA of the server into certificate-authority-data`,
    ],
    [
      'proxy-url',
      { 'proxy-url': 'http://evil' },
      `${held} may not choose a proxy: set HTTPS_PROXY in the environment of this process instead`,
    ],
    ...['http://a', 'a:6443', 'file:///etc/passwd', 'unix:/run/docker.sock', 'https://', 'HTTP://a'].map(
      (server): [string, object, string] => ['server', { server }, `${held} must name an https:// URL`],
    ),
    ...['https://u@a', 'https://u:p@a', 'https://a?x=1', 'https://a#x'].map((server): [string, object, string] => [
      'server',
      { server },
      'refused: the URL may have no user, query or fragment; name host, port and path',
    ]),
    ['server', { server: null }, 'must be set'],
    ['certificate-authority-data', { 'certificate-authority-data': base64('x') }, 'holds no certificate in PEM'],
    ['certificate-authority-data', { 'certificate-authority-data': ' ' }, 'holds no certificate in PEM'],
  ])('may not say %s of a cluster: %j', async (field, cluster, why) => {
    expect(await refusal(JSON.stringify(config(cluster)))).toBe(`${ORIGIN}: clusters[c].cluster.${field}: ${why}`);
  });

  it('is refused for an entry that no context uses', async () => {
    const found = config({});
    const users = [...(found['users'] as object[]), { name: 'other', user: { exec: EXEC } }];
    expect(await refusal(JSON.stringify({ ...found, users }))).toContain('users[other].user.exec: refused');
  });

  it.each([
    ['nothing', '', 'current-context: must be set'],
    ['null', 'null', 'current-context: must be set'],
    ['a list', '[]', 'expected a mapping, found a list'],
    ['text', 'hello', 'expected a mapping, found the string "hello"'],
    ['half of a document', '{"clusters":[', 'not YAML: '],
    ['an alias', 'a: &a [1]\nb: *a\n', 'not a kubeconfig: YAML with anchors (&) is refused'],
    ['a merge key', 'users: [{ name: u, user: { <<: *x } }]', 'not a kubeconfig: YAML with aliases (*) is refused'],
    ['a tag', 'a: !!binary aGk=\n', 'not a kubeconfig: YAML with tags (!) is refused'],
    ['explicit keys', '? a\n: b\n', 'not a kubeconfig: YAML with explicit keys (?) is refused'],
    ['a key twice', 'kind: Config\nkind: Config\n', 'not YAML: Map keys must be unique at line 2, column 1'],
    [
      'half a client certificate',
      JSON.stringify(config({}, { 'client-key-data': base64('k') })),
      'must be set when client-key-data is',
    ],
  ])('that is %s is refused', async (_, text, message) => {
    expect(await refusal(text)).toContain(`${ORIGIN}: `);
    expect(await refusal(text)).toContain(message);
  });

  it.each<[string, (bytes: number) => string]>([
    ['too long', (bytes) => ' '.repeat(bytes + 1)],
    ['long JSON', (bytes) => JSON.stringify({ a: 'x'.repeat(bytes) })],
    ['open brackets', (bytes) => '['.repeat(bytes)],
    ['open braces', (bytes) => '{a: '.repeat(bytes / 4)],
    ['many keys', (bytes) => 'a:\n'.repeat(bytes / 3)],
    ['nested lists', (bytes) => '- '.repeat(bytes / 2)],
    ['nested keys', (bytes) => '? '.repeat(bytes / 2)],
    ['errors', (bytes) => '}\n'.repeat(bytes / 2)],
    ['bad escapes', (bytes) => `a: "${'\\x'.repeat(bytes / 8)}"`],
    ['a bomb', () => `a: &a [x]\n${'b: &b [*a,*a]\n'.repeat(1000)}`],
  ])('of %s is refused before long', async (_, make) => {
    const began = performance.now();
    await refusal(make(MAX_UNTRUSTED_BYTES));
    expect(performance.now() - began).toBeLessThan(10_000);
  });
});
