import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync, openSync, closeSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createCa, kubeconfigJson } from '@capstan/kube';
import type { Client } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import { parseAllDocuments } from 'yaml';
import { originalManagerPath } from './manager.js';
import { downloadClusterApi } from './module.js';

/** Where a server is, and who may do everything there. */
export interface ServerAccess {
  readonly url: string;
  /** Absent without TLS: a proxy has permissions of its own. */
  readonly caPem?: string | undefined;
  readonly token?: string | undefined;
}

/** Flags of the upstream manager, in addition to the connection. */
export interface OriginalOptions {
  /** Whether servers are to ask its admission webhooks, which know standard groups alone. */
  readonly admits: boolean;
  /** Where it asks for the lease that makes it work; without, it works at once. Needs `canElect()`. */
  readonly electsIn?: string | undefined;
}

/** The lease of the original. */
export const LEASE_NAME = 'controller-leader-election-capi';
/** Short, for a test waits for it to end; long enough for a machine that is busy. */
const ELECTION = [
  '--leader-elect',
  '--leader-elect-lease-duration=9s',
  '--leader-elect-renew-deadline=7s',
  '--leader-elect-retry-period=1s',
];
const POD_FILES = '/var/run/secrets/kubernetes.io/serviceaccount';
const OWN_MOUNTS = ['--mount', '--map-root-user'];

/** Whether this machine lets a process have files of its own: the original looks for its namespace where pods do. */
export function canElect(): boolean {
  return spawnSync('unshare', [...OWN_MOUNTS, 'mount', '-t', 'tmpfs', 'tmpfs', '/run']).status === 0;
}

/** Runs a program that finds the file of a namespace, which no other process sees. */
function inPodOf(namespace: string, program: string, args: readonly string[]): [string, string[]] {
  const script = `mount -t tmpfs tmpfs /run && mkdir -p ${POD_FILES} && printf %s "$1" > ${POD_FILES}/namespace && shift && exec "$@"`;
  return ['unshare', [...OWN_MOUNTS, 'sh', '-c', script, 'sh', namespace, program, ...args]];
}

const START_LIMIT_MS = 120_000;
const REQUESTS = /^rest_client_requests_total\{code="([^"]*)",host="([^"]*)",[^}]*\} (\d+)$/gm;

async function freePort(): Promise<number> {
  const server = createServer();
  const port = await new Promise<number>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port));
  });
  await new Promise((resolve) => server.close(resolve));
  return port;
}

interface WebhookConfiguration extends KubeObject {
  webhooks: { clientConfig: { service?: { path: string }; url?: string; caBundle?: string } }[];
}

/** Whether the original was built. */
export function hasOriginal(): boolean {
  return existsSync(originalManagerPath());
}

/** The original core manager of Cluster API as a process of its own, with its webhooks. */
export class OriginalManager {
  readonly #dir = mkdtempSync(join(tmpdir(), 'capstan-cluster-api-'));
  readonly #ca = createCa({ commonName: 'cluster-api-webhooks' });
  #webhookPort = 0;
  #metricsUrl = '';
  #child: ReturnType<typeof spawn> | undefined;

  get #caBundle(): string {
    return Buffer.from(this.#ca.certPem).toString('base64');
  }

