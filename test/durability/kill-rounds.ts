import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemRandom } from '@capstan/kube';
import type { Random } from '@capstan/meta';
import { Crew } from './crew.js';
import { Ledger, type Version } from './ledger.js';
import { killEarly, type Place, type Send, withServer } from './server-process.js';
import { DEFINITION, SHELVES, type Shelf, type Stored } from './shelves.js';

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
  /** How often the pods were waited for after a death. */
  readonly musters: number;
  /** Promises the server broke. */
  readonly broken: readonly string[];
}

const WORKERS_PER_SHELF = 2;
const NAMES_PER_WORKER = 4;
const LOAD_MS = 1000;
const START_MS = 500;
/** One round in this many does not wait until the server is ready. */
const EARLY = 5;
/** One round in this many waits until the pods are back. */
const MUSTER = 10;

interface List {
  readonly items: readonly Stored[];
  readonly metadata: { readonly resourceVersion: string };
}

interface Fixture {
  readonly place: Place;
  readonly random: Random;
  readonly ledger: Ledger;
  readonly crew: Crew;
  isDefined: boolean;
  /** Servers that died since the pods were last seen at work. */
  deaths: number;
  musters: number;
}

/** Kills a server that is being written to, over and over, and looks each time at what is left. */
export async function runKillRounds({ bin, rounds, seed, onRound }: KillOptions): Promise<KillReport> {
  const folder = mkdtempSync(join(tmpdir(), 'capstan-kill-'));
  const random = systemRandom(seed);
  const place = { bin, data: join(folder, 'data') };
  const ledger = new Ledger();
  const fixture: Fixture = { place, random, ledger, crew: new Crew(), isDefined: false, deaths: 0, musters: 0 };
  const broken: string[] = [];
  let earlyKills = 0;
  try {
    for (let round = 1; round <= rounds; round++) {
      if (round > 1 && random.below(EARLY) === 0) {
        earlyKills++;
        await killEarly(place, random.below(START_MS));
      } else {
        const complaints = await killUnderLoad(fixture, round);
        broken.push(...complaints.map((complaint) => `round ${round}: ${complaint}`));
      }
      fixture.deaths++;
      onRound?.(round, ledger.acknowledgedWrites);
    }
    const last = await withServer(place, async (send) => [
      ...(await inspect(send, ledger)),
      ...(await muster(fixture, send)),
    ]);
    broken.push(...last.map((complaint) => `at the end: ${complaint}`));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return { acknowledgedWrites: ledger.acknowledgedWrites, earlyKills, musters: fixture.musters, broken };
}

async function killUnderLoad(fixture: Fixture, round: number): Promise<string[]> {
  const { ledger, place, random } = fixture;
  return withServer(place, async (send, end) => {
    await prepare(fixture, send);
    const complaints = await inspect(send, ledger);
    if (round === 1 || random.below(MUSTER) === 0) complaints.push(...(await muster(fixture, send)));
    let isOver = false;
    const until = (): boolean => isOver;
    const load = { send, ledger, random, round, isOver: until };
    const busy = SHELVES.flatMap((shelf) =>
      Array.from({ length: WORKERS_PER_SHELF }, (_, worker) => write({ ...load, shelf, worker })),
    );
    busy.push(read(send, ledger, until).then(() => []));
    const working = Promise.all(busy);
    await Promise.race([sleep(random.below(LOAD_MS)), working]);
    await end();
    isOver = true;
    return [...complaints, ...(await working).flat()];
  });
}

/** Once: if it has to be done again, the server has lost something. */
async function prepare(fixture: Fixture, send: Send): Promise<void> {
  await fixture.crew.hire(send);
  if (fixture.isDefined) return;
  const { status } = await send('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', DEFINITION);
  if (status !== 201) throw new Error(`the CRD of the round was answered with ${status} instead of 201`);
  fixture.isDefined = true;
}

async function muster(fixture: Fixture, send: Send): Promise<string[]> {
  const complaints = await fixture.crew.muster(send, fixture.deaths);
  fixture.deaths = 0;
  fixture.musters++;
  return complaints;
}

/** What the server holds, against what it promised. */
async function inspect(send: Send, ledger: Ledger): Promise<string[]> {
  const complaints: string[] = [];
  const state = new Map<string, Version>();
  let revision = Infinity;
  for (const shelf of SHELVES) {
    const { status, json } = await send('GET', shelf.path);
    if (status !== 200) return [...complaints, `the list of ${shelf.path} was answered with ${status}`];
    const list = json() as List;
    revision = Math.min(revision, Number(list.metadata.resourceVersion));
    for (const item of ofShelf(shelf, list)) {
      if (shelf.read(item) === undefined) complaints.push(`${item.metadata.name} is torn`);
      state.set(item.metadata.name, versionOf(shelf, item));
    }
  }
  return [...complaints, ...ledger.settle(state, revision)];
}

function ofShelf({ prefix }: Shelf, { items }: List): Stored[] {
  return items.filter(({ metadata }) => metadata.name.startsWith(`${prefix}-`));
}

function versionOf(shelf: Shelf, object: Stored): Version {
  return { content: shelf.read(object) ?? 'torn', revision: Number(object.metadata.resourceVersion) };
}

interface Writer {
  readonly send: Send;
  readonly ledger: Ledger;
  readonly random: Random;
  readonly round: number;
  readonly shelf: Shelf;
  readonly worker: number;
  readonly isOver: () => boolean;
}

/** Creates, changes and deletes its own objects, one after the other, until the server is gone. */
async function write({ send, ledger, random, round, shelf, worker, isOver }: Writer): Promise<string[]> {
  for (let step = 0; !isOver(); step++) {
    const name = `${shelf.prefix}-${worker}-${random.below(NAMES_PER_WORKER)}`;
    const text = `${round}-${step}-${'x'.repeat(random.below(2_000))}`;
    const { at, body, content, method } = shelf.next(name, ledger.current(name), text, random);
    ledger.begin(name, content);
    const answer = await send(method, shelf.path + at, body).catch(() => undefined);
    // No answer: the outcome is unknown.
    if (answer === undefined) return [];
    if (answer.status >= 300) return [`${method} ${name} was answered with ${answer.status}`];
    const version = content === null ? undefined : versionOf(shelf, answer.json() as Stored);
    if (version !== undefined && version.content !== content) return [`${method} ${name} did something else`];
    ledger.acknowledge(name, version);
  }
  return [];
}

/** Lists all the time: what it is shown must not be taken back either. */
async function read(send: Send, ledger: Ledger, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    for (const shelf of SHELVES) {
      const answer = await send('GET', shelf.path).catch(() => undefined);
      if (answer === undefined) return;
      const list = answer.json() as List;
      ledger.reach(Number(list.metadata.resourceVersion));
      for (const { metadata } of ofShelf(shelf, list)) ledger.show(metadata.name, Number(metadata.resourceVersion));
    }
  }
}
