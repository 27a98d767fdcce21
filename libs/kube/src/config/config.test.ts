import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { createCa } from '../certs/certificates.js';
import { ManualClock } from '../testing/manual-clock.js';
import { ConfigError } from './fields.js';
import { inClusterConnection, loadConnection } from './load.js';
import { kubeconfigJson, kubeconfigText, writeKubeconfig } from './write.js';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'capstan-config-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

function write(name: string, content: unknown): string {
  const path = join(folder, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

interface Parts {
  cluster?: Record<string, unknown>;
  user?: Record<string, unknown>;
  context?: Record<string, unknown>;
}

function config({ cluster = { server: 'https://a:6443' }, user = {}, context = {} }: Parts = {}): unknown {
  return {
    'current-context': 'ctx',
    contexts: [{ name: 'ctx', context: { cluster: 'c', user: 'u', ...context } }],
    clusters: [{ name: 'c', cluster }],
    users: [{ name: 'u', user }],
  };
}

describe('loadConnection', () => {
  it.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    ['a token', { token: 'abc' }, { authorization: 'Bearer abc' }],
    [
      'a user name and password',
      { username: 'u', password: 'p:x' },
      { authorization: `Basic ${Buffer.from('u:p:x').toString('base64')}` },
    ],
    [
      'impersonation',
      { token: 't', as: 'bob', 'as-groups': ['g', 'h'], 'as-uid': '7', 'as-user-extra': { 'Scope/x': ['1'] } },
      {
        authorization: 'Bearer t',
        'impersonate-user': 'bob',
        'impersonate-uid': '7',
        'impersonate-group': ['g', 'h'],
        'impersonate-extra-scope%2fx': ['1'],
      },
    ],
    ['nothing', {}, {}],
  ])('reads %s', async (_name, user, headers) => {
    const connection = await loadConnection({ path: write('config', config({ user })) });
    expect((await connection.credentials.get()).headers).toEqual(headers);
  });

  it('takes up a client certificate that was renewed in its files, once both fit', async () => {
    const ca = createCa({ commonName: 'ca' });
    const [old, next] = [ca.issueClient({ user: 'u' }), ca.issueClient({ user: 'u' })];
    write('tls.crt', old.certPem);
    write('tls.key', old.keyPem);
    const clock = new ManualClock();
    const user = { 'client-certificate': 'tls.crt', 'client-key': 'tls.key' };
    const { credentials } = await loadConnection({ path: write('config', config({ user })), clock });
    const first = (await credentials.get()).certificate;
    expect(first).toEqual(old);
    write('tls.key', next.keyPem);
    await clock.advance(10_000);
    expect((await credentials.get()).certificate).toBe(first);
    write('tls.crt', next.certPem);
    expect((await credentials.get()).certificate).toBe(first);
    await clock.advance(10_000);
    expect((await credentials.get()).certificate).toEqual(next);
    write('tls.crt', old.certPem);
    write('tls.key', old.keyPem);
    expect(credentials.refresh()).toBe(true);
    expect((await credentials.get()).certificate).toEqual(old);
  });

  it('reads certificates inline or from files in the folder of the kubeconfig, and the rest of the cluster', async () => {
    const pair = createCa({ commonName: 'ca' }).issueClient({ user: 'u' });
    write('client.key', pair.keyPem);
    write('ca.crt', 'the ca');
    const user = {
      'client-certificate-data': Buffer.from(pair.certPem).toString('base64'),
      'client-key': 'client.key',
    };
    const cluster = {
      server: 'https://a:1/path/',
      'certificate-authority': 'ca.crt',
      'tls-server-name': 'kube',
      'proxy-url': 'socks5://p:1',
    };
    const connection = await loadConnection({
      path: write('config', config({ user, cluster, context: { namespace: 'team' } })),
    });
    expect(connection).toMatchObject({
      server: 'https://a:1/path',
      proxyUrl: 'socks5://p:1',
      trust: { caPem: 'the ca', insecureSkipVerify: false, serverName: 'kube' },
      namespace: 'team',
      context: 'ctx',
    });
    expect((await connection.credentials.get()).certificate).toEqual(pair);
  });

  it('keeps credentials back from a server without TLS', async () => {
    const connection = await loadConnection({
      path: write('config', config({ cluster: { server: 'http://a' }, user: { token: 'secret' } })),
    });
    expect(await connection.credentials.get()).toEqual({ headers: {} });
  });

  it('merges the files of KUBECONFIG, the first to name a thing winning, missing ones skipped', async () => {
    const one = write('one', {
      contexts: [{ name: 'ctx', context: { cluster: 'c' } }],
      clusters: [{ name: 'c', cluster: { server: 'https://one' } }],
    });
    const two = write('two', config({ cluster: { server: 'https://two' }, user: { token: 'two' } }));
    const env = { KUBECONFIG: [join(folder, 'missing'), one, two].join(':') };
    expect((await loadConnection({ env })).server).toBe('https://one');
    const second = { ...env, KUBECONFIG: [two, one].join(':') };
    expect((await loadConnection({ env: second })).server).toBe('https://two');
  });

  it('falls back to the home directory, and takes the context asked for', async () => {
    const home = join(folder, 'home');
    mkdirSync(join(home, '.kube'), { recursive: true });
    const document = {
      'current-context': 'a',
      contexts: ['a', 'b'].map((name) => ({ name, context: { cluster: name } })),
      clusters: ['a', 'b'].map((name) => ({ name, cluster: { server: `https://${name}` } })),
    };
    writeFileSync(join(home, '.kube', 'config'), JSON.stringify(document));
    expect((await loadConnection({ env: {}, home })).server).toBe('https://a');
    expect((await loadConnection({ env: {}, home, context: 'b' })).server).toBe('https://b');
  });

  it.each<[string, unknown, string]>([
    ['a broken document', 'a: [', 'not YAML: '],
    ['a list', '[]', 'expected a mapping, found a list'],
    ['no current context', { contexts: [] }, 'current-context: must be set'],
    ['a missing context', { 'current-context': 'x' }, 'context "x" does not exist'],
    [
      'a missing cluster',
      { 'current-context': 'x', contexts: [{ name: 'x', context: { cluster: 'y' } }] },
      'contexts[x].context.cluster: there is no cluster "y"',
    ],
    ['a missing user', config({ context: { user: 'v' } }), 'contexts[ctx].context.user: there is no user "v"'],
    ['a nameless cluster', { clusters: [{}] }, 'clusters[0].name: must be set'],
    ['no server', config({ cluster: {} }), 'clusters[c].cluster.server: must be set'],
    [
      'a strange server',
      config({ cluster: { server: 'ftp://x' } }),
      'clusters[c].cluster.server: "ftp://x" must be an http or https URL',
    ],
    [
      'a proxy',
      config({ cluster: { server: 'https://x', 'proxy-url': 'ftp://p' } }),
      'clusters[c].cluster.proxy-url: unsupported scheme in "ftp://p", must be http, https, or socks5',
    ],
    [
      'trust twice over',
      config({
        cluster: { server: 'https://x', 'insecure-skip-tls-verify': true, 'certificate-authority-data': 'YQ==' },
      }),
      'clusters[c].cluster.insecure-skip-tls-verify: cannot be combined with a CA',
    ],
    [
      'a token that is a number',
      config({ user: { token: 123 } }),
      'users[u].user.token: expected a string, found the number 123',
    ],
    [
      'data that is not base64',
      config({ user: { 'client-certificate-data': '???' } }),
      'users[u].user.client-certificate-data: is not base64',
    ],
    [
      'a key without certificate',
      config({ user: { 'client-key-data': 'YQ==' } }),
      'users[u].user.client-certificate: must be set when client-key is',
    ],
    [
      'an old auth provider',
      config({ user: { 'auth-provider': { name: 'gcp' } } }),
      'users[u].user.auth-provider: auth providers were removed from Kubernetes: use an exec plugin',
    ],
    [
      'two ways in',
      config({ user: { token: 'a', username: 'b' } }),
      'users[u].user.username: cannot be combined with a token',
    ],
    [
      'an old exec plugin',
      config({ user: { exec: { apiVersion: 'client.authentication.k8s.io/v1alpha1' } } }),
      'users[u].user.exec.apiVersion: "client.authentication.k8s.io/v1alpha1" is not supported: use client.authentication.k8s.io/v1',
    ],
    [
      'an exec plugin of unknown manners',
      config({ user: { exec: { apiVersion: 'client.authentication.k8s.io/v1', command: 'x' } } }),
      'users[u].user.exec.interactiveMode: must be set to Never, IfAvailable or Always',
    ],
    [
      'groups without a user',
      config({ user: { 'as-groups': ['g'] } }),
      'users[u].user.as: must be set when impersonating a uid or groups',
    ],
  ])('names file and field on %s', async (_name, content, problem) => {
    const path = write('config', content);
    const error: unknown = await loadConnection({ path }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ConfigError);
    expect((error as ConfigError).message.startsWith(`${path}: ${problem}`)).toBe(true);
  });

  it('reports what to do when there is no kubeconfig, and when the given file is missing', async () => {
    await expect(loadConnection({ env: {}, home: folder })).rejects.toThrow(
      'no kubeconfig found: give a path, set KUBECONFIG or create ~/.kube/config',
    );
    await expect(loadConnection({ path: join(folder, 'no') })).rejects.toThrow(`${join(folder, 'no')}: no such file`);
  });
});

