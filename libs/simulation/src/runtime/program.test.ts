import { connect } from 'node:net';
import { PassThrough } from 'node:stream';
import { ApiServer, serveHttp, tokenAuthenticator } from '@capstan/apiserver';
import { MemoryLink, PodRuntime } from '@capstan/cluster';
import type { ContainerContext, ProgramNetwork, RunningProgram } from '@capstan/cluster';
import {
  BadUsage,
  Client,
  defineOperator,
  kubeconfigText,
  Manager,
  silentLogger,
  systemClock,
  systemRandom,
} from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { operatorProgram } from './program.js';

const CONFIG_MAPS = { group: '', version: 'v1', plural: 'configmaps', namespaced: true, kind: 'ConfigMap' };
const ACCOUNT_DIR = '/var/run/secrets/kubernetes.io/serviceaccount';

/** Marks every ConfigMap of its namespace. */
const marker = defineOperator({
  name: 'marker',
  flags: { mark: 'string' },
  build: ({ flags, namespace, options }) => {
    const { mark } = flags;
    if (mark === undefined) throw new BadUsage('--mark must be given');
    const manager = new Manager({ ...options, cache: { selectionOf: () => ({ namespace }) } });
    const controller = manager.controller({
      name: 'marker',
      reconcile: async ({ name, namespace: of }, { logger }) => {
        const value = { data: { mark } };
        await manager.client.patch(CONFIG_MAPS, name, { type: 'merge', value }, { namespace: of });
        logger.info('marked', { mark });
      },
    });
    controller.for(CONFIG_MAPS);
    return manager;
  },
});

interface Fixture {
  readonly server: ApiServer;
  readonly admin: Client;
  readonly network: ProgramNetwork;
}

function fixture(): Fixture {
  const [clock, random] = [systemClock(), systemRandom()];
  const user = { username: 'admin', groups: ['system:masters', 'system:authenticated'] };
  const server = new ApiServer({
    clock,
    random,
    authorization: 'rbac',
    authenticate: tokenAuthenticator(new Map([['sidecar-token', user]])),
  });
  const admin = new Client(server, { user });
  const runtime = new PodRuntime({ client: admin, clock, random, logger: silentLogger(), link: new MemoryLink() });
  return { server, admin, network: runtime.network.attach('10.0.0.9', 'default') };
}

async function tokenOf(admin: Client, name: string): Promise<string> {
  const accounts = { group: '', version: 'v1', plural: 'serviceaccounts', namespaced: true };
  await admin.create(accounts, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace: 'default' } });
  const asked = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', metadata: {}, spec: {} };
  const made = await admin.create(accounts, asked, { namespace: 'default', name, subresource: 'token' });
  return (made as unknown as { status: { token: string } }).status.token;
}

