import { TransportError } from '@capstan/kube';
import type { ApiRequest, ApiResponse, Random, Transport } from '@capstan/meta';
import type { FaultAction } from '../faults/fault.js';
import { effectPoint, effectSubject, fromReplica, refusal, writtenObject } from './answers.js';
import type { Life } from './life.js';
import { isInitialEnd, WatchLine } from './watch-line.js';
import type { World } from './world.js';

const SHORTEST_LATENCY_MS = 0.2;
const LATENCY_SPREAD_MS = 4;
const SPARED_RETRY_MS = 500;

/** One request under way. */
interface Exchange {
  readonly request: ApiRequest;
  readonly effect: number;
  readonly fault: FaultAction | undefined;
  /** The newest version of the object it writes that the process had been shown when it left. */
  readonly seen: string | undefined;
  readonly resolve: (response: ApiResponse) => void;
  readonly reject: (error: Error) => void;
}

/** Where requests go. */
export interface TransportTarget {
  /** Tells requests to it from those to others, in logs and in the names of effects. */
  readonly prefix: string;
  readonly server: { handle(request: ApiRequest): ApiResponse | Promise<ApiResponse> };
}

export interface TransportOptions {
  readonly random: Random;
  /** Nothing goes wrong with what its process asks. */
  readonly isSpared: boolean;
  /** Default: the server of the world. */
  readonly target?: TransportTarget | undefined;
}

/** Carries the requests of one life of a process to the server, through the faults of the world. */
export class SimulatedTransport implements Transport {
  readonly #world: World;
  readonly #life: Life;
  readonly #random: Random;
  readonly #isSpared: boolean;
  readonly #target: TransportTarget | undefined;

  constructor(world: World, life: Life, options: TransportOptions) {
    this.#world = world;
    this.#life = life;
    this.#random = options.random;
    this.#isSpared = options.isSpared;
    this.#target = options.target;
  }

