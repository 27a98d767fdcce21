import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { writeWholeFile } from '@capstan/kube';
import { readYaml } from '@capstan/meta/yaml';
import { stringify } from 'yaml';
import { CliError } from '../errors.js';
import { unusable } from '../files.js';

interface Named {
  readonly name: string;
  readonly [field: string]: unknown;
}

interface Kubeconfig {
  readonly [field: string]: unknown;
  readonly clusters?: readonly Named[] | null;
  readonly users?: readonly Named[] | null;
  readonly contexts?: readonly Named[] | null;
  readonly 'current-context'?: string;
}

/** A kubeconfig with the current context of another added, under a name of its own. Everything else in it stays. */
export function mergedKubeconfig(into: Kubeconfig, from: Kubeconfig, name: string): Kubeconfig {
  const current = (from.contexts ?? []).find((each) => each.name === from['current-context']) ?? from.contexts?.[0];
  const { cluster, user } = (current?.['context'] ?? {}) as { readonly cluster?: string; readonly user?: string };
  const entry = (list: readonly Named[] | null | undefined, wanted: string | undefined): Named => {
    const found = (list ?? []).find((each) => each.name === wanted);
    if (found === undefined)
      throw new CliError(
        'the kubeconfig of the cluster has no context with a cluster and a user',
        'the operator creates it again',
      );
    return { ...found, name };
  };
  return {
    apiVersion: 'v1',
    kind: 'Config',
    ...into,
    clusters: put(into.clusters, entry(from.clusters, cluster)),
    users: put(into.users, entry(from.users, user)),
    contexts: put(into.contexts, { name, context: { cluster: name, user: name } }),
    'current-context': (into['current-context'] ?? '') === '' ? name : (into['current-context'] ?? name),
  };
}

function put(list: readonly Named[] | null | undefined, entry: Named): Named[] {
  return [...(list ?? []).filter(({ name }) => name !== entry.name), entry];
}

/** The file that kubectl would change. */
export function usualKubeconfig({ HOME = '', KUBECONFIG = '' }: Readonly<Record<string, string | undefined>>): string {
  const [first] = KUBECONFIG.split(':').filter((each) => each !== '');
  return first ?? join(HOME, '.kube', 'config');
}

function kubeconfigIn(text: string): Kubeconfig {
  return (readYaml(text)[0]?.value ?? {}) as Kubeconfig;
}

function readable(text: string, path: string): Kubeconfig {
  try {
    return kubeconfigIn(text);
  } catch (cause) {
    throw new CliError(`${path} is no kubeconfig`, 'fix it, or name another with $KUBECONFIG', { cause });
  }
}

/** Puts a kubeconfig into a file that others use at the same time: it is there whole, before and after. */
export async function mergeInto(path: string, text: string, name: string): Promise<void> {
  try {
    const before = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return '';
      throw error;
    });
    const merged = mergedKubeconfig(readable(before, path), kubeconfigIn(text), name);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    writeWholeFile(path, stringify(merged, { lineWidth: 0 }), { followsLinks: false });
  } catch (error) {
    throw error instanceof CliError ? error : unusable('a kubeconfig', path, error, 'name another with $KUBECONFIG');
  }
}
