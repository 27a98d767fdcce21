import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client, ResourceRef } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import { expect } from 'vitest';
import type { Kubectl } from './binaries.js';
import type { Cluster } from './cluster.js';
import { Slots } from './slots.js';
import { normalise, type Masks } from './text.js';
import { WatchProcess } from './watch-process.js';

/** What one run of kubectl left behind, normalised. */
export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
}

/** Of what hangs; a busy machine takes long for a large stream. */
const RUN_LIMIT_MS = 100_000;
/** A kubectl is busy for a third of a second; more of them at once than cores only makes each one slower. */
const slots = new Slots(3);

/**
 * A kubectl lives for a moment: with nothing collected in it, a fifth of its work is saved. What takes a large stream is
 * kept from growing without end.
 */
const UNCOLLECTED = { GOGC: 'off', GOMEMLIMIT: '256MiB' };

/** What a `kubectl wait` that need not wait any more prints about the watch it was just opening. */
const FAREWELL = /^E\d{4} .* reflector\.go.*"Failed to watch".*: context canceled".*\n/gm;

/**
 * What an older kubectl prints for the empty message with which a server begins to stream, where that comes before it has
 * made the stream: it waits for its streams since. Of a message with anything in it the output would lack that.
 */
const EARLY = /^E\d{4} .* websocket\.go:\d+\] Unknown stream id 1, discarding message\n/gm;

/** Without the messages that kubectl logs only now and then. */
function withoutChatter(text: string): string {
  return text.replaceAll(FAREWELL, '').replaceAll(EARLY, '');
}

/** A command line: words, or a text that is split at spaces. */
export type Command = string | readonly string[];

/** What one scenario runs: kubectl of one version, on one server, in a namespace of its own. */
export class Session {
  readonly namespace: string;
  readonly cluster: Cluster;
  readonly minor: number;
  readonly #kubectl: Kubectl;
  readonly #dir: string;
  readonly #masks: Map<string, string>;
  readonly #children = new Set<ChildProcess>();

  constructor(cluster: Cluster, kubectl: Kubectl) {
    this.cluster = cluster;
    this.namespace = `${cluster.namespacePrefix}${randomBytes(4).toString('hex')}`;
    this.minor = kubectl.minor;
    this.#kubectl = kubectl;
    this.#dir = join(cluster.dir, this.namespace);
    this.#masks = new Map([
      [`${this.#dir}/`, ''],
      [this.namespace, '<ns>'],
      [cluster.url, '<server>'],
    ]);
  }

  get client(): Client {
    return this.cluster.client;
  }

  get masks(): Masks {
    return this.#masks;
  }

  async open(): Promise<void> {
    mkdirSync(this.#dir, { recursive: true });
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: this.namespace } };
    await this.client.create({ group: '', version: 'v1', plural: 'namespaces', namespaced: false }, namespace);
  }

  close(): void {
    for (const child of this.#children) child.kill('SIGKILL');
  }

  /** Creates an object without kubectl. */
  create(ref: ResourceRef, object: KubeObject): Promise<KubeObject> {
    return this.client.create(ref, object, ref.namespaced ? { namespace: this.namespace } : {});
  }

  /** Writes a file into the scenario's folder; `text` may be objects, which become a JSON manifest. */
  file(name: string, text: string | readonly unknown[]): string {
    const path = join(this.#dir, name);
    const items = typeof text === 'string' ? text : text.map((object) => JSON.stringify(object)).join('\n');
    writeFileSync(path, items, { mode: 0o755 });
    return path;
  }

  /** Runs kubectl in the scenario's namespace. */
  async run(command: Command, options: RunOptions = {}): Promise<Outcome> {
    const raw = await this.raw(command, options);
    return { code: raw.code, stdout: normalise(raw.stdout, this.#masks), stderr: normalise(raw.stderr, this.#masks) };
  }

  /** {@link run}, with the output as it was. */
  raw(command: Command, options: RunOptions = {}): Promise<Outcome> {
    return slots.with(
      () =>
        new Promise((resolve, reject) => {
          const child = this.#spawn(command, options.env);
          const out: Buffer[] = [];
          const err: Buffer[] = [];
          child.stdout?.on('data', (chunk: Buffer) => out.push(chunk));
          child.stderr?.on('data', (chunk: Buffer) => err.push(chunk));
          child.on('error', reject);
          const limit = setTimeout(() => child.kill('SIGKILL'), RUN_LIMIT_MS);
          child.on('close', (code) => {
            clearTimeout(limit);
            resolve({
              code,
              stdout: Buffer.concat(out).toString('utf8'),
              stderr: withoutChatter(Buffer.concat(err).toString('utf8')),
            });
          });
          child.stdin?.end(options.stdin ?? '');
        }),
    );
  }

  /** Runs kubectl, which must succeed and print exactly this and nothing on stderr. */
  async prints(command: Command, stdout: string, options: RunOptions = {}): Promise<void> {
    expect(await this.run(command, options)).toEqual({ code: 0, stdout, stderr: '' });
  }

  /** Runs kubectl, which must fail with exactly this on stderr and nothing on stdout. */
  async fails(command: Command, stderr: string, options: RunOptions = {}): Promise<void> {
    expect(await this.run(command, options)).toEqual({ code: 1, stdout: '', stderr });
  }

  /** Runs kubectl, which must succeed, for its raw output. */
  async output(command: Command, options: RunOptions = {}): Promise<string> {
    const { code, stdout, stderr } = await this.raw(command, options);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return stdout;
  }

  /** Starts a kubectl that does not end by itself, or not at once. */
  start(command: Command, options: RunOptions = {}): WatchProcess {
    return new WatchProcess(this.#spawn(command, options.env), (text) => normalise(withoutChatter(text), this.#masks));
  }

  #spawn(command: Command, env: Readonly<Record<string, string>> = {}): ChildProcess {
    const words = typeof command === 'string' ? command.split(' ') : command;
    const args = ['--kubeconfig', this.cluster.kubeconfig, '--namespace', this.namespace, ...words];
    const cache = join(this.cluster.dir, `cache-${this.minor}`);
    const child = spawn(this.#kubectl.path, args, {
      cwd: this.#dir,
      env: { PATH: process.env['PATH'] ?? '', HOME: this.cluster.dir, KUBECACHEDIR: cache, ...UNCOLLECTED, ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.#children.add(child);
    child.on('close', () => this.#children.delete(child));
    return child;
  }
}
