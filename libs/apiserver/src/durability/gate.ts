import { type ApiError, type ApiResponse, apiErrors, fromUnknown } from '@capstan/meta';
import type { Store } from '../store/index.js';
import { DurableWatch, type Progress } from './durable-watch.js';
import type { Journal, JournalFailure } from './journal.js';

type Answer = ApiResponse | Promise<ApiResponse>;

/**
 * Nothing leaves the server before what it reports is durable: no acknowledgement, and no read or watch event either,
 * since a reader must not act on a write that a crash takes back. Inside, the state runs ahead; responses wait at the
 * door, all those of one batch for the same disk write.
 *
 * While the journal fails, commits are refused and all else goes on: reads, watches, reviews, and writes that change
 * nothing. Reads may show the few writes that were under way, which were answered with an error: their outcome was
 * unknown to the client, as after a timeout.
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
      get isFailing() {
        return journal.failure !== undefined;
      },
    };
    store.subscribe((event) => journal.append(event));
    journal.onDurable(() => {
      for (const watch of this.#watches) watch.release();
    });
  }

  /** Refuses every commit from now on that could not be stored. What the server begins with was committed before. */
  guard(store: Store): void {
    store.guard(() => {
      const { failure } = this.#journal;
      if (failure !== undefined) throw notStored(failure);
    });
  }

  /** Lets out what `act` answers or throws once it may be known. */
  answer(method: string, act: () => Answer): Answer {
    const { revision } = this.#progress;
    // An error acknowledges nothing: it may be sent even if nothing can be stored.
    const fail = (error: unknown): Answer =>
      this.#hold(false, () => {
        throw error;
      });
    const pass = (response: ApiResponse): Answer =>
      this.#hold(mayWrite(method) && this.#progress.revision !== revision, () => this.#gated(response));
    let answer: Answer;
    try {
      answer = act();
    } catch (error) {
      return fail(error);
    }
    return answer instanceof Promise ? answer.then(pass, fail) : pass(answer);
  }

  #hold(mayHaveWritten: boolean, respond: () => ApiResponse): Answer {
    const flushed = this.#journal.flushed();
    if (flushed === undefined) return respond();
    return flushed.then(respond, (error: unknown) => {
      if (mayHaveWritten) throw notStored(this.#journal.failure ?? { reason: messageOf(error), isNoSpace: false });
      return respond();
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

/** A full disk in the words of etcd that kube-apiserver passes on; etcd has no words for other disk errors. */
function notStored({ isNoSpace, reason }: JournalFailure): ApiError {
  if (isNoSpace) return apiErrors.unclassified('etcdserver: mvcc: database space exceeded');
  return fromUnknown(`the write could not be stored: ${reason}`);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
