import type { Clock } from '@capstan/meta';
import type { WebhookAnswer, WebhookCall } from '../webhook/call.js';

/**
 * The pipeline is a generator: everything between two effects runs without interruption, so a request that needs none
 * is one synchronous step. What it cannot do itself (wait, call a webhook) it yields, and a driver does it.
 */
export type Effect =
  | { readonly type: 'sleep'; readonly ms: number }
  /** Resumes when others have had their turn. */
  | { readonly type: 'give-way' }
  /** Calls all at once; resumes when the last has answered. */
  | {
      readonly type: 'webhooks';
      readonly calls: readonly WebhookCall[];
      /** Called with the answers, in the order of the calls, before the flow resumes. */
      readonly deliver: (answers: readonly WebhookAnswer[]) => void;
    }
  /** Calls a backend of this server; the flow that yields it keeps the answer. */
  | { readonly type: 'reach'; readonly run: () => Promise<void> }
  /** Resumes when the store has reached the revision, or after the time limit. */
  | { readonly type: 'await-revision'; readonly revision: number; readonly timeoutMs: number };

export type Flow<T> = Generator<Effect, T, void>;

export type EffectDriver = (effect: Effect) => Promise<void>;

/** Runs a flow to its end; returns a promise only if it yielded an effect. */
export function runFlow<T>(flow: Flow<T>, drive: EffectDriver): T | Promise<T> {
  const first = flow.next();
  return first.done === true ? first.value : continueFlow(flow, first.value, drive);
}

async function continueFlow<T>(flow: Flow<T>, first: Effect, drive: EffectDriver): Promise<T> {
  let effect = first;
  for (;;) {
    const step = await stepAfter(flow, effect, drive);
    if (step.done === true) return step.value;
    effect = step.value;
  }
}

/** A failed effect is thrown into the flow at its yield; an error of the flow itself is not caught here. */
async function stepAfter<T>(flow: Flow<T>, effect: Effect, drive: EffectDriver): Promise<IteratorResult<Effect, T>> {
  try {
    await drive(effect);
  } catch (error) {
    return flow.throw(error);
  }
  return flow.next();
}

const GIVE_WAY: Effect = { type: 'give-way' };

/**
 * Lets others come in between when this flow has had its turn. Only for places where all of the state may change
 * meanwhile: between two objects, never between looking at one and writing it.
 */
export function* giveWay(clock: Pick<Clock, 'turns'>): Flow<void> {
  if (clock.turns?.isOver() === true) yield GIVE_WAY;
}

/** Calls webhooks from a flow, all at once. */
export function* callWebhooks(calls: readonly WebhookCall[]): Flow<readonly WebhookAnswer[]> {
  let answers: readonly WebhookAnswer[] = [];
  yield { type: 'webhooks', calls, deliver: (given) => void (answers = given) };
  return answers;
}