describe('token files', () => {
  it('are read again when rotated, and outlive a moment without the file', async () => {
    const clock = new ManualClock();
    const path = write('token', 'one\n');
    const connection = await loadConnection({ clock, path: write('config', config({ user: { tokenFile: 'token' } })) });
    const token = async (): Promise<unknown> => (await connection.credentials.get()).headers['authorization'];
    expect(await token()).toBe('Bearer one');
    writeFileSync(path, 'second');
    expect(await token()).toBe('Bearer one');
    await clock.advance(10_001);
    expect(await token()).toBe('Bearer second');
    rmSync(path);
    expect(connection.credentials.refresh()).toBe(true);
    expect(await token()).toBe('Bearer second');
  });
});

describe('exec plugins', () => {
  async function plugin(script: string, extra: Record<string, unknown> = {}, clock = new ManualClock()) {
    const path = join(folder, 'plugin.sh');
    writeFileSync(path, `#!/bin/sh\n${script}\n`);
    chmodSync(path, 0o755);
    const exec = {
      apiVersion: 'client.authentication.k8s.io/v1',
      interactiveMode: 'Never',
      command: './plugin.sh',
      ...extra,
    };
    return (await loadConnection({ clock, path: write('config', config({ user: { exec } })) })).credentials;
  }

  it('are run once until their credential expires', async () => {
    const clock = new ManualClock();
    const expires = new Date(clock.now() + 60_000).toISOString();
    const script = `echo run >> "${folder}/runs"
echo "{\\"kind\\":\\"ExecCredential\\",\\"apiVersion\\":\\"client.authentication.k8s.io/v1\\",\\"status\\":{\\"token\\":\\"$1-$FOO-$(wc -l < "${folder}/runs" | tr -d ' ')\\",\\"expirationTimestamp\\":\\"${expires}\\"}}"`;
    const credentials = await plugin(script, { args: ['arg'], env: [{ name: 'FOO', value: 'foo' }] }, clock);
    const token = async (): Promise<unknown> => (await credentials.get()).headers['authorization'];
    expect(await Promise.all([token(), token()])).toEqual(['Bearer arg-foo-1', 'Bearer arg-foo-1']);
    await clock.advance(49_000);
    expect(await token()).toBe('Bearer arg-foo-1');
    await clock.advance(1_000);
    expect(await token()).toBe('Bearer arg-foo-2');
    credentials.refresh();
    expect(await token()).toBe('Bearer arg-foo-3');
  });

  it('receive the cluster they are for', async () => {
    const script = `printf %s "$KUBERNETES_EXEC_INFO" > "${folder}/info"
echo '{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","status":{"token":"t"}}'`;
    await (await plugin(script, { provideClusterInfo: true })).get();
    expect(JSON.parse(readFileSync(join(folder, 'info'), 'utf8'))).toEqual({
      kind: 'ExecCredential',
      apiVersion: 'client.authentication.k8s.io/v1',
      spec: { cluster: { server: 'https://a:6443' }, interactive: false },
    });
  });

  it.each<[string, string, string]>([
    ['fail', 'echo no luck >&2; exit 3', 'failed (3): no luck'],
    ['do not print JSON', 'echo hello', 'did not print JSON'],
    [
      'answer in another version',
      `echo '{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1beta1"}'`,
      'output.apiVersion: expected client.authentication.k8s.io/v1, found client.authentication.k8s.io/v1beta1',
    ],
    [
      'give nothing',
      `echo '{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","status":{}}'`,
      'output.status.token: neither a token nor a certificate was given',
    ],
  ])('are complained about by name when they %s', async (_name, script, problem) => {
    const credentials = await plugin(script);
    const error: unknown = await Promise.resolve(credentials.get()).catch((thrown: unknown) => thrown);
    expect((error as Error).message).toContain(`${join(folder, 'config')}: users[u].user.exec`);
    expect((error as Error).message).toContain(problem);
  });

  it('come with a hint when they are not installed', async () => {
    const credentials = await plugin('', { command: 'capstan-no-such-plugin', installHint: 'install it so' });
    await expect(credentials.get()).rejects.toThrow(
      'credential plugin "capstan-no-such-plugin" failed (ENOENT)\ninstall it so',
    );
  });
});

