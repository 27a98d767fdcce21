import { Client, HttpTransport, loadConnection, systemClock } from '@capstan/kube';
import { waitUntil } from '@capstan/kube/testing';
import type { KubeObject } from '@capstan/meta';
import { expect, it } from 'vitest';
import { main } from '../main.js';
import { TestIo } from '../testing-io.js';
import { DEFINITIONS } from './lists.js';

const STANDARD = /\.(?:cluster\.x-k8s\.io|capi-provider\.agent-install\.openshift\.io)$/;
const LIMIT_MS = 120_000;

interface Definition extends KubeObject {
  readonly spec: {
    readonly conversion?: { readonly webhook?: { readonly clientConfig?: { readonly caBundle?: string } } };
  };
}

async function privateVersions(client: Client, names: readonly string[]): Promise<Map<string, string>> {
  const { items } = await client.list<Definition>(DEFINITIONS);
  const chosen = items.filter(({ metadata }) => names.includes(metadata.name ?? ''));
  return new Map(chosen.map(({ metadata }) => [metadata.name ?? '', metadata.resourceVersion ?? '']));
}

async function isTrusted(client: Client, names: readonly string[]): Promise<boolean> {
  const { items } = await client.list<Definition>(DEFINITIONS);
  return items
    .filter(({ metadata }) => names.includes(metadata.name ?? ''))
    .flatMap(({ spec }) => spec.conversion?.webhook ?? [])
    .every(({ clientConfig }) => clientConfig?.caBundle !== undefined);
}

it(
  'mirrors all CRDs of a management cluster that has private ones already, and changes nothing the second time',
  async () => {
    const server = new TestIo();
    const ended = main(['up', '--hosted', '0', '--fleet', '1'], server);
    const { kubeconfig } = JSON.parse(await server.firstLine()) as { kubeconfig: string };
    const transport = new HttpTransport(await loadConnection({ path: kubeconfig }));
    const client = new Client(transport);
    const mirror = async (): Promise<{ code: number; err: string; names: readonly string[] }> => {
      const io = new TestIo();
      const argv = ['crds', 'mirror', '--from-cluster', '--apply', '-o', 'name', '--kubeconfig', kubeconfig];
      const code = await main(argv, io);
      return { code, err: io.stderr, names: io.stdout.split('\n').map((line) => line.slice(line.indexOf('/') + 1)) };
    };
    try {
      const { items } = await client.list(DEFINITIONS);
      const sources = items.filter(({ metadata }) => STANDARD.test(metadata.name ?? ''));
      const first = await mirror();
      expect(first).toMatchObject({ code: 0, err: '' });
      expect(first.names.length).toBeGreaterThan(sources.length);
      // The service CA writes into those that ask for it, a moment later.
      await waitUntil('every conversion webhook has its CA bundle', () => isTrusted(client, first.names), {
        clock: systemClock(),
        limitMs: 30_000,
        everyMs: 200,
      });
      const before = await privateVersions(client, first.names);
      expect(await mirror()).toMatchObject({ code: 0, err: '' });
      expect(await privateVersions(client, first.names)).toEqual(before);
    } finally {
      await transport.close();
      server.stop();
      await ended;
    }
  },
  LIMIT_MS,
);
