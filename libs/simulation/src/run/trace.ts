import { SimulationError } from '../errors.js';
import type { PlannedFault } from '../faults/fault.js';
import { eventText } from '../engine/event-log.js';
import type { RunOptions, RunResult } from './run.js';

/** A run as it is kept in a file: all that is needed to have it again, and what happened, for people. */
export interface Trace {
  readonly format: 1;
  /** Of the controllers that were run; with other code the run may differ. */
  readonly commit: string;
  readonly scenario: string;
  readonly seed: number;
  readonly hash: string;
  readonly faults: readonly PlannedFault[];
  readonly withoutSteps: readonly string[];
  readonly withoutProcesses: readonly string[];
  readonly violations: readonly { readonly oracle: string; readonly message: string }[];
  readonly events: readonly string[];
}

/** What is to be kept of a run. */
export function traceOf(result: RunResult, commit: string): Trace {
  const { scenario, options, hash, faults, violations, events } = result;
  return {
    format: 1,
    commit,
    scenario,
    seed: options.seed,
    hash,
    faults,
    withoutSteps: [...(options.withoutSteps ?? [])],
    withoutProcesses: [...(options.withoutProcesses ?? [])],
    violations: violations.map(({ oracle, message }) => ({ oracle, message })),
    events: events.map(eventText),
  };
}

/** Reads a trace; refuses what is none. */
export function parseTrace(text: string): Trace {
  let value: Partial<Trace>;
  try {
    value = JSON.parse(text) as Partial<Trace>;
  } catch (error) {
    throw new SimulationError('BAD_ARGUMENT', `not a trace: ${error instanceof Error ? error.message : String(error)}`);
  }
  const { format, scenario, seed, hash, faults, withoutSteps, withoutProcesses } = value;
  const lists = [faults, withoutSteps, withoutProcesses];
  const isWhole = typeof scenario === 'string' && typeof seed === 'number' && typeof hash === 'string';
  if (format !== 1 || !isWhole || !lists.every((list) => Array.isArray(list)))
    throw new SimulationError('BAD_ARGUMENT', 'not a trace of this format');
  return value as Trace;
}

/** How to have the run of a trace again. */
export function optionsOf({ seed, faults, withoutSteps, withoutProcesses }: Trace): RunOptions {
  return { seed, faults, withoutSteps: new Set(withoutSteps), withoutProcesses: new Set(withoutProcesses) };
}
