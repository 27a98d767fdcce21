import { LEGACY_OPERATOR_NAME, OPERATOR_NAME } from '@capstan/hypershift/manifests';
import { systemClock } from '@capstan/kube';
import type { Client } from '@capstan/kube';
import { printable } from '../errors.js';
import type { Output } from '../io.js';
import { waitFor } from './cluster.js';
import { logTail, observeRollout } from './observe.js';
import { rolloutState } from './rollout.js';

/** Where a Deployment is, and how long it is waited for. */
export interface Rollout {
  readonly namespace: string;
  readonly timeoutMs: number;
  readonly io: Output;
  readonly signal?: AbortSignal | undefined;
}

/** Until every replica of this version answers: the checker's webhooks are configured by itself, and only then. */
export async function rolledOut(
  client: Client,
  name: string,
  { io, namespace, signal, timeoutMs }: Rollout,
): Promise<void> {
  const deployment = `deployment.apps/${name}`;
  const clock = systemClock();
  let shown = '';
  let since = { text: '', at: 0 };
  let result = 'available';
  io.err(`waiting for ${deployment}\n`);
  const limits = { failure: `${deployment} is not available`, limitMs: timeoutMs, signal };
  await waitFor(clock, limits, async () => {
    const observed = await observeRollout(client, namespace, name);
    // The new operator deletes it once no cluster is on standard types.
    if (name === LEGACY_OPERATOR_NAME && observed.deployment === undefined) {
      result = `deleted by ${OPERATOR_NAME}: no hosted cluster needs it`;
      return { isDone: true };
    }
    const state = rolloutState(observed);
    if (state.isAvailable) return { isDone: true };
    const { cause, progress } = state;
    if (progress !== shown) io.err(`${deployment}: ${printable(progress)}\n`);
    shown = progress;
    if (cause === undefined) return { isDone: false, seen: progress };
    if (since.text !== cause.text) since = { text: cause.text, at: clock.monotonic() };
    const isFinal = clock.monotonic() - since.at >= cause.certainAfterMs;
    const detail = async (): Promise<string> => printable(await logTail(client, namespace, cause));
    return { isDone: false, isFinal, seen: printable(cause.text), hint: cause.hint, detail };
  });
  io.out(`${deployment} ${result}\n`);
}
