import { main } from '@capstan/cli';
import type { Io } from '@capstan/cli';
import { HOSTED_CLUSTERS } from '@capstan/hosting';
import { Client, HttpTransport, loadConnection } from '@capstan/kube';
import { ignoreNotFound, setCondition } from '@capstan/meta';
import type { Condition, KubeObject } from '@capstan/meta';
import { installDefinitions } from '@capstan/tools/hosting';
import { bothGroups, createFleet, freshNamespace, kindOf, MigrationFixture, PRIVATE } from './fixture.js';
import { DEPLOYMENTS, HostedMigration, hostedKinds } from './hosted.js';

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
  async cluster(namespace = freshNamespace()): Promise<HostedMigration> {
    const fixture = await MigrationFixture.start(this.transport, namespace);
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

/** Sets annotations of HyperShift. */
export async function annotate(
  hosted: HostedMigration,
  annotations: Readonly<Record<string, string | null>>,
): Promise<void> {
  const named = Object.entries(annotations).map(([key, value]) => [`hypershift.openshift.io/${key}`, value]);
  const value = { metadata: { annotations: Object.fromEntries(named) as object } };
  const at = { namespace: 'clusters' };
  await hosted.fixture.client.patch(HOSTED_CLUSTERS, hosted.name, { type: 'merge', value }, at);
}

/** As its operators would report it. */
export async function makeHealthy(hosted: HostedMigration): Promise<void> {
  const { client, namespace } = hosted.fixture;
  const value = { status: { replicas: 1 } };
  await client.patch(
    kindOf(PRIVATE, 'MachineSet'),
    'workers',
    { type: 'merge', value },
    { namespace, subresource: 'status' },
  );
  const cluster = await hosted.hostedCluster();
  const now = '2026-01-01T00:00:00Z';
  const available = {
    type: 'Available',
    status: 'True',
    reason: 'AsExpected',
    message: '',
    lastTransitionTime: now,
  } as const;
  const conditions = setCondition((cluster.status?.conditions ?? []) as readonly Condition[], available, now);
  const status = { ...cluster.status, conditions };
  await client.update(HOSTED_CLUSTERS, { ...cluster, status } as KubeObject, { subresource: 'status' });
}

/** As `capstan operator --legacy` runs, once for each server. */
export async function deployLegacyOperator(server: CommandFixture): Promise<void> {
  const client = new Client(server.transport);
  const at = { namespace: 'hypershift' };
  const there = await client.get(DEPLOYMENTS, 'operator-legacy', at).catch(ignoreNotFound);
  if (there !== undefined) return makeAvailable(client, there);
  const labels = { app: 'operator-legacy' };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'operator', image: 'i' }] } };
  const made = await client.create(DEPLOYMENTS, {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'operator-legacy', namespace: 'hypershift' },
    spec: { replicas: 1, selector: { matchLabels: labels }, template },
  });
  await makeAvailable(client, made);
}

/** As the controllers of a cluster report it once its pods run. */
async function makeAvailable(client: Client, deployment: KubeObject): Promise<void> {
  const observedGeneration = deployment.metadata.generation;
  const status = { observedGeneration, replicas: 1, updatedReplicas: 1, readyReplicas: 1, availableReplicas: 1 };
  await client.update(DEPLOYMENTS, { ...deployment, status }, { subresource: 'status' });
}
