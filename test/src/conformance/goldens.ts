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

/** A line of a golden file. Other versions than the base keep only the steps they answer differently, by number. */
interface Line extends Step {
  readonly test: string;
  readonly at?: number;
}

/** Goldens are what the newest real server answered. */
const BASE = 'real-1.36';
const FOLDER = new URL('../../conformance/goldens/', import.meta.url);

/** True while the answers of a real server are being recorded instead of compared. */
export const isRecording = process.env['CAPSTAN_RECORD'] === '1';

function pathOf(file: string, variant: string): URL {
  return new URL(variant === BASE ? `${file}.jsonl` : `${file}.${variant}.jsonl`, FOLDER);
}

function readLines(path: URL): Line[] {
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Line);
}

function writeLines(path: URL, lines: readonly Line[]): void {
  if (lines.length === 0) rmSync(path, { force: true });
  else writeFileSync(path, `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`);
}

function loadBase(file: string): Transcripts {
  const transcripts: Transcripts = new Map();
  for (const { test, ...step } of readLines(pathOf(file, BASE))) {
    const steps = transcripts.get(test);
    if (steps === undefined) transcripts.set(test, [step]);
    else steps.push(step);
  }
  return transcripts;
}

/** The base with the steps that a version answers differently put in their places. */
function loadVariant(file: string, variant: string): Transcripts {
  const transcripts = loadBase(file);
  for (const { test, at = 0, ...step } of readLines(pathOf(file, variant))) {
    const steps = transcripts.get(test);
    if (steps === undefined) transcripts.set(test, [step]);
    else steps[at] = step;
  }
  return transcripts;
}

/** The recorded answers of one test file. */
export class Goldens {
  readonly #file: string;
  readonly #loaded = new Map<string, Transcripts>();
  readonly #recorded: Transcripts = new Map();

  constructor(file: string) {
    this.#file = file;
  }

  /** What a test is expected to see on a back end; undefined when it was not recorded. */
  find(test: string, backend: string): readonly Step[] | undefined {
    return this.#of(backend).get(test);
  }

  record(test: string, steps: Step[]): void {
    this.#recorded.set(test, steps);
  }

  /** Writes what was recorded on a back end; tests that did not run keep what they have, tests that are gone lose it. */
  save(backend: string, tests: ReadonlySet<string>): void {
    const kept = [...this.#of(backend), ...this.#recorded].filter(([test]) => tests.has(test));
    const base = backend === BASE ? undefined : this.#of(BASE);
    const lines = [...new Map(kept)].flatMap(([test, steps]) => linesOf(test, steps, base?.get(test)));
    writeLines(pathOf(this.#file, backend), lines);
  }

  #of(backend: string): Transcripts {
    const variant = backend.startsWith('real') ? backend : BASE;
    const found =
      this.#loaded.get(variant) ?? (variant === BASE ? loadBase(this.#file) : loadVariant(this.#file, variant));
    this.#loaded.set(variant, found);
    return found;
  }
}

function linesOf(test: string, steps: readonly Step[], base: readonly Step[] | undefined): Line[] {
  if (base === undefined) return steps.map((step) => ({ test, ...step }));
  return steps.flatMap((step, at) => (isDeepStrictEqual(plain(step), base[at]) ? [] : [{ test, at, ...step }]));
}

/** A value as it is after a trip through a file. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value)) as unknown;
}
