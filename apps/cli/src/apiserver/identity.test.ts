import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCa, loadConnection, HttpTransport } from '@capstan/kube';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { main } from '../main.js';
import { TestIo } from '../testing-io.js';

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'capstan-identity-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** Runs a server for as long as the work takes; it must end well. */
async function serving<T>(args: readonly string[], work: (url: string, kubeconfig: string) => Promise<T>): Promise<T> {
  const io = new TestIo();
  const ended = main(['apiserver', '--no-controllers', ...args], io);
  const line = await Promise.race([io.firstLine(), ended.then((code) => `ended with ${code}: ${io.stderr}`)]);
  const { url, kubeconfig } = JSON.parse(line) as { url: string; kubeconfig: string };
  try {
    return await work(url, kubeconfig);
  } finally {
    io.stop();
    expect(await ended).toBe(0);
  }
}

async function refusal(args: readonly string[]): Promise<string> {
  const io = new TestIo();
  expect(await main(['apiserver', '--no-controllers', ...args], io)).toBe(1);
  return io.stderr;
}

interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

async function send(kubeconfig: string, method: string, target: string, body?: unknown): Promise<Answer> {
  const transport = new HttpTransport(await loadConnection({ path: kubeconfig }));
  try {
    const response = await transport.send({
      method,
      target,
      headers: { 'content-type': 'application/json' },
      body: body === undefined ? undefined : { type: 'bytes', bytes: Buffer.from(JSON.stringify(body)) },
    });
    const text = response.body.type === 'payload' ? Buffer.concat(response.body.chunks()).toString() : '{}';
    return { status: response.status, body: JSON.parse(text) as Record<string, unknown> };
  } finally {
    await transport.close();
  }
}

interface Credentials {
  readonly cert?: string;
  readonly key?: string;
  readonly token?: string;
}

function whoami(url: string, { cert, key, token }: Credentials): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asking = request(
      `${url}/apis/authentication.k8s.io/v1/selfsubjectreviews`,
      {
        method: 'POST',
        // Whose server it is does not matter here; who the client is does.
        rejectUnauthorized: false,
        agent: false,
        ...(cert === undefined ? {} : { cert, key }),
        headers: {
          'content-type': 'application/json',
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        },
      },
      (response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => (text += chunk.toString()));
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) as Record<string, unknown> }),
        );
      },
    );
    asking.on('error', reject);
    asking.end('{"apiVersion":"authentication.k8s.io/v1","kind":"SelfSubjectReview"}');
  });
}

const TOKENS = '/api/v1/namespaces/default/serviceaccounts/robot/token';
const ROBOTS = '/api/v1/namespaces/default/serviceaccounts';

describe('a server with a data directory', () => {
  it('is the same one after a restart: kubeconfigs and service account tokens go on working', async () => {
    const args = ['--data', join(folder, 'data')];
    const saved = join(folder, 'kubeconfig');
    const token = await serving([...args, '--kubeconfig-out', saved], async () => {
      expect((await send(saved, 'POST', ROBOTS, { metadata: { name: 'robot' } })).status).toBe(201);
      const made = await send(saved, 'POST', TOKENS, { spec: {} });
      return (made.body['status'] as { token: string }).token;
    });
    await serving(args, async (url) => {
      const before = readFileSync(saved, 'utf8');
      // Only the port is another.
      writeFileSync(
        saved,
        before.replace(/server: .*/, `server: ${url}`).replace(/"server":"[^"]*"/, `"server":"${url}"`),
      );
      expect((await send(saved, 'GET', ROBOTS)).status).toBe(200);
      const { body } = await whoami(url, { token });
      expect(body).toMatchObject({
        status: { userInfo: { username: 'system:serviceaccount:default:robot' } },
      });
    });
  });

  it('keeps its keys where only the owner reads them', async () => {
    await serving(['--data', join(folder, 'data')], () => Promise.resolve());
    expect(statSync(join(folder, 'data', 'identity.json')).mode & 0o077).toBe(0);
  });

  it('reads the token of its administrator from a file, so that no list of processes shows it', async () => {
    const file = join(folder, 'token');
    writeFileSync(file, 'from-a-file\n');
    await serving(['--token-file', file], (_, kubeconfig) => {
      expect(readFileSync(kubeconfig, 'utf8')).toContain('token: "from-a-file"');
      return Promise.resolve();
    });
    const hint = 'name a file of one line, without spaces, with --token-file';
    for (const text of ['', 'two words', 'two\nlines', 'x\u0000']) {
      writeFileSync(file, text);
      expect(await refusal(['--token-file', file])).toBe(`error: ${file} holds no token\n${hint}\n`);
    }
    expect(await refusal(['--token-file', join(folder, 'none')])).toBe(
      `error: cannot read ${join(folder, 'none')}\nname a file you may read with --token-file\n`,
    );
    const io = new TestIo();
    expect(await main(['apiserver', '--token', 'a', '--token-file', file], io)).toBe(2);
    expect(io.stderr).toContain("error: option '--token <token>' cannot be used with option '--token-file <file>'");
  });

  it('reports damaged keys', async () => {
    const data = join(folder, 'data');
    await serving(['--data', data], () => Promise.resolve());
    const path = join(data, 'identity.json');
    const whole = JSON.parse(readFileSync(path, 'utf8')) as Record<string, string>;
    const other = createCa({ commonName: 'other' }).keyPem;
    const cases: readonly (readonly [string, string])[] = [
      ['', 'it is empty'],
      ['{"caCert":', 'it is no JSON'],
      ['null', 'it is no JSON object'],
      ['[]', 'it is no JSON object'],
      ['1', 'it is no JSON object'],
      ['{}', 'caCert is missing'],
      [JSON.stringify({ ...whole, token: null }), 'token is missing'],
      [JSON.stringify({ ...whole, caKey: 7 }), 'caKey is missing'],
      [JSON.stringify({ ...whole, caCert: 'x' }), 'caCert and caKey are no CA with its key in PEM'],
      [JSON.stringify({ ...whole, caKey: other }), 'caCert and caKey are no CA with its key in PEM'],
      [JSON.stringify({ ...whole, signingKey: 'x' }), 'signingKey is no RSA or P-256 private key in PEM'],
    ];
    const hint =
      'restore it from a backup, or remove it: clients then need the new kubeconfig and new service account tokens';
    for (const [text, problem] of cases) {
      writeFileSync(path, text);
      expect(await refusal(['--data', data])).toBe(
        `error: ${path} is not what was written there: ${problem}\n${hint}\n`,
      );
    }
    rmSync(path);
    mkdirSync(path);
    expect(await refusal(['--data', data])).toBe(
      `error: cannot use ${path} as the data of an earlier run: it is a directory\n${hint}\n`,
    );
  });
});

