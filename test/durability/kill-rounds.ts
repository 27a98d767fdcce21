import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { HttpTransport, loadConnection, systemRandom } from '@capstan/kube';
import type { Random } from '@capstan/meta';
import { Ledger, type Version } from './ledger.js';

export interface KillOptions {
  /** The program to kill. */
  readonly bin: string;
  readonly rounds: number;
  /** Decides when to kill and what to write; how far the server gets until then is up to the machine. */
  readonly seed: number;
  readonly onRound?: (round: number, acknowledgedWrites: number) => void;
}

export interface KillReport {
  readonly acknowledgedWrites: number;
  /** Rounds in which the server was killed before it was ready. */
  readonly earlyKills: number;
  /** Promises the server broke. */
  readonly broken: readonly string[];
}

/** Where the program is, seen from the root of the repository. */
export const BIN_PATH = 'apps/cli/bin/capstan.js';
const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const WORKERS = 8;
const NAMES_PER_WORKER = 4;
const LOAD_MS = 500;
const START_MS = 500;
/** One round in this many does not wait until the server is ready. */
const EARLY = 5;

type Answer = { readonly status: number; readonly json: () => unknown };
type Stored = { metadata: { name: string; resourceVersion: string }; data?: { content?: string; copy?: string } };
type Send = (method: string, target: string, body?: unknown) => Promise<Answer>;

