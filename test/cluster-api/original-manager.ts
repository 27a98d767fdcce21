import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync, openSync, closeSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createAuthority, kubeconfigJson } from '@capstan/kube';
import type { Client } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import { downloadClusterApi, originalManagerPath } from '@capstan/tools';
import { parseAllDocuments } from 'yaml';

/** Where a server is, and who may do everything there. */
export interface ServerAccess {
  readonly url: string;
  /** Absent where there is no TLS: a proxy has rights of its own. */
  readonly caPem?: string | undefined;
  readonly token?: string | undefined;
}

/** What the original is told beside where its server is. */
export interface OriginalOptions {
  /** Whether servers are to ask its admission webhooks, which know standard groups alone. */
  readonly admits: boolean;
}

const START_LIMIT_MS = 120_000;

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
  readonly #authority = createAuthority({ commonName: 'cluster-api-webhooks' });
  #webhookPort = 0;
  #child: ReturnType<typeof spawn> | undefined;

  get #caBundle(): string {
    return Buffer.from(this.#authority.certPem).toString('base64');
  }

  /** The published definitions, converted by the manager's own webhook. */
  async definitions(definitions: readonly KubeObject[]): Promise<KubeObject[]> {
    this.#webhookPort = await freePort();
    const clientConfig = { url: `https://127.0.0.1:${this.#webhookPort}/convert`, caBundle: this.#caBundle };
    const conversion = { strategy: 'Webhook', webhook: { conversionReviewVersions: ['v1', 'v1beta1'], clientConfig } };
    return definitions.map((each) => ({ ...each, spec: { ...(each['spec'] as object), conversion } }));
  }

  async start(access: ServerAccess, client: Client, { admits }: OriginalOptions): Promise<void> {
    const [health, diagnostics] = [await freePort(), await freePort()];
    const pair = this.#authority.issueServing({ commonName: 'webhook', ipAddresses: ['127.0.0.1'] });
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
    ];
    this.#child = spawn(originalManagerPath(), args, { stdio: ['ignore', log, log] });
    closeSync(log);
    await this.#ready(`http://127.0.0.1:${health}/readyz`);
    if (admits) await this.#registerWebhooks(client);
  }

  async stop(): Promise<void> {
    const child = this.#child;
    if (child !== undefined && child.exitCode === null) {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await ended;
    }
    rmSync(this.#dir, { recursive: true, force: true });
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
