import { waitUntil } from '@capstan/kube/testing';
import type { StepContext } from '../scenario.js';

/** How long a step may wait for what it needs. */
const MAX_WAIT_MS = 30 * 60_000;

/** Waits, within a step, until something is so. */
export async function until(what: string, { clock }: StepContext, look: () => Promise<boolean>): Promise<void> {
  await waitUntil(what, look, { clock, limitMs: MAX_WAIT_MS, everyMs: 5_000 });
}