async function bind(admin: Client, name: string, role: string): Promise<void> {
  await admin.create({ group: 'rbac.authorization.k8s.io', version: 'v1', plural: 'rolebindings', namespaced: true }, {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'RoleBinding',
    metadata: { name, namespace: 'default' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
    subjects: [{ kind: 'ServiceAccount', name, namespace: 'default' }],
  } as KubeObject);
}

let programs: RunningProgram[] = [];
let ended = new AbortController();

beforeEach(() => {
  programs = [];
  ended = new AbortController();
});

afterEach(async () => {
  for (const program of programs) program.kill();
  await Promise.all(programs.map((program) => program.exited));
  ended.abort();
});

/** A container with these files, and what it has written so far. */
function container(
  given: Partial<ContainerContext> & { readonly network: ProgramNetwork },
  files: Record<string, string>,
): { context: ContainerContext; output: () => string } {
  let written = '';
  const out = (): PassThrough => new PassThrough().on('data', (chunk: Buffer) => (written += chunk.toString()));
  const missing = (path: string): Promise<never> => Promise.reject(new Error(`open ${path}: no such file`));
  const context: ContainerContext = {
    pod: {
      namespace: 'default',
      name: 'marker-0',
      uid: 'u',
      ip: given.network.ip,
      nodeName: 'node',
      serviceAccountName: 'marker',
      labels: {},
      annotations: {},
    },
    name: 'main',
    image: 'marker:1',
    command: [],
    args: [],
    env: { KUBERNETES_SERVICE_HOST: '10.96.0.1', KUBERNETES_SERVICE_PORT: '443' },
    mounts: {
      read: (path) => (files[path] === undefined ? missing(path) : Promise.resolve(Buffer.from(files[path]))),
      list: () => Object.keys(files),
      write: () => undefined,
      remove: () => undefined,
      watch: () => () => undefined,
    },
    stdin: new PassThrough(),
    stdout: out(),
    stderr: out(),
    clock: systemClock(),
    random: systemRandom(),
    signal: ended.signal,
    ...given,
  };
  return { context, output: () => written };
}

async function run(program: ReturnType<typeof operatorProgram>, context: ContainerContext): Promise<RunningProgram> {
  const running = await program(context);
  programs.push(running);
  return running;
}

async function marked(admin: Client, mark: string): Promise<void> {
  await expect
    .poll(async () => (await admin.get(CONFIG_MAPS, 'c', { namespace: 'default' }))['data'], { timeout: 10_000 })
    .toEqual({ mark });
}

const configMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c', namespace: 'default' } };

describe('an operator in a container', () => {
  it('works with the permissions of its own service account, and no more', async () => {
    const { admin, network, server } = fixture();
    const files = {
      [`${ACCOUNT_DIR}/token`]: await tokenOf(admin, 'marker'),
      [`${ACCOUNT_DIR}/ca.crt`]: 'unused: the server is in this process',
      [`${ACCOUNT_DIR}/namespace`]: 'default',
    };
    await admin.create(CONFIG_MAPS, configMap);
    const { context, output } = container({ network, args: ['--mark=a'] }, files);
    const codes: number[] = [];
    const apiServer = {
      handle: async (request: Parameters<ApiServer['handle']>[0]) => {
        const response = await server.handle(request);
        codes.push(response.status);
        return response;
      },
    };
    const running = await run(operatorProgram(marker, { apiServer }), context);
    await expect.poll(() => codes, { timeout: 10_000 }).toContain(403);
    expect(new Set(codes)).toEqual(new Set([403]));
    await bind(admin, 'marker', 'edit');
    await marked(admin, 'a');
    expect(output()).toMatch(/INFO "marked" .*mark="a"/);
    running.stop();
    expect(await running.exited).toBe(0);
  });

  it('reaches its cluster through a sidecar on localhost, and serves probes and metrics on the pod', async () => {
    const { admin, network, server } = fixture();
    const front = await serveHttp(
      {
        handle: (request) =>
          server.handle({ ...request, headers: { ...request.headers, authorization: 'Bearer sidecar-token' } }),
      },
      { port: 0 },
    );
    try {
      await network.listen(8080, (connection) => {
        const socket = connect(front.port, '127.0.0.1');
        connection.pipe(socket).pipe(connection);
        for (const each of [connection, socket]) each.on('error', () => undefined);
      });
      await admin.create(CONFIG_MAPS, configMap);
      const args = [
        '--kubeconfig=/etc/proxy/kubeconfig',
        '--mark',
        'b',
        '--health-addr=:9440',
        '--metrics-bind-addr=:8081',
      ];
      const files = { '/etc/proxy/kubeconfig': kubeconfigText({ server: 'http://localhost:8080' }) };
      const { context } = container({ network, command: ['/manager'], args, env: {} }, files);
      const running = await run(operatorProgram(marker), context);
      await marked(admin, 'b');
      expect(await fetched(network, 9440, '/readyz')).toMatch(/^HTTP\/1\.1 200 OK[^]*ok/);
      expect(await fetched(network, 8081, '/metrics')).toMatch(
        /controller_runtime_reconcile_total\{.*controller="marker"/,
      );
      running.stop();
      expect(await running.exited).toBe(0);
    } finally {
      await front.close();
    }
  });

  it.each<[string[], string]>([
    [['--mark=a', '--colour=red'], 'unknown flag: --colour'],
    [[], '--mark must be given'],
    [['--mark=a', '--kubeconfig=/none'], 'marker: /none: no such file'],
  ])('ends with 1 and a message for the arguments %j', async (args, message) => {
    const { network, server } = fixture();
    const files = { [`${ACCOUNT_DIR}/token`]: 't', [`${ACCOUNT_DIR}/ca.crt`]: 'x' };
    const { context, output } = container({ network, args }, files);
    const running = await run(operatorProgram(marker, { apiServer: server }), context);
    expect(await running.exited).toEqual({ exitCode: 1, message });
    expect(output()).toBe(`${message}\n`);
  });

  it('asks for nothing any more once it is killed', async () => {
    const { admin, network, server } = fixture();
    const files = { [`${ACCOUNT_DIR}/token`]: await tokenOf(admin, 'marker'), [`${ACCOUNT_DIR}/ca.crt`]: 'x' };
    await bind(admin, 'marker', 'edit');
    await admin.create(CONFIG_MAPS, configMap);
    let asked = 0;
    const counting = {
      handle: (request: Parameters<ApiServer['handle']>[0]) => ((asked += 1), server.handle(request)),
    };
    const { context } = container({ network, args: ['--mark=a'] }, files);
    const running = await run(operatorProgram(marker, { apiServer: counting }), context);
    await marked(admin, 'a');
    running.kill();
    const before = asked;
    await admin.patch(
      CONFIG_MAPS,
      'c',
      { type: 'merge', value: { data: { mark: 'other' } } },
      { namespace: 'default' },
    );
    await running.exited;
    expect(asked).toBe(before);
    await marked(admin, 'other');
  });
});

async function fetched(network: ProgramNetwork, port: number, path: string): Promise<string> {
  const connection = await network.dial('localhost', port);
  connection.write(`GET ${path} HTTP/1.1\r\nHost: pod\r\nConnection: close\r\n\r\n`);
  let text = '';
  for await (const chunk of connection as AsyncIterable<Buffer>) text += chunk.toString();
  return text;
}
