import type { Io } from './io.js';

/** An Io that keeps what is printed and is stopped by the test. Like that of a container it must not be taken apart. */
export class TestIo implements Io {
  stdout = '';
  stderr = '';
  exits: number[] = [];
  /** What is read from standard input. */
  stdin = '';
  readonly env: Record<string, string | undefined>;
  readonly isTty: boolean;
  readonly columns = 80;
  readonly #stops = new Set<() => void>();
  readonly #exitCallbacks = new Set<() => void>();
  readonly #outWaiters: (() => void)[] = [];

  constructor(options: { env?: Record<string, string>; isTty?: boolean } = {}) {
    // A home without a kubeconfig, unless the test gives one.
    this.env = { HOME: '/nonexistent', ...options.env };
    this.isTty = options.isTty ?? false;
  }

  out(text: string): void {
    this.stdout += text;
    for (const wake of this.#outWaiters.splice(0)) wake();
  }

  err(text: string): void {
    this.stderr += text;
  }

  input(): Promise<string> {
    return Promise.resolve(this.stdin);
  }

  onStop(callback: () => void): () => void {
    this.#stops.add(callback);
    return () => this.#stops.delete(callback);
  }

  onExit(callback: () => void): () => void {
    this.#exitCallbacks.add(callback);
    return () => this.#exitCallbacks.delete(callback);
  }

  exit(code: number): void {
    this.exits.push(code);
    for (const callback of this.#exitCallbacks) callback();
  }

  /** As if Ctrl-C had been pressed. */
  stop(): void {
    for (const callback of this.#stops) callback();
  }

  /** How many still listen for the end of the process or a stop. */
  get listeners(): number {
    return this.#stops.size + this.#exitCallbacks.size;
  }

  /** The first line of standard output, once it is there. */
  async firstLine(): Promise<string> {
    while (!this.stdout.includes('\n')) await new Promise<void>((resolve) => this.#outWaiters.push(resolve));
    return this.stdout.slice(0, this.stdout.indexOf('\n'));
  }
}
