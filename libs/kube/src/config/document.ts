import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { ConfigError, Fields } from './fields.js';

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
}

/** Reads and merges by kubectl's rules: the first file to name a thing wins, missing files of a list are skipped. */
export async function readKubeconfig(location: KubeconfigLocation = {}): Promise<KubeconfigDocument | undefined> {
  const documents: { file: string; root: Fields }[] = [];
  for (const file of candidates(location)) {
    const root = await readDocument(file, location.path !== undefined);
    if (root !== undefined) documents.push({ file, root });
  }
  if (documents.length === 0) return undefined;
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

async function readDocument(file: string, mustExist: boolean): Promise<Fields | undefined> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    const missing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (missing && !mustExist) return undefined;
    throw new ConfigError(missing ? 'no such file' : `cannot be read: ${String(error)}`, { file }, error);
  }
  // Loaded here: most programs that import this package are configured in other ways.
  const { parseDocument } = await import('yaml');
  const document = parseDocument(text, { prettyErrors: true });
  const [problem] = document.errors;
  if (problem !== undefined) throw new ConfigError(`not YAML: ${problem.message}`, { file }, problem);
  const value: unknown = document.toJS();
  // An empty file is an empty configuration.
  return new Fields(value ?? {}, file, '');
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
