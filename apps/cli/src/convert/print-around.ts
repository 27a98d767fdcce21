import type { ForeignKind, Report } from './report.js';

/** So many kinds are named; the others are counted. */
const NAMED = 5;

/** `6 ConfigMap, 2 Pod and 12 of other kinds`. */
function foreignText(foreign: readonly ForeignKind[]): string {
  const named = foreign.slice(0, NAMED).map(({ count, kind }) => `${count.toLocaleString('en')} ${kind}`);
  const others = foreign.slice(NAMED).reduce((sum, { count }) => sum + count, 0);
  return `${named.join(', ')}${others === 0 ? '' : ` and ${others.toLocaleString('en')} of other kinds`}`;
}

/** What is to be known of a conversion apart from its objects, one line each. */
export function aroundLines({
  comparedWith,
  foreign,
  notGiven,
  unread,
}: Pick<Report, 'comparedWith' | 'foreign' | 'notGiven' | 'unread'>): string[] {
  const compared = comparedWith.map(({ kind, name, source }) => `${kind} ${name} (${source})`);
  return [
    ...(compared.length === 0 ? [] : [`compared with: ${compared.join(', ')}`]),
    ...(notGiven.length === 0
      ? []
      : [`not compared with: ${notGiven.join(', ')}, not given: name a file of it with --infrastructure`]),
    ...(foreign.length === 0 ? [] : [`left out, as they are of neither API: ${foreignText(foreign)}`]),
    ...unread.map(({ message }) => `left out, as it cannot be read: ${message}`),
  ];
}
