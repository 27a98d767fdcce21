import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { ConfigError, Fields } from './fields.js';
import { yamlOf } from './yaml.js';

/** Reads files from elsewhere than the disk. A rejection with the code `ENOENT` means that there is none. */
export interface FileReader {
  read(path: string): Promise<string>;
}

/** The merged documents: each entry keeps the file it came from, against which its relative paths count. */
export interface KubeconfigDocument {
  readonly files: readonly string[];
  readonly currentContext: string | undefined;
  readonly clusters: ReadonlyMap<string, Fields>;
  readonly users: ReadonlyMap<string, Fields>;
  readonly contexts: ReadonlyMap<string, Fields>;
}

export interface KubeconfigLocation {
  /** Explicit path: this file alone, and it must exist. */
  readonly path?: string | undefined;
  /** Stands in for `process.env`. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Stands in for the home directory. */
  readonly home?: string | undefined;
  /** Stands in for the disk, also for the files a kubeconfig names. */
  readonly files?: FileReader | undefined;
}

/** Reads and merges by kubectl's rules: the first file to name a thing wins, missing files of a list are skipped. */
export async function readKubeconfig(location: KubeconfigLocation = {}): Promise<KubeconfigDocument | undefined> {
  const documents: { file: string; root: Fields }[] = [];
  for (const file of candidates(location)) {
    const root = await readDocument(file, location);
    if (root !== undefined) documents.push({ file, root });
  }
  return documents.length === 0 ? undefined : merged(documents);
}

function merged(documents: readonly { file: string; root: Fields }[]): KubeconfigDocument {
  return {
    files: documents.map(({ file }) => file),
    currentContext: documents.map(({ root }) => root.string('current-context')).find((name) => name !== undefined),
    clusters: merge(documents, 'clusters', 'cluster'),
    users: merge(documents, 'users', 'user'),
    contexts: merge(documents, 'contexts', 'context'),
  };
}

function candidates({ path, env = process.env, home = homedir() }: KubeconfigLocation): string[] {
  if (path !== undefined) return [path];
  const listed = (env['KUBECONFIG'] ?? '').split(delimiter).filter((file) => file !== '');
  return listed.length > 0 ? [...new Set(listed)] : [join(home, '.kube', 'config')];
}

/** The document of a kubeconfig that is there already; relative paths in it count from `file`. */
export async function kubeconfigOf(text: string, file = 'kubeconfig'): Promise<KubeconfigDocument> {
  return merged([{ file, root: await parseConfig(text, file) }]);
}

/** What a context of a kubeconfig names. */
export interface SelectedContext {
  readonly name: string;
  readonly context: Fields;
  readonly cluster: Fields;
  readonly user: Fields | undefined;
}

/** A context with its cluster and user; the current one unless another is wanted. */
export function selectContext(document: KubeconfigDocument, wanted?: string): SelectedContext {
  const at = { file: document.files[0] };
  const name = wanted ?? document.currentContext;
  if (name === undefined) throw new ConfigError('must be set', { ...at, field: 'current-context' });
  const context = document.contexts.get(name);
  if (context === undefined) throw new ConfigError(`context "${name}" does not exist`, at);
  const cluster = entry(document.clusters, context, 'cluster');
  const user = context.string('user') === undefined ? undefined : entry(document.users, context, 'user');
  return { name, context, cluster, user };
}

function entry(entries: ReadonlyMap<string, Fields>, context: Fields, field: 'cluster' | 'user'): Fields {
  const name = context.required(field);
  const found = entries.get(name);
  if (found === undefined) throw context.problem(field, `there is no ${field} "${name}"`);
  return found;
}

async function readDocument(file: string, { files, path }: KubeconfigLocation): Promise<Fields | undefined> {
  try {
    return await parseConfig(await (files?.read(file) ?? readFile(file, 'utf8')), file);
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    const missing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (missing && path === undefined) return undefined;
    throw new ConfigError(missing ? 'no such file' : `cannot be read: ${String(error)}`, { file }, error);
  }
}

async function parseConfig(text: string, file: string): Promise<Fields> {
  const json = jsonOf(text);
  if (json !== undefined) return new Fields(json, file, '');
  const [document, second] = await yamlOf(text, file);
  if (second !== undefined)
    throw new ConfigError(`not a kubeconfig: a second document begins at line ${second.line}`, { file });
  // An empty file is an empty configuration.
  return new Fields(document?.value ?? {}, file, '');
}

/** JSON is YAML, and needs no library; undefined when it is not JSON. */
export function jsonOf(text: string): unknown {
  if (!text.startsWith('{')) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function merge(documents: readonly { root: Fields }[], list: string, entry: string): Map<string, Fields> {
  const merged = new Map<string, Fields>();
  for (const { root } of documents) {
    for (const item of root.mappings(list)) {
      const name = item.required('name');
      const body = item.mapping(entry);
      const named = new Fields(Object.fromEntries(body?.entries() ?? []), root.file, `${list}[${name}].${entry}`);
      if (!merged.has(name)) merged.set(name, named);
    }
  }
  return merged;
}
