import { TransportError } from '@capstan/kube';
import type { ApiRequest, ApiResponse, Random, Transport, WatchFrame } from '@capstan/meta';
import { effectPoint, effectSubject, fromReplica, refusal, writtenObject } from './answers.js';
import { aborted, Exchange } from './exchange.js';
import type { Life } from './life.js';
import { isInitialEnd, WatchLine } from './watch-line.js';
import type { Simulation } from './simulation.js';

const SHORTEST_LATENCY_MS = 0.2;
const LATENCY_SPREAD_MS = 4;
const SPARED_RETRY_MS = 500;

/** Where requests go. */
export interface TransportTarget {
  /** Distinguishes requests to it from those to other servers, in logs and in the names of effects. */
  readonly prefix: string;
  readonly server: { handle(request: ApiRequest): ApiResponse | Promise<ApiResponse> };
}

export interface TransportOptions {
  readonly random: Random;
  /** Nothing goes wrong with what its process asks. */
  readonly isSpared: boolean;
  /** Default: the server of the simulation. */
  readonly target?: TransportTarget | undefined;
}

/** Carries the requests of one life of a process to the server, through the faults of the simulation. */
export class SimulatedTransport implements Transport {
  readonly #simulation: Simulation;
  readonly #life: Life;
  readonly #random: Random;
  readonly #isSpared: boolean;
  readonly #target: TransportTarget | undefined;

  constructor(simulation: Simulation, life: Life, options: TransportOptions) {
    this.#simulation = simulation;
    this.#life = life;
    this.#random = options.random;
    this.#isSpared = options.isSpared;
    this.#target = options.target;
  }

  send(request: ApiRequest): Promise<ApiResponse> {
    const life = this.#life;
    const simulation = this.#simulation;
    // A dead process waits for ever.
    if (!life.isAlive) return new Promise(() => undefined);
    const { method } = request;
    const target = this.#target === undefined ? request.target : this.#target.prefix + request.target;
    if (request.signal?.aborted === true) return Promise.reject(aborted());
    const { process } = life;
    const effect = simulation.nextEffect(process);
    simulation.log.add({ type: 'send', at: simulation.elapsed, process, effect, method, target });
    const fault = simulation.isCalm
      ? undefined
      : simulation.strike(life, { effect, subject: effectSubject(method, target) }, effectPoint(request));
    if (!life.isAlive) return new Promise(() => undefined);
    const uid = simulation.log.isKept ? writtenObject(request)?.metadata?.uid : undefined;
    const seen = uid === undefined ? undefined : life.seen.get(uid);
    return new Promise((resolve, reject) => {
      this.#carry(new Exchange({ process, effect, request, fault, seen }, resolve, reject));
    });
  }

  /** The server of the simulation is down at times, others never. */
  get #isReachable(): boolean {
    return this.#target !== undefined || this.#simulation.isServerUp;
  }

  #latency = (): number => SHORTEST_LATENCY_MS + this.#random.next() ** 3 * LATENCY_SPREAD_MS;

  #carry(exchange: Exchange): void {
    const { fault } = exchange;
    const late = fault?.kind === 'delay' || fault?.kind === 'late' ? fault.ms : 0;
    // Without an owner: what has left a process arrives even when the process has died.
    this.#simulation.timeline.after(this.#latency() + late, undefined, () => this.#arrive(exchange));
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
        this.#simulation.timeline.after(fault.ms, undefined, () => this.#arriveAgain(exchange));
        return;
      default:
        if (fault?.kind === 'compaction') this.#simulation.server.store.compact(this.#simulation.server.store.revision);
        this.#handle(exchange, (response) => this.#answered(exchange, response));
    }
  }

  #arriveAgain(exchange: Exchange): void {
    if (this.#isReachable) this.#handle(exchange, (response) => this.#reply(exchange, response));
    else this.#fail(exchange);
  }

  #unreachable(exchange: Exchange): void {
    // A reliable process waits until the server answers.
    if (this.#isSpared) this.#simulation.timeline.after(SPARED_RETRY_MS, undefined, () => this.#arrive(exchange));
    else this.#fail(exchange, 'ECONNREFUSED');
  }

  /** A replica knows no more than it has received, and never forgets what is compacted elsewhere. */
  #askReplica(exchange: Exchange, behind: number): void {
    if (this.#target !== undefined) {
      this.#handle(exchange, (response) => this.#answered(exchange, response));
      return;
    }
    const { store } = this.#simulation.server;
    const revision = Math.max(1, store.revision - behind);
    const answer = fromReplica(exchange.request.target, revision);
    if (typeof answer !== 'string') {
      this.#reply(exchange, answer);
      return;
    }
    const asked = exchange.redirected(answer);
    this.#handle(asked, (response) => {
      if (response.status !== 410) this.#answered(exchange, response);
      else this.#handle(exchange, (current) => this.#answered(exchange, current));
    });
  }

  #handle(exchange: Exchange, done: (response: ApiResponse) => void): void {
    const server = this.#target?.server ?? this.#simulation.server;
    this.#simulation.actsFor(exchange);
    const answer = server.handle(carried(exchange.request));
    if (!(answer instanceof Promise)) {
      done(answer);
      return;
    }
    const answered = (response: ApiResponse): void => {
      // A server that stopped in the meantime sends no answer, and what it did after that it did not store.
      if (this.#isReachable && (this.#target !== undefined || server === this.#simulation.server)) done(response);
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
      this.#simulation.crash(this.#life, fault.downMs);
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
        if (body.type === 'payload' && this.#simulation.log.isKept) this.#remember(body.value());
        exchange.resolve(response);
      });
      return;
    }
    if (!this.#life.isAlive) {
      body.stop();
      return;
    }
    const { effect, fault } = exchange;
    const line = new WatchLine(body, {
      timeline: this.#simulation.timeline,
      life: this.#life,
      latency: this.#latency,
      fault,
      onFrame: (frame) => this.#shown(effect, frame),
    });
    this.#later(exchange, response.status, () => exchange.resolve({ ...response, body: line }));
  }

  #shown(effect: number, frame: WatchFrame): void {
    const { log } = this.#simulation;
    const object = frame.object() as { metadata?: { resourceVersion?: string } };
    if (log.isKept) this.#life.saw(object);
    log.add({
      type: 'frame',
      at: this.#simulation.elapsed,
      process: this.#life.process,
      effect,
      frame: frame.type,
      revision: object.metadata?.resourceVersion ?? '',
      isInitialEnd: isInitialEnd(frame),
    });
  }

  #later({ effect }: Exchange, status: number | string, deliver: () => void): void {
    const { process } = this.#life;
    this.#simulation.timeline.after(this.#latency(), this.#life, () => {
      this.#simulation.log.add({ type: 'reply', at: this.#simulation.elapsed, process, effect, status });
      deliver();
    });
  }

  #remember(value: unknown): void {
    this.#life.saw(value);
    const items = (value as { items?: unknown } | undefined)?.items;
    if (Array.isArray(items)) for (const item of items) this.#life.saw(item);
  }
}

/** The request as the server receives it, which does not notice when its caller gives up. */
function carried({ body, headers, isStreaming, method, remoteAddress, target, user }: ApiRequest): ApiRequest {
  return { method, target, headers, body, user, remoteAddress, isStreaming };
}

function discard({ body }: ApiResponse): void {
  if (body.type === 'watch') body.stop();
}
