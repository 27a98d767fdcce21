import type { ChildProcess } from 'node:child_process';

const LINE_LIMIT_MS = 15_000;

/** A kubectl that goes on printing while the scenario acts. */
export class WatchProcess {
  readonly #child: ChildProcess;
  readonly #normalise: (text: string) => string;
  readonly #exit: Promise<number | null>;
  #out = '';
  #err = '';
  #wake: () => void = () => {};

  constructor(child: ChildProcess, normalise: (text: string) => string) {
    this.#child = child;
    this.#normalise = normalise;
    child.stdout?.on('data', (chunk: Buffer) => {
      this.#out += chunk.toString('utf8');
      this.#wake();
    });
    child.stderr?.on('data', (chunk: Buffer) => {
      this.#err += chunk.toString('utf8');
    });
    this.#exit = new Promise((resolve) => {
      child.on('close', (code) => {
        resolve(code);
        this.#wake();
      });
    });
    child.stdin?.end();
  }

  /** Waits until this many lines were printed, for as long as is reasonable, and gives all there are. */
  async lines(count: number, limitMs = LINE_LIMIT_MS): Promise<string[]> {
    const until = performance.now() + limitMs;
    while (this.#lines().length < count && this.#child.exitCode === null) {
      const left = until - performance.now();
      if (left <= 0) break;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, left);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    return this.#lines();
  }

  /** Ends the process; gives what it printed after its end. */
  async stop(): Promise<{ stdout: string; stderr: string }> {
    this.#child.kill('SIGTERM');
    await this.#exit;
    return { stdout: this.#normalise(this.#out), stderr: this.#normalise(this.#err) };
  }

  /** Waits for the process to end by itself. */
  async ended(): Promise<{ code: number | null; stdout: string; stderr: string }> {
    const code = await this.#exit;
    return { code, stdout: this.#normalise(this.#out), stderr: this.#normalise(this.#err) };
  }

  #lines(): string[] {
    return this.#normalise(this.#out).split('\n').slice(0, -1);
  }
}
