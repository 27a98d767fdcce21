import { main } from '@capstan/cli';
import type { Io } from '@capstan/cli';
import { HttpTransport, loadConnection } from '@capstan/kube';
import { Client } from '@capstan/kube';
import { installDefinitions } from '@capstan/tools/hosting';
import { bothGroups, createFleet, freshNamespace, MigrationFixture } from './fixture.js';
import { HostedMigration, hostedKinds } from './hosted.js';

/** What a command printed. */
export interface Printed {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** An Io that keeps what is printed, and can be asked to stop. */
class KeptIo implements Io {
  stdout = '';
  stderr = '';
  readonly env = { HOME: '/nonexistent' };
  readonly isTty: boolean;
  readonly columns = 80;
  readonly #stops = new Set<() => void>();
  #ready: (line: string) => void = () => undefined;

  constructor(isTty = false) {
    this.isTty = isTty;
  }

  firstLine(): Promise<string> {
    return new Promise((resolve) => {
      this.#ready = resolve;
    });
  }

  out(text: string): void {
    this.stdout += text;
    if (this.stdout.includes('\n')) this.#ready(this.stdout);
  }

  err(text: string): void {
    this.stderr += text;
  }

  input(): Promise<string> {
    return Promise.resolve('');
  }

  onStop(callback: () => void): () => void {
    this.#stops.add(callback);
    return () => this.#stops.delete(callback);
  }

  onExit(): () => void {
    return () => undefined;
  }

  exit(): void {
    // Nothing to end: the test is the process.
  }

  stop(): void {
    for (const callback of this.#stops) callback();
  }
}

/** A server for `capstan migration`, with a hosted cluster for each test. */
export class CommandFixture {
  readonly kubeconfig: string;
  readonly transport: HttpTransport;
  readonly #server: KeptIo;
  readonly #ended: Promise<number>;

  private constructor(server: KeptIo, ended: Promise<number>, kubeconfig: string, transport: HttpTransport) {
    this.#server = server;
    this.#ended = ended;
    this.kubeconfig = kubeconfig;
    this.transport = transport;
  }

  static async start(): Promise<CommandFixture> {
    const server = new KeptIo();
    const line = server.firstLine();
    const ended = main(['apiserver', '--no-controllers'], server);
    const { kubeconfig } = JSON.parse(await line) as { kubeconfig: string };
    const transport = new HttpTransport(await loadConnection({ path: kubeconfig }));
    const client = new Client(transport);
    await installDefinitions(client, [...bothGroups(), ...hostedKinds()]);
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'hypershift' } };
    await client.create({ group: '', version: 'v1', plural: 'namespaces', namespaced: false }, namespace);
    return new CommandFixture(server, ended, kubeconfig, transport);
  }

  /** A hosted cluster on standard types that waits for its migration. */
  async cluster(): Promise<HostedMigration> {
    const fixture = await MigrationFixture.start(this.transport, freshNamespace());
    const hosted = await HostedMigration.create(fixture);
    await createFleet(fixture, false);
    await hosted.begin();
    return hosted;
  }

  /** Runs `capstan migration …`. */
  async run(...argv: readonly string[]): Promise<Printed> {
    return this.begin(argv).ended;
  }

  /** Runs it while the test goes on. */
  begin(argv: readonly string[], isTty = false): { readonly io: KeptIo; readonly ended: Promise<Printed> } {
    const io = new KeptIo(isTty);
    const ended = main(['migration', ...argv, '--kubeconfig', this.kubeconfig], io).then((code) => ({
      code,
      out: io.stdout,
      err: io.stderr,
    }));
    return { io, ended };
  }

  async close(): Promise<void> {
    await this.transport.close();
    this.#server.stop();
    await this.#ended;
  }
}
