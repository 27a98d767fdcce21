import type { ConversionIssue } from '@capstan/convert/machine-api';
import type { Entry, EntryError } from './entry.js';
import { kindOf, nameOf, placeText } from './model.js';
import type { Source } from './model.js';

/** So many objects with the same message are named; the others are counted. */
const NAMED = 3;

interface Message {
  readonly word: 'error' | 'warning' | 'left out';
  readonly text: string;
  readonly about: Source[];
}

function titleOf({ object, place }: Source): string {
  return nameOf(object) === '' ? placeText(place) : `${kindOf(object)} ${nameOf(object)}`;
}

/** `Machine a, Machine b and 9,998 more`. */
function named(sources: readonly Source[]): string {
  const names = sources.slice(0, NAMED).map(titleOf);
  const more = sources.length - names.length;
  return more === 0 ? names.join(', ') : `${names.join(', ')} and ${more.toLocaleString('en')} more`;
}

/** The issue with its field, and with the object that has it where that is not the one converted but what it is made of. */
function textOf({ message, object, path }: ConversionIssue, { object: source }: Source): string {
  const isOwn = object.kind === kindOf(source) && object.name === nameOf(source);
  const owner = isOwn || object.kind === '' ? [] : [`${object.kind} ${object.name}`];
  return [...owner, ...(path === '' ? [] : [path]), message].join(': ');
}

/** The messages of a conversion, one line for all objects that have the same. */
export function summaryLines(
  entries: readonly Entry[],
  adviceOn: (issue: EntryError, entry: Entry) => string,
): string[] {
  const all = new Map<string, Message>();
  const add = (word: Message['word'], text: string, source: Source): void => {
    const key = `${word} ${text}`;
    const known = all.get(key);
    if (known === undefined) all.set(key, { word, text, about: [source] });
    else if (known.about.at(-1) !== source) known.about.push(source);
  };
  for (const entry of entries) {
    const { errors, reason, source, warnings } = entry;
    for (const issue of errors) add('error', `${textOf(issue, source)}\n  to do: ${adviceOn(issue, entry)}`, source);
    for (const issue of warnings) add('warning', textOf(issue, source), source);
    if (reason !== undefined) add('left out', reason, source);
  }
  const order = ['error', 'warning', 'left out'];
  return [...all.values()]
    .toSorted((a, b) => order.indexOf(a.word) - order.indexOf(b.word))
    .map(({ about, text, word }) => `${word}: ${named(about)}: ${text}`);
}
