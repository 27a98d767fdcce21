import { fromStatus, isExpired, isGone, isInvalid, isTooLargeResourceVersion, isTooManyRequests } from '@capstan/meta';
import type { KubeObject, WatchBody, WatchFrame } from '@capstan/meta';
import { offAbort, onAbort } from '../runtime/abort.js';
import { sleep } from '../runtime/clock.js';
import { errorText } from '../runtime/logger.js';
import { neverReachedServer } from '../transport/errors.js';
import { never, RUNTIME_HOOKS } from '../runtime/sometimes.js';
import { Backoff } from './backoff.js';
import type { ReflectorOptions, ReflectorTarget } from './reflector-options.js';
import { isOlder } from './revision-order.js';

const INITIAL_EVENTS_END = 'k8s.io/initial-events-end';
const SHORTEST_WATCH_MS = 1000;
/** A reader of pages is in no hurry; a server in the same process can answer others meanwhile. */
const PAGE_PAUSE_MS = 5;
/** How long past its deadline a watch may last before the server is taken to have forgotten it. */
const DEADLINE_SLACK_MS = 30_000;

/** Why a watch is over: go on from where it stopped, or list the state again. */
type WatchEnd = 'rewatch' | 'relist';

/** What has been gathered of the state a watch begins with; undefined once it is complete. */
interface Following<R> {
  pending: Map<string, R> | undefined;
}

/** Follows one resource: list, then watch, for ever. Never throws; what goes wrong is logged and tried again. */
export class Reflector<T extends KubeObject, R = T> {
  readonly #options: ReflectorOptions;
  readonly #target: ReflectorTarget<T, R>;
  readonly #backoff: Backoff;
  #resourceVersion = '';
  /** The last version is gone from the server, or from its future: read the newest. */
  #needsLatest = false;
  #watchListRefused = false;
  /** The connection broke or was refused: it may be another server that answers next, which knows less. */
  #isDoubtful = false;

  constructor(options: ReflectorOptions, target: ReflectorTarget<T, R>) {
    this.#options = options;
    this.#target = target;
    this.#backoff = new Backoff(options.clock, options.random);
  }

  /** The revision the target has reached. */
  get resourceVersion(): string {
    return this.#resourceVersion;
  }

