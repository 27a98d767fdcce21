import { systemClock } from '@capstan/kube';
import { waitToSee, waitUntil } from '@capstan/kube/testing';

/** How long a test waits in real time, and how often it looks. */
interface WaitLimits {
  readonly limitMs: number;
  readonly everyMs: number;
}

const USUAL: WaitLimits = { limitMs: 20_000, everyMs: 20 };
/** For what a real server applies a moment later: CRDs, policies, webhooks and permissions. */
export const SERVER_LIMITS: WaitLimits = { limitMs: 45_000, everyMs: 50 };

/** Waits until a look finds something, and returns it. */
export function eventually<T>(
  what: string,
  look: () => Promise<T | undefined | false>,
  limits: WaitLimits = USUAL,
): Promise<T> {
  return waitUntil(what, look, { clock: systemClock(), ...limits });
}

/**
 * Waits until what is seen passes, and returns it. Scenarios run concurrently, where `expect.poll` cannot know its test.
 */
export function eventuallySees<T>(what: string, look: () => Promise<T>, passes: (seen: T) => boolean): Promise<T> {
  return waitToSee(what, look, passes, { clock: systemClock(), ...USUAL });
}

/** Asks until the answer has this status; the failure shows the last answer. */
export async function untilStatus(
  status: number,
  ask: () => Promise<{ readonly status: number; readonly text?: string }>,
): Promise<void> {
  const look = async (): Promise<{ readonly status: number; readonly text?: string }> => {
    const { status: found, text = '' } = await ask();
    return { status: found, text };
  };
  const isWanted = (answer: { readonly status: number }): boolean => answer.status === status;
  await waitToSee(`an answer with ${status}`, look, isWanted, { clock: systemClock(), ...SERVER_LIMITS });
}
