import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { main } from '../main.js';
import { hostingPlatforms } from '../platforms.js';
import { createProgram } from '../program.js';
import { TestIo } from '../testing-io.js';
import { ARGUMENT_KINDS, OPTION_KINDS } from './kinds.js';
import { completionTree, flatten } from './tree.js';

const folder = mkdtempSync(join(tmpdir(), 'capstan-candidates-'));
const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  rmSync(folder, { recursive: true });
});

/** A kubeconfig of a server. */
async function serving(
  name: string,
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const file = join(folder, name);
  const contexts = ['one', 'two'].map((each) => `{name: ${each}, context: {cluster: a}}`).join(', ');
  writeFileSync(
    file,
    `clusters: [{name: a, cluster: {server: '${url}'}}]\ncontexts: [${contexts}]\ncurrent-context: one\n`,
  );
  return file;
}

async function complete(...argv: string[]): Promise<{ code: number; out: string; err: string }> {
  const io = new TestIo();
  const code = await main(['__complete', ...argv], io);
  return { code, out: io.stdout, err: io.stderr };
}

describe('names that a shell asks for', () => {
  it.each([
    [
      'hostedclusters',
      ['get', 'kubeconfig', '-n', 'there'],
      '/apis/hypershift.openshift.io/v1beta1/namespaces/there/hostedclusters',
    ],
    [
      'nodepools',
      ['destroy', 'nodepool', '--namespace=there'],
      '/apis/hypershift.openshift.io/v1beta1/namespaces/there/nodepools',
    ],
    ['hostedclusters', ['dump', 'cluster'], '/apis/hypershift.openshift.io/v1beta1/namespaces/clusters/hostedclusters'],
    ['namespaces', ['get', 'versions', '-n'], '/api/v1/namespaces'],
  ])('%s are those of the cluster, by the words typed so far: %j', async (kind, words, path) => {
    const asked: string[] = [];
    const kubeconfig = await serving(`${kind}-${words.length}`, (request, response) => {
      asked.push((request.url ?? '').split('?')[0] ?? '');
      const items = ['a', 'b'].map((name) => ({ metadata: { name } }));
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ kind: 'List', metadata: {}, items }));
    });
    expect(await complete(kind, '--', ...words, '--kubeconfig', kubeconfig)).toEqual({
      code: 0,
      out: 'a\nb\n',
      err: '',
    });
    expect(asked).toEqual([path]);
  });

  it('contexts are those of the kubeconfig', async () => {
    const kubeconfig = await serving('contexts', () => undefined);
    expect((await complete('contexts', '--', '--kubeconfig', kubeconfig)).out).toBe('one\ntwo\n');
  });

  it('rules are those that can be explained', async () => {
    expect((await complete('rules')).out).toContain('field-removed\n');
  });

  it.each<[string, (request: IncomingMessage, response: ServerResponse) => void]>([
    ['does not answer', () => undefined],
    ['refuses', (_request, response) => void response.writeHead(403).end('{}')],
    ['fails', (_request, response) => void response.destroy()],
  ])('are none, soon and without a word, where the server %s', async (name, answer) => {
    const kubeconfig = await serving(name.replaceAll(' ', '-'), answer);
    const began = performance.now();
    expect(await complete('hostedclusters', '--', '--kubeconfig', kubeconfig)).toEqual({ code: 0, out: '', err: '' });
    expect(performance.now() - began).toBeLessThan(5_000);
  });

  it('are none without a cluster', async () => {
    expect(await complete('hostedclusters')).toEqual({ code: 0, out: '', err: '' });
  });
});

it('every place that has names is one of the program', async () => {
  const tree = completionTree(
    createProgram({ io: new TestIo(), exitCode: 0, command: main, platforms: await hostingPlatforms() }),
  );
  const nodes = flatten(tree);
  const paths = nodes.map(({ path }) => path.replace('capstan ', ''));
  for (const path of Object.keys(ARGUMENT_KINDS)) expect(paths).toContain(path);
  const flags = new Set(nodes.flatMap(({ options }) => options.flatMap((option) => option.flags)));
  for (const flag of Object.keys(OPTION_KINDS)) expect(flags).toContain(flag);
  const component = nodes
    .find(({ name }) => name === 'install')
    ?.options.find((each) => each.flags.includes('--component'));
  expect(component?.choices).toEqual([
    'hypershift',
    'conversion-shim',
    'crd-compatibility',
    'capi-operator',
    'machine-api',
    'all',
  ]);
});