  /** Runs until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await this.#listAndWatch(signal);
      } catch (error) {
        if (signal.aborted) return;
        this.#options.logger.warn('list or watch failed', {
          resource: this.#options.resource.plural,
          error: errorText(error),
        });
      }
      await sleep(this.#options.clock, this.#backoff.next(), signal);
    }
  }

  async #listAndWatch(signal: AbortSignal): Promise<void> {
    let open =
      this.#options.watchList === true && !this.#watchListRefused ? await this.#openWatchList(signal) : undefined;
    if (open === undefined) await this.#list(signal);
    while (!signal.aborted) {
      const isInitial = open !== undefined;
      const body: WatchBody | 'relist' | undefined = open ?? (await this.#reopen(signal));
      open = undefined;
      if (body === 'relist') return;
      if (body === undefined) continue;
      const end = await this.#follow(body, isInitial, signal);
      if (end === 'relist' || (this.#options.sometimes ?? never)(RUNTIME_HOOKS.relist, 0.1)) return;
    }
  }

  /** Undefined: not yet. */
  async #reopen(signal: AbortSignal): Promise<WatchBody | 'relist' | undefined> {
    const first = this.#isDoubtful ? await this.#lookAround(signal) : 'rewatch';
    if (first === 'relist') return first;
    return first === 'wait' ? undefined : this.#openWatch(signal);
  }

  /** First "0" (any cached state will do), later not older than what was seen, and the newest when that is impossible. */
  #relistVersion(): string {
    if (this.#needsLatest || this.#options.pageSize !== undefined) return '';
    return this.#resourceVersion === '' ? '0' : this.#resourceVersion;
  }

  async #list(signal: AbortSignal): Promise<void> {
    const { client, clock, resource, pageSize } = this.#options;
    const list = (resourceVersion: string) =>
      client.listReduced<T, R>(resource, {
        ...this.#selection(signal),
        resourceVersion,
        // A page size would send a versioned list past the server's cache.
        pageSize: resourceVersion === '' ? pageSize : 0,
        reduce: (object) => this.#target.reduce(object),
        ...(pageSize === undefined ? {} : { betweenPages: () => sleep(clock, PAGE_PAUSE_MS, signal) }),
      });
    let result;
    try {
      result = await list(this.#relistVersion());
    } catch (error) {
      if (!isExpired(error) && !isGone(error) && !isTooLargeResourceVersion(error)) throw error;
      this.#needsLatest = true;
      result = await list('');
    }
    this.#needsLatest = false;
    this.#resourceVersion = result.resourceVersion;
    this.#target.replace(result.items);
  }

  async #openWatchList(signal: AbortSignal): Promise<WatchBody | undefined> {
    try {
      return await this.#options.client.watch(this.#options.resource, {
        resourceVersion: this.#needsLatest ? '' : this.#resourceVersion,
        resourceVersionMatch: 'NotOlderThan',
        sendInitialEvents: true,
        allowWatchBookmarks: true,
        timeoutSeconds: this.#timeoutSeconds(),
        ...this.#selection(signal),
      });
    } catch (error) {
      // 422 means that the server does not know the option; anything else, too, is best answered by a plain list.
      this.#watchListRefused = isInvalid(error);
      return undefined;
    }
  }

  /** Undefined: the server is busy or away; what we have is still good, so only the watch is tried again. */
  async #openWatch(signal: AbortSignal): Promise<WatchBody | undefined> {
    try {
      return await this.#options.client.watch(this.#options.resource, {
        resourceVersion: this.#resourceVersion,
        allowWatchBookmarks: true,
        timeoutSeconds: this.#timeoutSeconds(),
        ...this.#selection(signal),
      });
    } catch (error) {
      const away = neverReachedServer(error);
      this.#isDoubtful ||= away;
      if (signal.aborted || (!away && !isTooManyRequests(error))) throw error;
      await sleep(this.#options.clock, this.#backoff.next(), signal);
      return undefined;
    }
  }

  /**
   * A server that has not got as far as what was seen lost its data, or has those of an earlier day. A watch from there
   * would say nothing until it has, and then not what happened meanwhile.
   */
  async #lookAround(signal: AbortSignal): Promise<WatchEnd | 'wait'> {
    const { client, clock, resource } = this.#options;
    let reached: string;
    try {
      reached = await client.revision(resource, this.#selection(signal));
    } catch (error) {
      if (signal.aborted || (!neverReachedServer(error) && !isTooManyRequests(error))) throw error;
      // What we have is still good: nobody is there to say otherwise.
      await sleep(clock, this.#backoff.next(), signal);
      return 'wait';
    }
    this.#isDoubtful = false;
    if (!isOlder(reached, this.#resourceVersion)) return 'rewatch';
    this.#needsLatest = true;
    return 'relist';
  }

  #selection(signal: AbortSignal) {
    const { namespace, labelSelector, fieldSelector, metadataOnly } = this.#options;
    return { namespace, labelSelector, fieldSelector, metadataOnly, signal };
  }

  #timeoutSeconds(): number {
    return 300 + this.#options.random.below(300);
  }

  /** Feeds the target from one watch. Initial events are gathered until the server marks the state as complete. */
  #follow(body: WatchBody, isInitial: boolean, signal: AbortSignal): Promise<WatchEnd> {
    const { clock, idleTimeoutMs = 180_000, logger, resource } = this.#options;
    const startedAt = clock.monotonic();
    let lastFrame = startedAt;
    let frames = 0;
    return new Promise((resolve) => {
      let settled = false;
      const settle = (end: WatchEnd): void => {
        if (settled) return;
        settled = true;
        idle?.cancel();
        deadline.cancel();
        offAbort(signal, stop);
        body.stop();
        resolve(end);
      };
      const stop = (): void => settle('rewatch');
      const deadline = clock.after(600_000 + DEADLINE_SLACK_MS, () => settle('rewatch'));
      const armIdle = (delayMs: number) =>
        clock.after(delayMs, () => {
          const quiet = clock.monotonic() - lastFrame;
          if (quiet < idleTimeoutMs) idle = armIdle(idleTimeoutMs - quiet);
          else {
            logger.warn('watch was silent and is restarted', {
              resource: resource.plural,
              seconds: Math.round(quiet / 1000),
            });
            settle(state.pending === undefined ? 'rewatch' : 'relist');
          }
        });
      let idle = idleTimeoutMs > 0 ? armIdle(idleTimeoutMs) : undefined;
      const state: Following<R> = { pending: isInitial ? new Map() : undefined };
      if (signal.aborted) stop();
      else onAbort(signal, stop);
      body.start({
        frame: (frame) => {
          if (settled) return;
          frames += 1;
          lastFrame = clock.monotonic();
          const end = this.#receive(frame, state);
          if (end !== undefined) settle(end);
        },
        end: (error) => {
          if (error !== undefined && !settled) {
            this.#isDoubtful = true;
            logger.debug('watch ended', { resource: resource.plural, error: error.message });
          }
          // A server that hangs up at once would be asked again without pause.
          const tooShort = frames === 0 && clock.monotonic() - startedAt < SHORTEST_WATCH_MS;
          settle(tooShort || state.pending !== undefined ? 'relist' : 'rewatch');
        },
      });
    });
  }

  #receive(frame: WatchFrame, state: Following<R>): WatchEnd | undefined {
    const object = frame.object();
    if (frame.type === 'ERROR') {
      const error = fromStatus(object);
      this.#options.logger.debug('watch reported an error', {
        resource: this.#options.resource.plural,
        error: errorText(error),
      });
      return 'relist';
    }
    const item = object as T;
    if (state.pending !== undefined) this.#gather(frame, item, state);
    else if (frame.type === 'DELETED') this.#target.remove(this.#target.reduce(item));
    else if (frame.type !== 'BOOKMARK') this.#target.upsert(this.#target.reduce(item));
    if (state.pending === undefined && item.metadata.resourceVersion !== undefined)
      this.#resourceVersion = item.metadata.resourceVersion;
    return undefined;
  }

  #gather(frame: WatchFrame, item: T, state: Following<R>): void {
    const key = `${item.metadata.namespace ?? ''}/${item.metadata.name ?? ''}`;
    if (frame.type === 'DELETED') state.pending?.delete(key);
    else if (frame.type !== 'BOOKMARK') state.pending?.set(key, this.#target.reduce(item));
    else if (item.metadata.annotations?.[INITIAL_EVENTS_END] === 'true') {
      const complete = [...(state.pending?.values() ?? [])];
      state.pending = undefined;
      this.#needsLatest = false;
      this.#resourceVersion = item.metadata.resourceVersion ?? '';
      this.#target.replace(complete);
    }
  }
}
