import { Client, systemRandom } from '@capstan/kube';
import type { Manager } from '@capstan/kube';
import { ignoreNotFound } from '@capstan/meta';
import type { KubeObject, Transport } from '@capstan/meta';

export const CONFIG_MAPS = { group: '', version: 'v1', plural: 'configmaps', namespaced: true, kind: 'ConfigMap' };
const NAMESPACES = { group: '', version: 'v1', plural: 'namespaces', namespaced: false };

/** A server, and a namespace of its own on it. */
export class Fixture {
  readonly namespace = `runtime-${Buffer.from(systemRandom().bytes(4)).toString('hex')}`;
  readonly transport: Transport;
  readonly client: Client;
  /** Keeps a manager's cache to the namespace: others may use the server too. */
  readonly cache = { selectionOf: () => ({ namespace: this.namespace }) };

  private constructor(transport: Transport) {
    this.transport = transport;
    this.client = new Client(transport);
  }

  static async create(transport: Transport): Promise<Fixture> {
    const fixture = new Fixture(transport);
    const metadata = { name: fixture.namespace };
    await fixture.client.create(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata });
    return fixture;
  }

  async end(): Promise<void> {
    await this.client.delete(NAMESPACES, this.namespace);
  }

  configMap(metadata: KubeObject['metadata']): KubeObject {
    return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace: this.namespace, ...metadata } };
  }

  /** Whether a ConfigMap has the text. */
  async hasText(name: string, text: string): Promise<true | undefined> {
    const found = await this.client.get(CONFIG_MAPS, name, { namespace: this.namespace }).catch(ignoreNotFound);
    return (found?.['data'] as { text?: string } | undefined)?.text === text ? true : undefined;
  }

  async annotate(name: string, annotations: Record<string, string>): Promise<void> {
    const value = { metadata: { annotations } };
    await this.client.patch(CONFIG_MAPS, name, { type: 'merge', value }, { namespace: this.namespace });
  }
}

/** Runs a manager; gives what stops it and waits for that. */
export function start(manager: Manager): () => Promise<void> {
  const stop = new AbortController();
  const running = manager.run(stop.signal);
  running.catch(() => {});
  return () => {
    stop.abort();
    return running;
  };
}
