import { readdir, readFile } from 'node:fs/promises';
import { duplicateFieldMessage, JsonSyntaxError, parseJson } from '@capstan/meta';
import { filesOf, unreadable } from '../crds/read.js';
import { CliError } from '../errors.js';
import type { Io } from '../io.js';
import { isObject, placeText, textAt } from './model.js';
import type { Place, Read, ReadFiles, Unread } from './model.js';
import type { Progress } from './progress.js';
import { readYaml } from './read-yaml.js';

const STANDARD_INPUT = 'standard input';
/** Deeper than servers take; what is read by recursion still reaches it. */
const MAX_JSON_DEPTH = 2_500;
/** A text that begins as JSON and is none is tried as YAML up to here: it may be several objects, one after the other. */
const MAX_OTHER_BYTES = 4_000_000;
/** Lists in lists: nobody writes them deeper. */
const MAX_LIST_DEPTH = 10;

/** What is read, and how far. */
export interface ReadOptions {
  readonly recursive?: boolean | undefined;
  readonly progress?: Progress | undefined;
}

/** What a text has in it that is about machines, whatever else is wrong with it. */
const ABOUT_MACHINES =
  /(?:apiVersion"?:\s*["']?(?:machine\.openshift\.io|(?:[\w.-]+\.)?cluster\.x-k8s\.io)\/|kind"?:\s*["']?Infrastructure\b)/;

/**
 * The values of files, directories and standard input, in the order of their names, lists taken apart. A file that was
 * named must be readable; of those found in a directory only the ones about machines.
 */
export async function readAll(paths: readonly string[], io: Io, options: ReadOptions = {}): Promise<ReadFiles> {
  const reads: Read[] = [];
  const unread: Unread[] = [];
  const add = async (bytes: Uint8Array, file: string, isFound = false): Promise<void> => {
    for (const each of await documentsOf(bytes, file, options.progress))
      takeApart(isFound ? { ...each, isFound } : each, reads, 0);
  };
  const addFound = async (file: string): Promise<void> => {
    const bytes = await bytesOf(file);
    try {
      await add(bytes, file, true);
    } catch (error) {
      if (!(error instanceof CliError) || ABOUT_MACHINES.test(Buffer.from(bytes).toString('latin1'))) throw error;
      unread.push({ file, message: error.message });
    }
  };
  for (const path of paths) {
    if (path === '-') await add(Buffer.from(await io.input()), STANDARD_INPUT);
    else
      for (const file of await filesOf(path, options.recursive))
        await (file === path ? add(await bytesOf(file), file) : addFound(file));
  }
  if (reads.length === 0)
    throw new CliError(`there are no objects in ${paths.join(' ')}`, await whereElse(paths, options));
  return { reads, unread };
}

/** What to do where nothing was found. */
async function whereElse(paths: readonly string[], { recursive }: ReadOptions): Promise<string> {
  for (const path of recursive === true ? [] : paths) {
    const inside = await readdir(path, { withFileTypes: true }).catch(() => []);
    if (inside.some((each) => each.isDirectory())) return `${path} has directories in it: -R reads those as well`;
  }
  return 'name files, directories or - that hold some';
}

async function bytesOf(path: string): Promise<Uint8Array> {
  try {
    return await readFile(path);
  } catch (error) {
    throw unreadable(path, error);
  }
}

async function documentsOf(bytes: Uint8Array, file: string, progress: Progress | undefined): Promise<Read[]> {
  progress?.reading(file, bytes.length);
  if (!beginsAsJson(bytes)) return yamlOf(bytes, file, progress);
  try {
    const { duplicates, value } = parseJson(bytes, { maxDepth: MAX_JSON_DEPTH });
    const [first] = duplicates;
    if (first === undefined) return [{ value, place: { file } }];
    throw new CliError(`${file}: ${duplicateFieldMessage(first.path)}`, 'give each field once');
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    if (bytes.length <= MAX_OTHER_BYTES) {
      const several = await yamlOf(bytes, file, progress).catch(() => undefined);
      if (several !== undefined) return several;
    }
    throw new CliError(`${file}: ${error.message}`, 'fix the JSON there', { cause: error });
  }
}

function beginsAsJson(bytes: Uint8Array): boolean {
  const first = bytes.find((byte) => byte > 0x20);
  return first === 0x7b || first === 0x5b;
}

async function yamlOf(bytes: Uint8Array, file: string, progress: Progress | undefined): Promise<Read[]> {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new CliError(`${file} is no text in UTF-8`, 'name a file of YAML or JSON with -f', { cause: error });
  }
  return readYaml(text, file, () => progress?.tick());
}

/** A list stands for its items; servers omit apiVersion and kind from those. */
function takeApart(read: Read, into: Read[], depth: number): void {
  const { isFound, place, value } = read;
  const kind = textAt(value, 'kind');
  if (!isObject(value) || !kind.endsWith('List') || !Array.isArray(value['items'])) {
    into.push(read);
    return;
  }
  if (depth >= MAX_LIST_DEPTH)
    throw new CliError(
      `${placeText(place)}: lists in lists, more than ${MAX_LIST_DEPTH} deep`,
      'give the objects alone',
    );
  const type = kind === 'List' ? undefined : { apiVersion: value['apiVersion'], kind: kind.slice(0, -'List'.length) };
  value['items'].forEach((item: unknown, index) => {
    const whole = type !== undefined && isObject(item) && item['kind'] === undefined ? { ...type, ...item } : item;
    takeApart({ value: whole, place: itemPlace(place, index), isFound }, into, depth + 1);
  });
}

function itemPlace({ document, file, line }: Place, index: number): Place {
  return { file, document, line, item: index + 1 };
}
