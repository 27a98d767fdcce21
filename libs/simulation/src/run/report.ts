import { pushAll } from '@capstan/meta';
import { effectText, faultText } from '../faults/fault.js';
import { eventText } from '../engine/event-log.js';
import type { ReplyEvent, SendEvent, SimulationEvent } from '../engine/event-log.js';
import { isWriteRequest } from '../oracles/liveness.js';
import { isWork } from './run.js';
import type { RunResult } from './run.js';
import type { Shrunk } from './shrink.js';

const LONGEST_TRACE = 60;

/** A failed run as a person reads it: what is wrong, what went wrong before, and what happened. */
export function failureText(result: RunResult, shrunk?: Shrunk, commit?: string): string {
  const { scenario, options, hash, violations, faults } = result;
  const lines = [`commit ${commit ?? 'unknown'}, seed ${options.seed}, scenario ${scenario}, hash ${hash}`];
  if (shrunk !== undefined)
    lines.push(
      `made smaller in ${shrunk.runs} runs: without ${shrunk.droppedFaults} faults, ` +
        `${shrunk.droppedSteps} steps, ${shrunk.droppedProcesses} processes`,
    );
  pushAll(
    lines,
    ['', 'wrong:'],
    violations.slice(0, 8).map(({ oracle, message }) => `  ${oracle}: ${message}`),
  );
  pushAll(
    lines,
    ['', 'faults:'],
    faults.map((fault) => `  ${effectText(fault)}: ${faultText(fault.action)}`),
  );
  if (faults.length === 0) lines.push('  none');
  pushAll(
    lines,
    ['', 'what happened:'],
    trace(result).map((line) => `  ${line}`),
  );
  return lines.join('\n');
}

const requestId = ({ process, effect }: SendEvent | ReplyEvent): string => `${process} ${effect}`;

function isNews(event: SimulationEvent): boolean {
  return event.type === 'commit' ? isWork(event) : event.type !== 'frame';
}

/** The events that explain the run: lives, steps, faults and writes, and at the end the surroundings of the violation. */
function trace({ events, violations }: RunResult): string[] {
  const culprit = violations.find(({ event }) => event !== undefined)?.event;
  const end = culprit === undefined ? events.length : events.indexOf(culprit) + 1;
  const writes = new Set<string>();
  const shown: SimulationEvent[] = [];
  for (const event of events.slice(0, end)) {
    if (event.type === 'send' && isWriteRequest(event)) writes.add(requestId(event));
    const isRequest = event.type === 'send' || event.type === 'reply';
    if (isRequest ? writes.has(requestId(event)) : isNews(event)) shown.push(event);
  }
  const kept = shown.slice(-LONGEST_TRACE).map(eventText);
  const left = shown.length - kept.length;
  return left > 0 ? [`… ${left} events before`, ...kept] : kept;
}
