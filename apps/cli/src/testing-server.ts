import { Client, HttpTransport, loadConnection } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import { main } from './main.js';
import { TestIo } from './testing-io.js';

const DEFINITIONS = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
  namespaced: false,
};

/** How long anything here may take on a busy machine, in milliseconds. */
export const TIMEOUT_MS = 120_000;

/** An API server without controllers, for tests of operators. */
export interface TestServer {
  readonly kubeconfig: string;
  readonly client: Client;
  define(definitions: Iterable<object>): Promise<void>;
  close(): Promise<void>;
}

/** Starts one. */
export async function testServer(): Promise<TestServer> {
  const io = new TestIo();
  const ended = main(['apiserver', '--no-controllers'], io);
  const { kubeconfig } = JSON.parse(await io.firstLine()) as { kubeconfig: string };
  const transport = new HttpTransport(await loadConnection({ path: kubeconfig }));
  const client = new Client(transport);
  return {
    kubeconfig,
    client,
    define: async (definitions) => {
      for (const definition of definitions) await client.create(DEFINITIONS, definition as KubeObject);
    },
    close: async () => {
      await transport.close();
      io.stop();
      await ended;
    },
  };
}
