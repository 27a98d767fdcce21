import type { RequestInfo } from '../request/request-info.js';

/** The connection is cut instead of an answer; `after` means the request had taken effect. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost';
  readonly when: 'before' | 'after';

  constructor(when: 'before' | 'after') {
    super(`the connection was lost ${when} the request took effect`);
    this.when = when;
  }
}

/** Which requests a fault strikes; what is left out matches everything. */
export interface FaultMatch {
  readonly verb?: string;
  readonly group?: string;
  readonly resource?: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
}

/** What happens to a request that is struck. */
export type FaultAction =
  /** Answered with this code, and Retry-After where given, without being carried out. */
  | { readonly type: 'status'; readonly code: number; readonly retryAfterSeconds?: number; readonly message?: string }
  /** Carried out after a while. */
  | { readonly type: 'delay'; readonly ms: number }
  /** Not carried out, no answer. */
  | { readonly type: 'drop-before' }
  /** Carried out, no answer: the client cannot know. */
  | { readonly type: 'drop-after' };

export interface Fault {
  readonly match: FaultMatch;
  readonly action: FaultAction;
  /** How many requests it strikes before it is spent; 1 by default. */
  readonly times?: number;
}

interface Armed {
  readonly fault: Fault;
  left: number;
}

/** Faults to order, at the edge of the server: the first that matches strikes. */
export class FaultInjector {
  #armed: Armed[] = [];

  /** Arms a fault; the result disarms it. */
  add(fault: Fault): () => void {
    const armed = { fault, left: fault.times ?? 1 };
    this.#armed.push(armed);
    return () => {
      this.#armed = this.#armed.filter((each) => each !== armed);
    };
  }

  clear(): void {
    this.#armed = [];
  }

  /** The faults not yet spent, with how often each will still strike. */
  list(): { fault: Fault; left: number }[] {
    return this.#armed.map(({ fault, left }) => ({ fault, left }));
  }

  /** The fault that strikes this request, if any. Costs nothing while none is armed. */
  strike(info: RequestInfo): FaultAction | undefined {
    if (this.#armed.length === 0) return undefined;
    const struck = this.#armed.find(({ fault }) => matches(fault.match, info));
    if (struck === undefined) return undefined;
    struck.left -= 1;
    if (struck.left <= 0) this.#armed = this.#armed.filter((each) => each !== struck);
    return struck.fault.action;
  }
}

function matches(match: FaultMatch, info: RequestInfo): boolean {
  return (
    (match.verb === undefined || match.verb === info.verb) &&
    (match.group === undefined || match.group === info.group) &&
    (match.resource === undefined || match.resource === info.resource) &&
    (match.subresource === undefined || match.subresource === info.subresource) &&
    (match.namespace === undefined || match.namespace === info.namespace) &&
    (match.name === undefined || match.name === info.name)
  );
}