describe('inClusterConnection', () => {
  it('reads the service account of the pod', async () => {
    for (const [name, content] of [
      ['token', 'tok'],
      ['ca.crt', 'pem'],
      ['namespace', 'mine\n'],
    ] as const)
      write(name, content);
    const env = { KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '443' };
    const connection = await loadConnection({ env, home: folder, serviceAccountDir: folder, clock: new ManualClock() });
    expect(connection).toMatchObject({ server: 'https://[fd00::1]:443', trust: { caPem: 'pem' }, namespace: 'mine' });
    expect((await connection.credentials.get()).headers).toEqual({ authorization: 'Bearer tok' });
    await expect(inClusterConnection({ env: {} })).rejects.toThrow('not in a cluster');
  });
});

describe('writeKubeconfig', () => {
  it('writes a private file that loads back, replacing the old one whole', async () => {
    const ca = createCa({ commonName: 'ca' });
    const clientCert = ca.issueClient({ user: 'admin', groups: ['system:masters'] });
    const path = join(folder, 'deep', 'kubeconfig');
    await writeKubeconfig({ path, server: 'https://old', token: 'x' });
    await writeKubeconfig({
      path,
      server: 'https://127.0.0.1:6443',
      caPem: ca.certPem,
      clientCert,
      namespace: 'n',
      name: 'dev',
    });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(folder, 'deep'))).toEqual(['kubeconfig']);
    const connection = await loadConnection({ path });
    expect(connection).toMatchObject({
      server: 'https://127.0.0.1:6443',
      trust: { caPem: ca.certPem },
      namespace: 'n',
      context: 'dev',
    });
    expect((await connection.credentials.get()).certificate).toEqual({
      certPem: clientCert.certPem,
      keyPem: clientCert.keyPem,
    });
  });

  it('writes what kubectl expects', () => {
    expect(kubeconfigText({ server: 'https://s', token: 't', userName: 'admin' })).toBe(`apiVersion: v1
kind: Config
clusters:
  - name: "capstan"
    cluster:
      server: "https://s"
users:
  - name: "admin"
    user:
      token: "t"
contexts:
  - name: "capstan"
    context:
      cluster: "capstan"
      user: "admin"
current-context: "capstan"
`);
  });

  it('keeps texts that YAML would read as something else', () => {
    const text = kubeconfigText({ server: 'https://s', token: 'yes: "no"\n# 0777', namespace: 'null' });
    expect(parse(text)).toMatchObject({
      users: [{ user: { token: 'yes: "no"\n# 0777' } }],
      contexts: [{ context: { namespace: 'null' } }],
    });
  });
});

