import type { Random } from '@capstan/meta';
import { isSilent, withFields } from '../runtime/logger.js';
import type { Logger } from '../runtime/logger.js';
import { uuid } from '../runtime/uuid.js';
import type { Request } from './events.js';

/** What a reconciliation wants next; nothing when the object is as it should be. */
export interface Result {
  /** Look again after this long; failures until now no longer count. */
  readonly requeueAfterMs?: number | undefined;
  /** How urgent that is. Default: as urgent as this time. */
  readonly priority?: number | undefined;
}

/** What a reconciliation gets in addition to its request. */
export interface ReconcileContext {
  /** Aborts when the controller stops or the reconciliation takes too long: pass it on to every call. */
  readonly signal: AbortSignal;
  /** Its lines carry controller, object and reconcileID. */
  readonly logger: Logger;
  readonly reconcileID: string;
  readonly priority: number;
}

/** Brings one object to what it should be. A rejection is tried again later, longer and longer. */
export type Reconcile = (request: Request, context: ReconcileContext) => Promise<Result | void> | Result | void;

/** An error that a retry cannot fix: counted and logged, not retried. */
export class TerminalError extends Error {
  override readonly name = 'TerminalError';
}

/** Whether the error, or what caused it, is terminal. */
export function isTerminal(error: unknown): boolean {
  let at: unknown = error;
  for (let depth = 0; at instanceof Error && depth < 20; depth += 1) {
    if (at instanceof TerminalError) return true;
    at = at.cause;
  }
  return false;
}

/** Whether the program itself is at fault, where Go would have panicked. */
export function isFaultOfProgram(error: unknown): boolean {
  return (
    !(error instanceof Error) ||
    error instanceof TypeError ||
    error instanceof RangeError ||
    error instanceof ReferenceError ||
    error instanceof SyntaxError
  );
}

/** The context of one reconciliation; its id and logger are made when first asked for. */
export class LazyContext implements ReconcileContext {
  readonly signal: AbortSignal;
  readonly priority: number;
  readonly #request: Request;
  readonly #shared: { readonly name: string; readonly logger: Logger; readonly random: Random };
  #id: string | undefined;
  #logger: Logger | undefined;

  constructor(
    request: Request,
    shared: { readonly name: string; readonly logger: Logger; readonly random: Random },
    call: { readonly signal: AbortSignal; readonly priority: number },
  ) {
    this.signal = call.signal;
    this.priority = call.priority;
    this.#request = request;
    this.#shared = shared;
  }

  get reconcileID(): string {
    this.#id ??= uuid(this.#shared.random);
    return this.#id;
  }

  get logger(): Logger {
    if (this.#logger !== undefined) return this.#logger;
    // Nothing is logged: not even the id is needed.
    if (isSilent(this.#shared.logger)) return this.#shared.logger;
    const { namespace, name } = this.#request;
    this.#logger = withFields(this.#shared.logger, {
      controller: this.#shared.name,
      ...(namespace === '' ? {} : { namespace }),
      name,
      reconcileID: this.reconcileID,
    });
    return this.#logger;
  }
}