describe('client certificates', () => {
  it('of a named CA are believed: the name is the user, organizations are groups', async () => {
    const ca = createCa({ commonName: 'others' });
    const file = join(folder, 'ca.crt');
    writeFileSync(file, ca.certPem);
    const { certPem, keyPem } = ca.issueClient({ user: 'carol', groups: ['system:masters'] });
    await serving(['--client-ca-file', file], async (url) => {
      expect(await whoami(url, { cert: certPem, key: keyPem })).toMatchObject({
        status: 201,
        body: { status: { userInfo: { username: 'carol', groups: ['system:masters', 'system:authenticated'] } } },
      });
    });
  });

  it('of strangers let nobody in', async () => {
    const { certPem, keyPem } = createCa({ commonName: 'strangers' }).issueClient({
      user: 'mallory',
      groups: ['system:masters'],
    });
    await serving([], async (url) => {
      expect((await whoami(url, { cert: certPem, key: keyPem })).status).toBe(401);
    });
  });
});

describe('files that do not hold what they should', () => {
  it('are named', async () => {
    const file = join(folder, 'file');
    writeFileSync(file, 'nothing');
    const missing = join(folder, 'missing');
    expect(await refusal(['--client-ca-file', missing])).toContain(`cannot read ${missing}`);
    expect(await refusal(['--client-ca-file', file])).toContain(`${file} holds no certificate`);
    expect(await refusal(['--service-account-signing-key-file', file])).toContain(
      `${file} holds no key that tokens can be signed with`,
    );
    const { privateKey } = generateKeyPairSync('ed25519');
    writeFileSync(file, privateKey.export({ type: 'pkcs8', format: 'pem' }));
    expect(await refusal(['--service-account-signing-key-file', file])).toContain('RSA or P-256');
  });
});

describe('the audit log', () => {
  it('has a line of JSON for each request', async () => {
    const log = join(folder, 'audit.log');
    const policy = join(folder, 'policy.yaml');
    writeFileSync(
      policy,
      'apiVersion: audit.k8s.io/v1\nkind: Policy\nrules:\n- level: Request\n  verbs: [create]\nomitStages: [RequestReceived]\n',
    );
    await serving(['--audit-log-path', log, '--audit-policy-file', policy], async (_, kubeconfig) => {
      await send(kubeconfig, 'POST', ROBOTS, { metadata: { name: 'robot' } });
      await send(kubeconfig, 'GET', ROBOTS);
    });
    const lines = readFileSync(log, 'utf8').trimEnd().split('\n');
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      level: 'Request',
      verb: 'create',
      user: { username: 'capstan-admin' },
      sourceIPs: ['127.0.0.1'],
      objectRef: { resource: 'serviceaccounts', namespace: 'default', name: 'robot' },
      requestObject: { metadata: { name: 'robot' } },
      responseStatus: { code: 201 },
    });
    expect(statSync(log).mode & 0o077).toBe(0);
  });

  it('is not begun with a policy that is wrong, or for none', async () => {
    const policy = join(folder, 'policy.yaml');
    writeFileSync(policy, 'apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: [{level: Most}]\n');
    expect(await refusal(['--audit-policy-file', policy])).toContain('name the log with --audit-log-path');
    expect(await refusal(['--audit-policy-file', policy, '--audit-log-path', join(folder, 'log')])).toContain(
      'rules[0].level: Unsupported value: "Most"',
    );
    expect(await refusal(['--audit-log-path', join(folder, 'no', 'log')])).toContain('there is no place for it');
  });
});
