import { pushAll } from '@capstan/meta';
import type { ConditionStatus } from '@capstan/meta';
import { pluralOf } from '../plural.js';
import type { Located, Weight } from './merge.js';

/** The messages of merged conditions: who, and what is the matter. */

const BULLET = /\s*\*\s+/;

/** A message behind its subject: on the same line when it is one, else below and indented. */
export function indented(message: string): string {
  if (!message.includes('\n') && !BULLET.test(message)) return ` ${message}`;
  const lines = message.split('\n');
  const areAllBullets = lines.every((line) => BULLET.test(line));
  const prefix = (line: string): string => {
    if (areAllBullets) return '  ';
    return BULLET.test(line) ? '    ' : '  * ';
  };
  return `\n${lines.map((line) => prefix(line) + line).join('\n')}`;
}

/** One line for each unhealthy condition, or when all are healthy, for each with a message. */
export function summaryMessage(
  located: readonly Located[],
  weigh: (each: Located) => Weight,
  status: ConditionStatus,
): string[] {
  const isSilent = (each: Located): boolean =>
    weigh(each) === 'info' && (status !== 'True' || each.condition.message === '');
  return located
    .filter((each) => !isSilent(each))
    .map(
      ({ condition: { type, message, reason } }) => `* ${type}:${message === '' ? ` ${reason}` : indented(message)}`,
    );
}

/** How many messages are listed; the rest is only counted. */
const MAX_MESSAGES = 3;
const WEIGHTS: readonly Weight[] = ['issue', 'unknown', 'info'];
const OTHERS: Record<Weight, string> = {
  issue: 'with other issues',
  unknown: 'with status unknown',
  info: 'with additional info',
};

interface MessageGroup {
  readonly message: string;
  readonly names: string[];
  weight: Weight;
  isFirst: boolean;
}

/** The messages of many objects, equal ones grouped. Infos are listed only when there are no issues. */
export function aggregateMessages(located: readonly Located[], weigh: (each: Located) => Weight): string[] {
  const isWell = located.every((each) => weigh(each) === 'info');
  const reported = located.filter((each) => (isWell ? each.condition.message !== '' : weigh(each) !== 'info'));
  const controlPlanes = new Set(reported.filter((each) => each.isControlPlaneMachine).map(({ name }) => name));
  const kinds = [...new Set(reported.map(({ kind }) => kind))].toSorted();
  const messages: string[] = [];
  let left = MAX_MESSAGES;
  for (const kind of kinds) {
    const groups = groupsOf(
      reported.filter((each) => each.kind === kind),
      weigh,
    );
    const shown = groups.slice(0, left);
    left -= shown.length;
    for (const group of shown) messages.push(groupText(kind, group, controlPlanes));
    pushAll(messages, othersTexts(kind, groups.slice(shown.length)));
  }
  return messages;
}

function groupsOf(located: readonly Located[], weigh: (each: Located) => Weight): MessageGroup[] {
  const groups = new Map<string, MessageGroup>();
  for (const each of located) {
    const { message } = each.condition;
    const weight = weigh(each);
    const known = groups.get(message) ?? { message, names: [], weight, isFirst: false };
    known.names.push(each.name);
    if (WEIGHTS.indexOf(weight) < WEIGHTS.indexOf(known.weight)) known.weight = weight;
    known.isFirst ||= each.isControlPlaneMachine;
    groups.set(message, known);
  }
  return [...groups.values()].toSorted(compareGroups);
}

function compareGroups(a: MessageGroup, b: MessageGroup): number {
  if (a.isFirst !== b.isFirst) return a.isFirst ? -1 : 1;
  const byWeight = WEIGHTS.indexOf(a.weight) - WEIGHTS.indexOf(b.weight);
  if (byWeight !== 0) return byWeight;
  if (a.names.length !== b.names.length) return b.names.length - a.names.length;
  const [first, second] = [a.names.join(','), b.names.join(',')];
  if (first === second) return 0;
  return first < second ? -1 : 1;
}

function groupText(kind: string, { names, message }: MessageGroup, controlPlanes: ReadonlySet<string>): string {
  const sorted = names.toSorted((a, b) => {
    if (controlPlanes.has(a) !== controlPlanes.has(b)) return controlPlanes.has(a) ? -1 : 1;
    return a < b ? -1 : 1;
  });
  return `* ${subject(kind, sorted)}:${indented(message)}`;
}

function subject(kind: string, names: readonly string[]): string {
  if (names.length === 1) return `${kind} ${names.join('')}`;
  if (names.length <= 3) return `${pluralOf(kind)} ${names.join(', ')}`;
  return `${pluralOf(kind)} ${names.slice(0, 3).join(', ')}, ... (${names.length - 3} more)`;
}

function othersTexts(kind: string, groups: readonly MessageGroup[]): string[] {
  return WEIGHTS.flatMap((weight) => {
    const count = groups.filter((group) => group.weight === weight).reduce((sum, { names }) => sum + names.length, 0);
    if (count === 0) return [];
    return [`And ${count} ${count === 1 ? kind : pluralOf(kind)} ${OTHERS[weight]}`];
  });
}

/** Names in one line, no more than so many of them. */
export function shortList(names: readonly string[], atMost: number): string {
  const more = names.length > atMost ? [`... (${names.length - atMost} more)`] : [];
  return [...names.slice(0, atMost), ...more].join(', ');
}
