import type { Backend, Connected } from '../../src/conformance/servers.js';
import { differences } from '../../src/conformance/differences.js';
import type { Step } from '../../src/conformance/goldens.js';
import { Session } from '../../src/conformance/session.js';

/** Where expressions are sent to, and what the answers are compared in. */
export interface Sides {
  readonly real: Side;
  readonly ours: Side;
}

export interface Side {
  readonly backend: Backend;
  readonly connected: Connected;
  readonly ns: string;
}

export interface CelFinding {
  /** The number of the expression in its round. */
  readonly at: number;
  readonly expression: string;
  readonly lines: readonly string[];
  /** The name of the known difference it is one of; undefined where it is news. */
  readonly known: string | undefined;
}

/** How often a real server is asked again: what it takes out of a map comes in another order each time. */
const ASKED_AGAIN = 12;

/** A new session of a side, with a transcript of its own. */
export function sessionOf({ backend, connected, ns }: Side): Session {
  return new Session(backend, connected, ns);
}

/** Types are named after the time they are made at. */
function timeless(step: Step): Step {
  return JSON.parse(JSON.stringify(step).replaceAll(/\bselfType\d+/g, 'selfType')) as Step;
}

async function answerOf(side: Side, target: string, body: unknown): Promise<Step> {
  const session = sessionOf(side);
  try {
    await session.post(target, body);
  } catch (error) {
    // A real server that panics ends the connection.
    return { request: target, status: 0, body: error instanceof Error ? error.message : String(error) };
  }
  const [step] = session.steps;
  if (step === undefined) throw new Error('a call leaves a step');
  return timeless(step);
}

/** Whether the real server gives several answers to one request, ours among them. */
async function isChance(real: Side, target: string, body: unknown, answers: readonly Step[]): Promise<boolean> {
  for (let times = 0; times < ASKED_AGAIN; times += 1) {
    const again = await answerOf(real, target, body);
    if (answers.every((each) => differences([again], [each]).length > 0)) return true;
    if (answers[1] !== undefined && differences([again], [answers[1]]).length === 0) return true;
  }
  return false;
}

/** Sends one body to both; what differs, and whether both took it. */
export async function ask(
  { real, ours }: Sides,
  target: string,
  body: unknown,
): Promise<{ readonly lines: readonly string[]; readonly isTaken: boolean; readonly hasPanicked: boolean }> {
  const [wanted, found] = await Promise.all([answerOf(real, target, body), answerOf(ours, target, body)]);
  const isTaken = wanted.status === 201 && found.status === 201;
  const hasPanicked = wanted.status === 0;
  const lines = differences([wanted], [found]);
  const isSame = lines.length === 0 || (!hasPanicked && (await isChance(real, target, body, [wanted, found])));
  return { lines: isSame ? [] : lines, isTaken, hasPanicked };
}
