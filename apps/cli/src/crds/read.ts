import { pushAll } from '@capstan/meta';
import { readFile, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { CliError } from '../errors.js';
import { unusable } from '../files.js';
import type { Io } from '../io.js';
import type { ClusterOptions } from '../options.js';
import { ManifestError, readDocuments } from '../yaml/documents.js';
import type { ManifestDocument } from '../yaml/documents.js';

/** An object of a file, and where it stands in it. */
export interface SourceObject {
  readonly object: unknown;
  /** `crds.yaml, document 2, line 14`. */
  readonly where: string;
  /** As short as it can be named: the file alone where it holds nothing else. */
  readonly label?: string | undefined;
  /** The file, or what else it was read from. */
  readonly source?: string | undefined;
  /** On which the object begins. */
  readonly line?: number | undefined;
  /** The text it was read from, to find its fields in. */
  readonly text?: Pick<ManifestDocument, 'firstLine' | 'text'> | undefined;
}

const EXTENSIONS = /\.(ya?ml|json)$/;
const HINT = 'name a file, a directory or - with -f';

/** How sources are read. */
export interface SourceOptions extends ClusterOptions {
  /** What was read of texts before: of two releases of the same CRDs most are the same. */
  readonly texts?: Map<string, ManifestDocument[]> | undefined;
}

/**
 * The objects of files, directories (not those below), standard input, revisions of git and clusters, in the order of
 * their names.
 */
export async function readSources(
  paths: readonly string[],
  io: Io,
  options: SourceOptions = {},
): Promise<SourceObject[]> {
  const objects: SourceObject[] = [];
  for (const path of paths) pushAll(objects, await readSource(path, io, options));
  if (objects.length === 0) throw new CliError(`there are no objects in ${paths.join(' ')}`, HINT);
  return objects;
}

async function readSource(path: string, io: Io, options: SourceOptions): Promise<SourceObject[]> {
  const { texts } = options;
  if (path === '-') return parsed(await io.input(), 'standard input');
  if (path.startsWith('kube://')) {
    const { readKube } = await import('./kube-source.js');
    return readKube(path, options, io);
  }
  const objects: SourceObject[] = [];
  if (path.startsWith('git://')) {
    const { readGit } = await import('./git-source.js');
    for (const { name, text } of await readGit(path)) pushAll(objects, await parsed(text, name, texts));
  } else for (const file of await filesOf(path)) pushAll(objects, await parsed(await textOf(file), file, texts));
  return objects;
}

/** The file itself, or the files of a directory that may hold objects, by name. */
export async function filesOf(path: string, isRecursive = false): Promise<string[]> {
  try {
    if (!(await stat(path)).isDirectory()) return [path];
    const names = await readdir(path, { recursive: isRecursive });
    return manifestNames(names).map((name) => join(path, name));
  } catch (error) {
    throw unreadable(path, error);
  }
}

/** Those of the names that may hold objects, in order. */
export function manifestNames(names: readonly string[]): string[] {
  return names.filter((name) => EXTENSIONS.test(name)).toSorted();
}

async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw unreadable(path, error);
  }
}

/** What is wrong with a file that was named. */
export function unreadable(path: string, error: unknown): Error {
  const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
  return isMissing
    ? new CliError(`there is no ${path}`, HINT, { cause: error })
    : unusable('source', path, error, HINT);
}

/** The objects of a text, lists taken apart. */
export async function parsed(text: string, source: string, texts?: SourceOptions['texts']): Promise<SourceObject[]> {
  let documents: ManifestDocument[];
  try {
    documents = texts?.get(text) ?? (await readDocuments(text));
    texts?.set(text, documents);
  } catch (error) {
    if (!(error instanceof ManifestError)) throw error;
    const { document, line, message } = error;
    throw new CliError(`${source}, document ${document}, line ${line}: ${message}`, 'fix the YAML at that line', {
      cause: error,
    });
  }
  const isOnly = documents.length === 1;
  return documents.flatMap((each) => objectsOf(each, source, isOnly));
}

/** Lists are what servers print. */
function objectsOf(document: ManifestDocument, source: string, isOnly: boolean): SourceObject[] {
  const { document: number, line, value } = document;
  const where = `${source}, document ${number}, line ${line}`;
  const list = Object(value) as { readonly apiVersion?: unknown; readonly items?: unknown; readonly kind?: unknown };
  const { apiVersion, items, kind } = list;
  if (typeof kind === 'string' && kind.endsWith(LIST) && Array.isArray(items)) {
    const itemKind = kind.slice(0, -LIST.length);
    return items.map((item: unknown, index) => ({
      object: itemKind === '' ? item : typedItem(item, apiVersion, itemKind),
      where: `${where}, item ${index + 1}`,
      source,
      line,
    }));
  }
  return [{ object: value, where, label: isOnly ? source : where, source, line, text: document }];
}

const LIST = 'List';

/** An item of a list of one kind, which servers name once, for the list. */
function typedItem(item: unknown, apiVersion: unknown, kind: string): unknown {
  const isObject = typeof item === 'object' && item !== null && !Array.isArray(item);
  return !isObject || 'kind' in item ? item : { apiVersion, kind, ...item };
}