  /** The published CRDs, converted by the manager's own webhook. */
  async definitions(definitions: readonly KubeObject[]): Promise<KubeObject[]> {
    this.#webhookPort = await freePort();
    const clientConfig = { url: `https://127.0.0.1:${this.#webhookPort}/convert`, caBundle: this.#caBundle };
    const conversion = { strategy: 'Webhook', webhook: { conversionReviewVersions: ['v1', 'v1beta1'], clientConfig } };
    return definitions.map((each) => ({ ...each, spec: { ...(each['spec'] as object), conversion } }));
  }

  async start(access: ServerAccess, client: Client, { admits, electsIn }: OriginalOptions): Promise<void> {
    const [health, diagnostics] = [await freePort(), await freePort()];
    // A second one converts nothing, and was not asked for CRDs.
    if (this.#webhookPort === 0) this.#webhookPort = await freePort();
    this.#metricsUrl = `http://127.0.0.1:${diagnostics}/metrics`;
    const pair = this.#ca.issueServing({ commonName: 'webhook', ipAddresses: ['127.0.0.1'] });
    const certs = join(this.#dir, 'certs');
    const kubeconfig = join(this.#dir, 'kubeconfig');
    mkdirSync(certs);
    writeFileSync(join(certs, 'tls.crt'), pair.certPem);
    writeFileSync(join(certs, 'tls.key'), pair.keyPem, { mode: 0o600 });
    writeFileSync(kubeconfig, kubeconfigJson({ ...access, server: access.url, name: 'management' }), { mode: 0o600 });
    const log = openSync(join(this.#dir, 'log'), 'a');
    const args = [
      `--kubeconfig=${kubeconfig}`,
      `--webhook-port=${this.#webhookPort}`,
      `--webhook-cert-dir=${certs}`,
      `--diagnostics-address=127.0.0.1:${diagnostics}`,
      '--insecure-diagnostics',
      `--health-addr=127.0.0.1:${health}`,
      '--skip-crd-migration-phases=StorageVersionMigration,CleanupManagedFields',
      ...(electsIn === undefined ? [] : ELECTION),
    ];
    const program = originalManagerPath();
    const command = electsIn === undefined ? ([program, args] as const) : inPodOf(electsIn, program, args);
    this.#child = spawn(...command, { stdio: ['ignore', log, log] });
    closeSync(log);
    await this.#ready(`http://127.0.0.1:${health}/readyz`);
    if (admits) await this.#registerWebhooks(client);
  }

  async stop(): Promise<void> {
    const child = this.#child;
    if (child !== undefined && child.exitCode === null && child.signalCode === null) {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await ended;
    }
    rmSync(this.#dir, { recursive: true, force: true });
  }

  /** How many requests it has sent to a server, by the code of the answer. */
  async requestsTo({ url }: ServerAccess): Promise<ReadonlyMap<string, number>> {
    const text = await (await fetch(this.#metricsUrl)).text();
    const counts = new Map<string, number>();
    for (const [, code = '', host, count] of text.matchAll(REQUESTS))
      if (host === new URL(url).host) counts.set(code, (counts.get(code) ?? 0) + Number(count));
    return counts;
  }

  /** The end of what it wrote, for when something goes wrong. */
  logTail(): string {
    return readFileSync(join(this.#dir, 'log'), 'utf8').split('\n').slice(-40).join('\n');
  }

  async #ready(url: string): Promise<void> {
    const deadline = Date.now() + START_LIMIT_MS;
    for (;;) {
      const isUp = await fetch(url, { signal: AbortSignal.timeout(2_000) }).then(
        ({ ok }) => ok,
        () => false,
      );
      if (isUp) return;
      if (Date.now() > deadline || this.#child?.exitCode !== null)
        throw new Error(`the original manager did not start:\n${this.logTail()}`);
      await delay(100);
    }
  }

  async #registerWebhooks(client: Client): Promise<void> {
    const { dir } = await downloadClusterApi();
    const text = readFileSync(join(dir, 'config/webhook/manifests.yaml'), 'utf8');
    for (const document of parseAllDocuments(text)) {
      const configuration = document.toJS() as WebhookConfiguration | null;
      if (configuration === null) continue;
      const webhooks = configuration.webhooks.map((webhook) => ({
        ...webhook,
        clientConfig: {
          url: `https://127.0.0.1:${this.#webhookPort}${webhook.clientConfig.service?.path ?? ''}`,
          caBundle: this.#caBundle,
        },
      }));
      const plural = `${configuration.kind.toLowerCase()}s`;
      const ref = { group: 'admissionregistration.k8s.io', version: 'v1', plural, namespaced: false };
      await client.create(ref, { ...configuration, webhooks } as KubeObject);
    }
  }
}
