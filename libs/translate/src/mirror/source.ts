import type { JsonObject } from '@capstan/meta';
import type { Document, Tags } from 'yaml';
import { LineCounter, parseAllDocuments } from 'yaml';
import { MirrorError } from './errors.js';

/** An object of a file, and where it stands in it. */
export interface SourceObject {
  readonly object: unknown;
  /** `crds.yaml, document 2, line 14`. */
  readonly where: string;
}

/** Texts in which Kubernetes sees no dates, no hours and no sets. */
const UNREAD: ReadonlySet<string> = new Set(['timestamp', 'omap', 'pairs', 'set', 'binary']);

/** YAML as Kubernetes reads it, near enough: yes and on are booleans. */
function kubernetesTags(tags: Tags): Tags {
  return tags.filter(
    (tag) => typeof tag === 'string' || !(UNREAD.has(tag.tag.replace(/^.*:/, '')) || tag.format === 'TIME'),
  );
}

/** How a text is read. */
export interface ReadObjectsOptions {
  /** Lists are given as they are, and not taken apart. */
  readonly wholeLists?: boolean;
}

/** The objects of a text: documents of YAML or JSON, lists taken apart. Throws a MirrorError that names the line. */
export function readObjects(text: string, file: string, options: ReadObjectsOptions = {}): SourceObject[] {
  const lines = new LineCounter();
  const documents = parseAllDocuments(text, {
    lineCounter: lines,
    schema: 'yaml-1.1',
    customTags: kubernetesTags,
    intAsBigInt: true,
    prettyErrors: false,
  });
  // Typed as empty where the text is.
  return [...(documents as Iterable<Document>)].flatMap((document, index) => {
    const at = (offset: number): string => `${file}, document ${index + 1}, line ${lines.linePos(offset).line || 1}`;
    const [error] = document.errors;
    if (error !== undefined) throw new MirrorError('BROKEN', `${at(error.pos[0])}: ${error.message}`);
    const where = at(document.contents?.range?.[0] ?? 0);
    const value = valueOf(document, where);
    if (options.wholeLists === true) return value === null || value === undefined ? [] : [{ object: value, where }];
    return objectsOf(value, where);
  });
}

function valueOf(document: Document, where: string): unknown {
  try {
    return withNumbers(document.toJS());
  } catch (error) {
    // An alias without its anchor, or one that holds itself.
    throw new MirrorError('BROKEN', `${where}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Empty documents stand between separators; lists are what servers print. */
function objectsOf(value: unknown, where: string): SourceObject[] {
  if (value === null || value === undefined) return [];
  const { items, kind } = value as JsonObject;
  if (typeof kind === 'string' && kind.endsWith('List') && Array.isArray(items))
    return items.map((object: unknown, index) => ({ object, where: `${where}, item ${index + 1}` }));
  return [{ object: value, where }];
}

/** Integers as numbers, unless a number cannot hold them. */
function withNumbers(value: unknown): unknown {
  if (typeof value === 'bigint') {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : value;
  }
  if (Array.isArray(value)) return value.map(withNumbers);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, below]) => [key, withNumbers(below)]));
}