/** Kills a server that is being written to, over and over, and looks each time at what is left. */
export async function runKillRounds({ bin, rounds, seed, onRound }: KillOptions): Promise<KillReport> {
  const folder = mkdtempSync(join(tmpdir(), 'capstan-kill-'));
  const data = join(folder, 'data');
  const random = systemRandom(seed);
  const ledger = new Ledger();
  const broken: string[] = [];
  let earlyKills = 0;
  try {
    for (let round = 1; round <= rounds; round++) {
      if (random.below(EARLY) === 0) {
        earlyKills++;
        await killEarly(bin, data, random.below(START_MS));
      } else {
        const complaints = await killUnderLoad({ bin, data, random, ledger, round });
        broken.push(...complaints.map((complaint) => `round ${round}: ${complaint}`));
      }
      onRound?.(round, ledger.acknowledgedWrites);
    }
    const last = await withServer(bin, data, async (send) => inspect(send, ledger));
    broken.push(...last.map((complaint) => `at the end: ${complaint}`));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return { acknowledgedWrites: ledger.acknowledgedWrites, earlyKills, broken };
}

/** The program as built in this repository. */
export function builtBin(from: string, up: string): string {
  return fileURLToPath(new URL(`${up}${BIN_PATH}`, from));
}

function spawnServer(bin: string, data: string): ChildProcess {
  return spawn(process.execPath, [bin, 'apiserver', '--data', data, '--kubeconfig-out', `${data}.kubeconfig`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

async function killEarly(bin: string, data: string, afterMs: number): Promise<void> {
  const child = spawnServer(bin, data);
  await sleep(afterMs);
  await kill(child);
}

/** A server for as long as the work takes; then it is killed. */
async function withServer<T>(
  bin: string,
  data: string,
  work: (send: Send, end: () => Promise<void>) => Promise<T>,
): Promise<T> {
  const child = spawnServer(bin, data);
  if (child.stdout === null) throw new Error('no output to read');
  const line = once(createInterface({ input: child.stdout }), 'line').then(([text]) => String(text));
  const ended = once(child, 'exit').then(() => undefined);
  let transport: HttpTransport | undefined;
  try {
    if ((await Promise.race([line, ended])) === undefined) throw new Error('the server ended before it was ready');
    transport = new HttpTransport(await loadConnection({ path: `${data}.kubeconfig` }));
    return await work(sender(transport), () => kill(child));
  } finally {
    await kill(child);
    await transport?.close();
  }
}

function sender(transport: HttpTransport): Send {
  return async (method, target, body) => {
    const bytes = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
    const { status, body: answer } = await transport.send({
      method,
      target,
      headers: { 'content-type': 'application/json' },
      body: bytes === undefined ? undefined : { type: 'bytes', bytes },
    });
    const text = answer.type === 'payload' ? Buffer.concat(answer.chunks()).toString() : '';
    return { status, json: () => JSON.parse(text) as unknown };
  };
}

interface Round {
  readonly bin: string;
  readonly data: string;
  readonly random: Random;
  readonly ledger: Ledger;
  readonly round: number;
}

async function killUnderLoad({ bin, data, random, ledger, round }: Round): Promise<string[]> {
  return withServer(bin, data, async (send, end) => {
    const complaints = await inspect(send, ledger);
    let isOver = false;
    const until = (): boolean => isOver;
    const busy = Array.from({ length: WORKERS }, (_, worker) =>
      write({ send, ledger, random, prefix: `w${worker}`, round, isOver: until }),
    );
    busy.push(read(send, ledger, until));
    const working = Promise.all(busy);
    await Promise.race([sleep(random.below(LOAD_MS)), working]);
    await end();
    isOver = true;
    await working;
    return complaints;
  });
}

/** What the server holds, against what it promised. */
async function inspect(send: Send, ledger: Ledger): Promise<string[]> {
  const torn: string[] = [];
  const { status, json } = await send('GET', CONFIG_MAPS);
  if (status !== 200) return [`the list was answered with ${status}`];
  const { items, metadata } = json() as { items: Stored[]; metadata: { resourceVersion: string } };
  const state = new Map<string, Version>();
  for (const item of items) {
    const { name } = item.metadata;
    if (!name.startsWith('w')) continue;
    if (item.data?.content !== item.data?.copy) torn.push(`${name} is torn`);
    state.set(name, versionOf(item));
  }
  return [...torn, ...ledger.settle(state, Number(metadata.resourceVersion))];
}

function versionOf({ metadata, data }: Stored): Version {
  return { content: data?.content ?? '', revision: Number(metadata.resourceVersion) };
}

interface Writer {
  readonly send: Send;
  readonly ledger: Ledger;
  readonly random: Random;
  readonly prefix: string;
  readonly round: number;
  readonly isOver: () => boolean;
}

/** Creates, changes and deletes its own objects, one after the other, until the server is gone. */
async function write({ send, ledger, random, prefix, round, isOver }: Writer): Promise<void> {
  for (let step = 0; !isOver(); step++) {
    const name = `${prefix}-${random.below(NAMES_PER_WORKER)}`;
    const known = ledger.current(name);
    const content = `${round}-${step}-${'x'.repeat(random.below(2_000))}`;
    const object = { metadata: { name }, data: { content, copy: content } };
    const target = known === undefined ? CONFIG_MAPS : `${CONFIG_MAPS}/${name}`;
    const method = known === undefined ? 'POST' : random.below(4) === 0 ? 'DELETE' : 'PUT';
    ledger.begin(name, method === 'DELETE' ? null : content);
    const answer = await send(method, target, method === 'DELETE' ? undefined : object).catch(() => undefined);
    // No answer: nobody knows.
    if (answer === undefined) return;
    if (answer.status >= 300) throw new Error(`${method} ${name} was answered with ${answer.status}`);
    ledger.acknowledge(name, method === 'DELETE' ? undefined : versionOf(answer.json() as Stored));
  }
}

/** Lists all the time: what it is shown must not be taken back either. */
async function read(send: Send, ledger: Ledger, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    const answer = await send('GET', CONFIG_MAPS).catch(() => undefined);
    if (answer === undefined) return;
    const { items, metadata } = answer.json() as { items: Stored[]; metadata: { resourceVersion: string } };
    ledger.reach(Number(metadata.resourceVersion));
    for (const item of items) {
      if (item.metadata.name.startsWith('w')) ledger.show(item.metadata.name, Number(item.metadata.resourceVersion));
    }
  }
}