it('a kubeconfig as JSON equals one as YAML', async () => {
  const options = { server: 'https://a:1/x', caPem: 'CA', token: 't', namespace: 'n', name: 'c', userName: 'u' };
  const [json, yaml] = await Promise.all([
    loadConnection({ path: write('json', kubeconfigJson(options)), env: {} }),
    loadConnection({ path: write('yaml', kubeconfigText(options)), env: {} }),
  ]);
  const { credentials: ours, ...rest } = json;
  const { credentials: theirs, ...same } = yaml;
  expect(rest).toEqual(same);
  expect(await ours.get()).toEqual(await theirs.get());
  expect(rest).toEqual({
    server: 'https://a:1/x',
    trust: { caPem: 'CA', insecureSkipVerify: false },
    namespace: 'n',
    context: 'c',
  });
});

it('a pod of this process runs no command that its kubeconfig names', async () => {
  const exec = { apiVersion: 'client.authentication.k8s.io/v1', command: 'sh', interactiveMode: 'Never' };
  const text = JSON.stringify({
    clusters: [{ name: 'c', cluster: { server: 'https://a' } }],
    users: [{ name: 'u', user: { exec } }],
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
    'current-context': 'x',
  });
  const files = { read: () => Promise.resolve(text) };
  await expect(loadConnection({ path: '/mounted', env: {}, files })).rejects.toThrow(
    '/mounted: users[u].user.exec: refused: a pod of this process runs no commands; use a token',
  );
});
