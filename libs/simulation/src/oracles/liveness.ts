import type { Oracle, Violation } from '../scenario.js';
import type { SendEvent } from '../engine/event-log.js';

/** After the last fault all comes to be as it should, and then nothing is written any more. */
export const eventuallyQuiet: Oracle = {
  name: 'eventually-quiet',
  check: ({ events, endedAt, calmFrom, quietMs, isWork, rehearsedFrom, unmet }) => {
    const violations: Violation[] = unmet.map((message) => ({ oracle: 'eventually-quiet', message }));
    // Writes of the processes that were restarted at the end are checked by another oracle.
    const end = rehearsedFrom ?? endedAt;
    const last = events.findLast((event) => event.type === 'commit' && event.at < end && isWork(event));
    if (last !== undefined && last.at > calmFrom && end - last.at < quietMs) {
      const minutes = Math.round((end - calmFrom) / 60_000);
      const message = `${last.process} still writes ${minutes} minutes after the last fault`;
      violations.push({ oracle: 'eventually-quiet', message, event: last });
    }
    return violations;
  },
};

const WRITES: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);
const HEARTBEAT = /\/leases\b|\/events\b|\/nodes\b/;

/** Whether a request is a write that counts as work, as far as the request shows. */
export function isWriteRequest(event: SendEvent): boolean {
  return WRITES.has(event.method) && !HEARTBEAT.test(event.target);
}

/** A process that restarts when all is as it should be finds nothing to write. */
export const idempotent: Oracle = {
  name: 'idempotence',
  check: ({ events, rehearsedFrom }) => {
    if (rehearsedFrom === undefined) return [];
    const written = events.flatMap((event) =>
      event.type === 'send' && event.at >= rehearsedFrom && isWriteRequest(event) ? [event] : [],
    );
    return written.slice(0, 3).map((event) => ({
      oracle: 'idempotence',
      message: `${event.process} restarted when nothing was to be done, and sent ${event.method} ${event.target}`,
      event,
    }));
  },
};

/** Every step of the scenario could be done. */
export const stepsSucceed: Oracle = {
  name: 'steps-succeed',
  check: ({ failedSteps }) => failedSteps.map((message) => ({ oracle: 'steps-succeed', message })),
};

const HOT_WINDOW_MS = 10_000;
const HOT_REQUESTS = 100;

/** No process sends the same request over and over. */
export const noHotLoop: Oracle = {
  name: 'hot-loop',
  check: ({ events }) => {
    const recent = new Map<string, number[]>();
    const violations = new Map<string, Violation>();
    for (const event of events) {
      if (event.type !== 'send') continue;
      const subject = requestText(event);
      let times = recent.get(subject);
      if (times === undefined) recent.set(subject, (times = []));
      times.push(event.at);
      if (times.length > HOT_REQUESTS) times.shift();
      const isHot = times.length === HOT_REQUESTS && event.at - (times[0] ?? 0) < HOT_WINDOW_MS;
      if (!isHot || violations.has(subject)) continue;
      const message = `${subject} ${HOT_REQUESTS} times in less than ${HOT_WINDOW_MS / 1000} s`;
      violations.set(subject, { oracle: 'hot-loop', message, event });
    }
    return [...violations.values()];
  },
};

function requestText({ process, method, target }: SendEvent): string {
  return `${process} ${method} ${target}`;
}
