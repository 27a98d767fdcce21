import type { Cloud, CloudEvent } from '@capstan/upstream';
import type { MigrationCheckKind } from './check.js';

const WRITES: ReadonlySet<string> = new Set(['create', 'start', 'stop', 'terminate']);

/** What was asked of a cloud since a moment, but for reads: of how many instances. A repeated call is one. */
export function cloudCalls({ log }: Pick<Cloud, 'log'>, sinceMs: number): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const call of new Set(log.filter((event) => event.at >= sinceMs && isWrite(event)).map(callText))) {
    const [operation = ''] = call.split(' ');
    counts[operation] = (counts[operation] ?? 0) + 1;
  }
  return counts;
}

function isWrite({ caller, operation, outcome }: CloudEvent): boolean {
  return caller !== '' && WRITES.has(operation) && outcome === 'ok';
}

function callText({ id, operation }: CloudEvent): string {
  return `${operation} ${id}`;
}

/** Nothing is asked of the cloud but reads: where nobody scales, a migration causes no call. */
export const noCloudCalls: MigrationCheckKind = {
  name: 'no-cloud-calls',
  begin: ({ cloud }) => {
    const before = cloud.log.length;
    return {
      atEnd: () => {
        const calls = cloud.log.slice(before).filter(isWrite);
        return [...new Set(calls.map((event) => `${event.caller} called ${callText(event)}`))].map((message) => ({
          message,
        }));
      },
    };
  },
};
