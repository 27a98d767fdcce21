import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { createCa, writeKubeconfig } from '@capstan/kube';

/** An API server that gives the answers a test scripts, over TLS. A path without a scripted answer is not found. */
export interface ScriptedServer {
  readonly url: string;
  readonly caPem: string;
  /** Paths that were asked for, without their queries. */
  readonly asked: readonly string[];
  close(): Promise<void>;
}

const NOT_FOUND = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', reason: 'NotFound', code: 404 };

/** Answers by path: texts as they are, all else as JSON. */
export async function scriptedServer(answers: ReadonlyMap<string, unknown>): Promise<ScriptedServer> {
  const ca = createCa({ commonName: 'scripted' });
  const { certPem, keyPem } = ca.issueServing({ commonName: 'scripted', ipAddresses: ['127.0.0.1'] });
  const asked: string[] = [];
  const server = createServer({ cert: certPem, key: keyPem }, (request, response) => {
    const [path = ''] = (request.url ?? '').split('?');
    asked.push(path);
    const answer = answers.get(decodeURIComponent(path));
    const type = typeof answer === 'string' ? 'text/plain' : 'application/json';
    response.writeHead(answer === undefined ? 404 : 200, { 'content-type': type });
    response.end(typeof answer === 'string' ? answer : JSON.stringify(answer ?? NOT_FOUND));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    caPem: ca.certPem,
    asked,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Writes the kubeconfig of an administrator of that server. */
export async function writeAccess({ caPem, url }: ScriptedServer, path: string): Promise<string> {
  await writeKubeconfig({ path, server: url, caPem, token: 'administrator' });
  return path;
}

const BIN = fileURLToPath(import.meta.resolve('@capstan/cli')).replace(/\/dist\/.*$/, '/bin/capstan.js');

/** How a run of the program ended. */
export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Runs the program as a process of its own. */
export async function capstan(argv: readonly string[], env: Record<string, string> = {}): Promise<Ended> {
  const child = spawn(process.execPath, [BIN, ...argv], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], HOME: '/nonexistent', ...env },
  });
  const output = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output.out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output.err += text));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, ...output };
}

/** What a server has to say so that `dump cluster a` and `get kubeconfig a` find a hosted cluster. */
export function hostedClusterAnswers(more: Readonly<Record<string, unknown>>): Map<string, unknown> {
  const hosted = '/apis/hypershift.openshift.io/v1beta1/namespaces/clusters';
  const list = { kind: 'List', apiVersion: 'v1', metadata: { resourceVersion: '1' }, items: [] };
  return new Map<string, unknown>([
    [
      `${hosted}/hostedclusters/a`,
      {
        apiVersion: 'hypershift.openshift.io/v1beta1',
        kind: 'HostedCluster',
        metadata: { name: 'a', namespace: 'clusters' },
        status: { kubeconfig: { name: 'a-admin-kubeconfig' } },
      },
    ],
    [`${hosted}/nodepools`, list],
    ['/api', { kind: 'APIVersions', versions: ['v1'] }],
    ['/apis', { kind: 'APIGroupList', apiVersion: 'v1', groups: [] }],
    ['/api/v1', { kind: 'APIResourceList', groupVersion: 'v1', resources: [] }],
    ...Object.entries(more),
  ]);
}
