import { type ApiError, type ApiResponse, fromUnknown } from '@capstan/meta';
import type { Store } from '../store/index.js';
import { DurableWatch, type Progress } from './durable-watch.js';
import type { Journal } from './journal.js';

type Answer = ApiResponse | Promise<ApiResponse>;

/**
 * Nothing leaves the server before what it tells of is durable: no acknowledgement, and no read or watch event either,
 * since a reader must not act on a write that a crash takes back. Inside, the state runs ahead; responses wait at the
 * door, all those of one batch for the same disk write.
 *
 * While the journal fails, writes are refused and reads go on. They may show the few writes that were under way, which
 * were answered with an error: their outcome was unknown to the client, as after a timeout.
 */
export class DurabilityGate {
  readonly #journal: Journal;
  readonly #progress: Progress;
  readonly #watches = new Set<DurableWatch>();

  constructor(journal: Journal, store: Store) {
    this.#journal = journal;
    this.#progress = {
      get revision() {
        return store.revision;
      },
      get durableRevision() {
        return journal.durableRevision;
      },
    };
    store.subscribe((event) => journal.append(event));
    journal.onDurable(() => {
      for (const watch of this.#watches) watch.release();
    });
  }

  /** Refuses what may write while nothing can be stored. For those only who may know: the reason names the directory. */
  requireStorable(method: string): void {
    const { failure } = this.#journal;
    if (failure !== undefined && mayWrite(method)) throw notStored(failure);
  }

  /** Lets out what `act` answers or throws once it may be known. */
  answer(method: string, act: () => Answer): Answer {
    const isWrite = mayWrite(method);
    // An error acknowledges nothing: it may be told even if nothing can be stored.
    const fail = (error: unknown): Answer =>
      this.#hold(false, () => {
        throw error;
      });
    const pass = (response: ApiResponse): Answer => this.#hold(isWrite, () => this.#gated(response));
    let answer: Answer;
    try {
      answer = act();
    } catch (error) {
      return fail(error);
    }
    return answer instanceof Promise ? answer.then(pass, fail) : pass(answer);
  }

  #hold(isWrite: boolean, tell: () => ApiResponse): Answer {
    const flushed = this.#journal.flushed();
    if (flushed === undefined) return tell();
    return flushed.then(tell, (error: unknown) => {
      if (isWrite) throw notStored(error instanceof Error ? error.message : String(error));
      return tell();
    });
  }

  #gated(response: ApiResponse): ApiResponse {
    if (response.body.type !== 'watch') return response;
    return { ...response, body: new DurableWatch(response.body, this.#progress, this.#watches) };
  }
}

function mayWrite(method: string): boolean {
  return method !== 'GET' && method !== 'HEAD';
}

function notStored(reason: string): ApiError {
  return fromUnknown(`the write could not be stored: ${reason}`);
}
