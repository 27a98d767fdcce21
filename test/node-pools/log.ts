import type { CommitEvent, SendEvent, SimulationEvent } from '@capstan/simulation';

type Events = readonly SimulationEvent[];

/** `create secrets user-data-a-1` for every write of a process. */
export function writesOf(events: Events, process: string): readonly string[] {
  return events
    .filter((event): event is CommitEvent => event.type === 'commit' && event.process === process)
    .map(({ change, name, resource }) => `${change} ${resource} ${name}`);
}

/** Every request of a process that is no watch. */
export function requestsOf(events: Events, process: string): readonly string[] {
  return events
    .filter((event): event is SendEvent => event.type === 'send' && event.process === process)
    .filter(({ target }) => !target.includes('watch='))
    .map(({ method, target }) => `${method} ${target}`);
}

/** A name without what is drawn or computed in it. */
function withoutChance(name: string): string {
  return name.replace(/-[0-9a-f]{8}$/, '-#').replaceAll(/-[a-z0-9]{5}(?=-|$)/g, '-…');
}

/** What a write is to the end of its object; undefined when it is nothing to it. */
function stepOf({ change, object, previous, process }: CommitEvent, mine: string): string | undefined {
  if (change === 'delete') return 'gone';
  if (object.metadata.deletionTimestamp != null && previous?.metadata.deletionTimestamp == null) return 'delete';
  return change === 'create' || process === mine ? change : undefined;
}

/** Deletions, by whomever, of what has a word in its name, and what a process did about it; events left out. */
export function endOf(events: Events, word: string, process: string): readonly string[] {
  const lines: string[] = [];
  for (const event of events) {
    if (event.type !== 'commit' || event.resource === 'events' || !event.name.includes(word)) continue;
    const step = stepOf(event, process);
    const line = `${event.process}: ${step} ${event.resource.split('/').at(-1)} ${withoutChance(event.name)}`;
    if (step !== undefined && lines.at(-1) !== line) lines.push(line);
  }
  return lines;
}
