import type { KubeObject } from '@capstan/meta';
import { faultText } from '../faults/fault.js';
import type { PlannedFault } from '../faults/fault.js';
import { RollingHash } from './rolling-hash.js';

/** Events of the API server itself have this process name. */
export const SERVER_PROCESS = 'server';

interface Happened {
  /** Virtual milliseconds since the simulation started. */
  readonly at: number;
  readonly process: string;
}

/** A request left a process. `effect` names it in everything that follows from it. */
export interface SendEvent extends Happened {
  readonly type: 'send';
  readonly effect: number;
  readonly method: string;
  readonly target: string;
}

/** An answer reached a process: its code, or the error that came instead. */
export interface ReplyEvent extends Happened {
  readonly type: 'reply';
  readonly effect: number;
  readonly status: number | string;
}

/** A write took effect. The objects are frozen and shared. */
export interface CommitEvent extends Happened {
  readonly type: 'commit';
  readonly effect: number;
  readonly change: 'create' | 'update' | 'delete';
  /** Of the request; empty when the server wrote on its own. */
  readonly method: string;
  /** User agent of the request: controllers of one process have their own; empty when the server wrote on its own. */
  readonly userAgent: string;
  /** Group and plural: `pods`, `apps/deployments`. */
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
  readonly revision: number;
  readonly object: KubeObject;
  readonly previous: KubeObject | undefined;
  /** Whether the request replaced a whole object without naming its resourceVersion. */
  readonly isBlindReplace: boolean;
  /** The newest version of the object its writer had been shown when the request left. */
  readonly seen: string | undefined;
}

/** A watch showed something to a process. */
export interface FrameEvent extends Happened {
  readonly type: 'frame';
  /** The request that opened the watch. */
  readonly effect: number;
  readonly frame: string;
  readonly revision: string;
  /** The state the watch began with is complete. */
  readonly isInitialEnd: boolean;
}

export interface FaultEvent extends Happened {
  readonly type: 'fault';
  readonly effect: number;
  readonly fault: PlannedFault;
}

/** Something about a process itself. */
export interface LifeEvent extends Happened {
  readonly type: 'start' | 'crash' | 'stop' | 'fail' | 'step';
  readonly detail: string;
}

export type SimulationEvent = SendEvent | ReplyEvent | CommitEvent | FrameEvent | FaultEvent | LifeEvent;

/** Receives everything that happens in a simulation. */
export type EventListener = (event: SimulationEvent) => void;

/** Everything that happened, in order, with its digest; or nothing, when a listener receives it instead. */
export class EventLog {
  readonly events: SimulationEvent[] = [];
  readonly #hash = new RollingHash();
  readonly #listener: EventListener | undefined;

  constructor(listener?: EventListener) {
    this.#listener = listener;
  }

  /** Whether the log keeps events. */
  get isKept(): boolean {
    return this.#listener === undefined;
  }

  get digest(): string {
    return this.#hash.digest;
  }

  add(event: SimulationEvent): void {
    if (this.#listener !== undefined) {
      this.#listener(event);
      return;
    }
    this.events.push(event);
    this.#hash.text(eventText(event));
    if (event.type === 'commit') this.#hash.value(event.object);
  }

  /** Something that counts for the digest and is not worth keeping. */
  mark(text: string): void {
    if (this.isKept) this.#hash.text(text);
  }
}

/** The event on one line. */
export function eventText(event: SimulationEvent): string {
  const when = `${(event.at / 1000).toFixed(3).padStart(10)}s ${event.process}`;
  switch (event.type) {
    case 'send':
      return `${when} #${event.effect} ${event.method} ${event.target}`;
    case 'reply':
      return `${when} #${event.effect} is answered ${event.status}`;
    case 'commit':
      return `${when} #${event.effect} ${event.change}s ${commitSubject(event)} at revision ${event.revision}`;
    case 'frame':
      return `${when} #${event.effect} is shown ${event.frame} ${event.revision}`;
    case 'fault':
      return `${when} #${event.effect} FAULT ${faultText(event.fault.action)}`;
    default:
      return `${when} ${event.type} ${event.detail}`;
  }
}

/** Which object a write was about. */
export function commitSubject(event: CommitEvent): string {
  return `${event.resource} ${event.namespace === '' ? '' : `${event.namespace}/`}${event.name}`;
}
