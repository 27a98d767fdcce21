import { TransportError } from '@capstan/kube';
import type { ApiRequest, ApiResponse, Random, Transport } from '@capstan/meta';
import type { FaultAction } from '../faults/fault.js';
import { effectPoint, effectSubject, refusal, writtenObject } from './answers.js';
import type { Life } from './life.js';
import { WatchLine } from './watch-line.js';
import type { World } from './world.js';

const SHORTEST_LATENCY_MS = 0.2;
const LATENCY_SPREAD_MS = 4;

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

/** Carries the requests of one life of a process to the server, through the faults of the world. */
export class SimulatedTransport implements Transport {
  readonly #world: World;
  readonly #life: Life;
  readonly #random: Random;
  readonly #target: TransportTarget;

  constructor(world: World, life: Life, random: Random, target?: TransportTarget) {
    this.#world = world;
    this.#life = life;
    this.#random = random;
    this.#target = target ?? { prefix: '', server: world.server };
  }

  send(request: ApiRequest): Promise<ApiResponse> {
    const { process, isAlive } = this.#life;
    // A dead process waits for ever.
    if (!isAlive) return new Promise(() => undefined);
    const { prefix } = this.#target;
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

  #latency = (): number => SHORTEST_LATENCY_MS + this.#random.next() ** 3 * LATENCY_SPREAD_MS;

  #carry(exchange: Exchange): void {
    const { fault } = exchange;
    const late = fault?.kind === 'delay' ? fault.ms : 0;
    // Belongs to nobody: what has left a process arrives even when the process has died.
    this.#world.timeline.after(this.#latency() + late, undefined, () => this.#arrive(exchange));
  }

  #arrive(exchange: Exchange): void {
    const { fault } = exchange;
    if (fault?.kind === 'lost-before') this.#fail(exchange);
    else if (fault?.kind === 'status') this.#reply(exchange, refusal(fault.code, fault.retryAfterSeconds));
    else if (fault?.kind === 'duplicate') {
      this.#handle(exchange, (response) => discard(response));
      this.#world.timeline.after(fault.ms, undefined, () =>
        this.#handle(exchange, (response) => this.#reply(exchange, response)),
      );
    } else this.#handle(exchange, (response) => this.#answered(exchange, response));
  }

  #handle(exchange: Exchange, done: (response: ApiResponse) => void): void {
    const { request, effect, seen } = exchange;
    const { signal: _, ...carried } = request;
    const author = { process: this.#life.process, effect, request, seen };
    const answer = this.#world.asAuthor(author, () => this.#target.server.handle(carried));
    if (!(answer instanceof Promise)) done(answer);
    else answer.then(done, () => this.#fail(exchange));
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

  #fail(exchange: Exchange): void {
    const error = new TransportError('ECONNRESET', 'the connection was reset', true);
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
    this.#life.watches.add(body);
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
        this.#world.log.add({ type: 'frame', at: this.#world.elapsed, process, effect, frame: frame.type, revision });
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