  send(request: ApiRequest): Promise<ApiResponse> {
    const { process, isAlive } = this.#life;
    // A dead process waits for ever.
    if (!isAlive) return new Promise(() => undefined);
    const prefix = this.#target?.prefix ?? '';
    const { signal, method } = request;
    const target = prefix + request.target;
    const aborted = (): TransportError => new TransportError('ABORTED', 'the request was aborted', true);
    if (signal?.aborted === true) return Promise.reject(aborted());
    const effect = this.#world.nextEffect(process);
    this.#world.log.add({ type: 'send', at: this.#world.elapsed, process, effect, method, target });
    const subject = effectSubject({ ...request, target });
    const fault = this.#world.strike(this.#life, { effect, subject }, effectPoint(request));
    if (!this.#life.isAlive) return new Promise(() => undefined);
    const uid = writtenObject(request)?.metadata?.uid;
    const seen = uid === undefined ? undefined : this.#life.seen.get(uid);
    return new Promise((resolve, reject) => {
      const onAbort = (): void => reject(aborted());
      signal?.addEventListener('abort', onAbort, { once: true });
      const over = (): void => signal?.removeEventListener('abort', onAbort);
      this.#carry({
        request,
        effect,
        fault,
        seen,
        resolve: (response) => (over(), resolve(response)),
        reject: (error) => (over(), reject(error)),
      });
    });
  }

  /** The server of the world goes away at times, others never. */
  get #isReachable(): boolean {
    return this.#target !== undefined || this.#world.isServerUp;
  }

  #latency = (): number => SHORTEST_LATENCY_MS + this.#random.next() ** 3 * LATENCY_SPREAD_MS;

  #carry(exchange: Exchange): void {
    const { fault } = exchange;
    const late = fault?.kind === 'delay' || fault?.kind === 'late' ? fault.ms : 0;
    // Belongs to nobody: what has left a process arrives even when the process has died.
    this.#world.timeline.after(this.#latency() + late, undefined, () => this.#arrive(exchange));
    if (fault?.kind === 'late') this.#fail(exchange);
  }

  #arrive(exchange: Exchange): void {
    const { fault } = exchange;
    if (!this.#isReachable) {
      this.#unreachable(exchange);
      return;
    }
    switch (fault?.kind) {
      case 'lost-before':
        this.#fail(exchange);
        return;
      case 'status':
        this.#reply(exchange, refusal(fault.code, fault.retryAfterSeconds));
        return;
      case 'stale-replica':
        this.#askReplica(exchange, fault.behind);
        return;
      case 'late':
        this.#handle(exchange, (response) => discard(response));
        return;
      case 'duplicate':
        this.#handle(exchange, (response) => discard(response));
        this.#world.timeline.after(fault.ms, undefined, () => this.#arriveAgain(exchange));
        return;
      default:
        if (fault?.kind === 'compaction') this.#world.server.store.compact(this.#world.server.store.revision);
        this.#handle(exchange, (response) => this.#answered(exchange, response));
    }
  }

  #arriveAgain(exchange: Exchange): void {
    if (this.#isReachable) this.#handle(exchange, (response) => this.#reply(exchange, response));
    else this.#fail(exchange);
  }

  #unreachable(exchange: Exchange): void {
    // Who is spared all faults waits until somebody answers.
    if (this.#isSpared) this.#world.timeline.after(SPARED_RETRY_MS, undefined, () => this.#arrive(exchange));
    else this.#fail(exchange, 'ECONNREFUSED');
  }

  /** A replica knows no more than it has heard, and never forgets what is compacted elsewhere. */
  #askReplica(exchange: Exchange, behind: number): void {
    if (this.#target !== undefined) {
      this.#handle(exchange, (response) => this.#answered(exchange, response));
      return;
    }
    const { store } = this.#world.server;
    const revision = Math.max(1, store.revision - behind);
    const answer = fromReplica(exchange.request.target, revision);
    if (typeof answer !== 'string') {
      this.#reply(exchange, answer);
      return;
    }
    const asked = { ...exchange, request: { ...exchange.request, target: answer } };
    this.#handle(asked, (response) => {
      if (response.status !== 410) this.#answered(exchange, response);
      else this.#handle(exchange, (current) => this.#answered(exchange, current));
    });
  }

  #handle(exchange: Exchange, done: (response: ApiResponse) => void): void {
    const { request, effect, seen } = exchange;
    const { signal: _, ...carried } = request;
    const author = { process: this.#life.process, effect, request, seen };
    const server = this.#target?.server ?? this.#world.server;
    const answer = this.#world.asAuthor(author, () => server.handle(carried));
    if (!(answer instanceof Promise)) {
      done(answer);
      return;
    }
    const answered = (response: ApiResponse): void => {
      // A server that went away meanwhile answers nobody, and what it did after that it did not store.
      if (this.#isReachable && (this.#target !== undefined || server === this.#world.server)) done(response);
      else {
        discard(response);
        if (this.#isSpared) this.#unreachable(exchange);
        else this.#fail(exchange);
      }
    };
    answer.then(answered, () => this.#fail(exchange));
  }

  #answered(exchange: Exchange, response: ApiResponse): void {
    const { fault } = exchange;
    if (fault?.kind === 'crash') {
      discard(response);
      this.#world.crash(this.#life, fault.downMs);
    } else if (fault?.kind === 'lost-after') {
      discard(response);
      this.#fail(exchange);
    } else this.#reply(exchange, response);
  }

  #fail(exchange: Exchange, code: 'ECONNRESET' | 'ECONNREFUSED' = 'ECONNRESET'): void {
    const message = code === 'ECONNRESET' ? 'the connection was reset' : 'the connection was refused';
    const error = new TransportError(code, message, code === 'ECONNRESET');
    this.#later(exchange, error.code, () => exchange.reject(error));
  }

  #reply(exchange: Exchange, response: ApiResponse): void {
    const { body } = response;
    if (body.type !== 'watch') {
      this.#later(exchange, response.status, () => {
        if (body.type === 'payload') this.#remember(body.value());
        exchange.resolve(response);
      });
      return;
    }
    if (!this.#life.isAlive) {
      body.stop();
      return;
    }
    const { process } = this.#life;
    const { effect, fault } = exchange;
    const line = new WatchLine(body, {
      timeline: this.#world.timeline,
      life: this.#life,
      latency: this.#latency,
      fault,
      onFrame: (frame) => {
        const object = frame.object() as { metadata?: { resourceVersion?: string } };
        this.#life.saw(object);
        const revision = object.metadata?.resourceVersion ?? '';
        this.#world.log.add({
          type: 'frame',
          at: this.#world.elapsed,
          process,
          effect,
          frame: frame.type,
          revision,
          isInitialEnd: isInitialEnd(frame),
        });
      },
    });
    this.#later(exchange, response.status, () => exchange.resolve({ ...response, body: line }));
  }

  #later({ effect }: Exchange, status: number | string, deliver: () => void): void {
    const { process } = this.#life;
    this.#world.timeline.after(this.#latency(), this.#life, () => {
      this.#world.log.add({ type: 'reply', at: this.#world.elapsed, process, effect, status });
      deliver();
    });
  }

  #remember(value: unknown): void {
    this.#life.saw(value);
    const items = (value as { items?: unknown } | undefined)?.items;
    if (Array.isArray(items)) for (const item of items) this.#life.saw(item);
  }
}

function discard({ body }: ApiResponse): void {
  if (body.type === 'watch') body.stop();
}
