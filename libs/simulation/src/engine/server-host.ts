import { ApiServer } from '@capstan/apiserver';
import type { HistoryLimits, StoreEvent, StoreSnapshot, WebhookCaller } from '@capstan/apiserver';
import type { Random } from '@capstan/meta';
import type { Timeline } from './timeline.js';

export interface ServerHostOptions {
  readonly timeline: Timeline;
  readonly random: Random;
  readonly snapshot: StoreSnapshot | undefined;
  /** How much of its past it keeps. Default: as much as any. */
  readonly history?: Partial<HistoryLimits> | undefined;
  /** Default: clients that are not named are allowed everything, and no others anything. */
  readonly authorization?: 'rbac' | undefined;
  readonly webhooks: WebhookCaller;
  readonly onCommit: (event: StoreEvent) => void;
}

/** A simulation may be large: hosted clusters have a dozen Services each. */
const SERVICE_PREFIX_LENGTH = 16;

/** The API server of a simulation, which can stop and start again with what it had stored. */
export class ServerHost {
  readonly #options: ServerHostOptions;
  #server: ApiServer;
  #unsubscribe: () => void;
  #isUp = true;
  #starts = 0;

  constructor(options: ServerHostOptions) {
    this.#options = options;
    this.#server = this.#start(options.snapshot);
    // The log does not cover the time before the simulation started, so no replica may show it.
    this.#server.store.compact(this.#server.store.revision);
    this.#unsubscribe = this.#listen();
  }

  /** The one that runs, or ran last. */
  get server(): ApiServer {
    return this.#server;
  }

  get isUp(): boolean {
    return this.#isUp;
  }

  /** False when it is down already. Nothing that the old server still does after this is observed. */
  restart(downMs: number, keepsHistory: boolean): boolean {
    if (!this.#isUp) return false;
    this.#isUp = false;
    this.#unsubscribe();
    const snapshot = this.#server.store.snapshot({ history: keepsHistory });
    this.#options.timeline.after(downMs, undefined, () => {
      this.#server = this.#start(snapshot);
      this.#unsubscribe = this.#listen();
      this.#isUp = true;
    });
    return true;
  }

  #start(snapshot: StoreSnapshot | undefined): ApiServer {
    const { authorization, history, timeline, random, webhooks } = this.#options;
    const name = this.#starts === 0 ? 'server' : `server ${this.#starts}`;
    this.#starts += 1;
    return new ApiServer({
      clock: timeline.clock(),
      random: random.split(name),
      webhooks,
      servicePrefixLength: SERVICE_PREFIX_LENGTH,
      ...(authorization === undefined ? {} : { authorization }),
      ...(history === undefined ? {} : { history }),
      ...(snapshot === undefined ? {} : { snapshot }),
    });
  }

  #listen(): () => void {
    return this.#server.store.subscribe((event) => this.#options.onCommit(event));
  }
}
