import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';

/** One request and what came back, masked. */
export interface Step {
  readonly request: string;
  readonly status: number;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  readonly events?: readonly unknown[];
}

type Transcripts = Map<string, Step[]>;

/** Goldens are what the newest real server answered; other versions keep only what they answer differently. */
const BASE = 'real-1.36';
const FOLDER = new URL('../../conformance/goldens/', import.meta.url);

/** True while the answers of a real server are being recorded instead of compared. */
export const isRecording = process.env['CAPSTAN_RECORD'] === '1';

function pathOf(file: string, variant: string): URL {
  return new URL(variant === BASE ? `${file}.jsonl` : `${file}.${variant}.jsonl`, FOLDER);
}

function load(path: URL): Transcripts {
  const transcripts: Transcripts = new Map();
  if (!existsSync(path)) return transcripts;
  for (const line of readFileSync(path, 'utf8').split('\n')) {
    if (line === '') continue;
    const { test, ...step } = JSON.parse(line) as { test: string } & Step;
    const steps = transcripts.get(test);
    if (steps === undefined) transcripts.set(test, [step]);
    else steps.push(step);
  }
  return transcripts;
}

function save(path: URL, transcripts: Transcripts): void {
  const lines = [...transcripts].flatMap(([test, steps]) => steps.map((step) => JSON.stringify({ test, ...step })));
  if (lines.length === 0) rmSync(path, { force: true });
  else writeFileSync(path, `${lines.join('\n')}\n`);
}

/** The recorded answers of one test file. */
export class Goldens {
  readonly #file: string;
  readonly #loaded = new Map<string, Transcripts>();
  readonly #recorded: Transcripts = new Map();

  constructor(file: string) {
    this.#file = file;
  }

  /** What a test is expected to see on a back end; undefined when nobody recorded it. */
  find(test: string, backend: string): readonly Step[] | undefined {
    return this.#of(backend).get(test) ?? this.#of(BASE).get(test);
  }

  record(test: string, steps: Step[]): void {
    this.#recorded.set(test, steps);
  }

  /** Writes what was recorded on a back end; tests that did not run keep what they have. */
  save(backend: string): void {
    const kept = new Map([...this.#of(backend), ...this.#recorded]);
    if (backend !== BASE) {
      for (const [test, steps] of kept) if (isDeepStrictEqual(plain(steps), this.#of(BASE).get(test))) kept.delete(test);
    }
    save(pathOf(this.#file, backend), kept);
  }

  #of(backend: string): Transcripts {
    const found = this.#loaded.get(backend) ?? load(pathOf(this.#file, backend));
    this.#loaded.set(backend, found);
    return found;
  }
}

/** A value as it looks after a trip through a file. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value)) as unknown;
}
