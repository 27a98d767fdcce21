import { readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Client } from '@capstan/kube';
import type { Io } from '../io.js';
import type { CompletedKind } from './kinds.js';

/** A shell waits for it at each press of a key. */
const TIMEOUT_MS = 1_500;
const HYPERSHIFT = { group: 'hypershift.openshift.io', version: 'v1beta1', namespaced: true } as const;
const RESOURCES = {
  hostedclusters: { ...HYPERSHIFT, plural: 'hostedclusters' },
  nodepools: { ...HYPERSHIFT, plural: 'nodepools' },
  namespaces: { group: '', version: 'v1', plural: 'namespaces', namespaced: false },
} as const;

/** The value of an option in the words of a command line that is being typed. */
function valueOf(words: readonly string[], ...flags: readonly string[]): string | undefined {
  for (const [index, word] of words.entries()) {
    if (flags.includes(word)) return words[index + 1];
    const flag = flags.find((each) => word.startsWith(`${each}=`));
    if (flag !== undefined) return word.slice(flag.length + 1);
  }
  return undefined;
}

/** Candidates for a place of a command line; empty if the cluster does not answer soon. */
export async function candidatesOf(kind: CompletedKind, words: readonly string[], io: Io): Promise<readonly string[]> {
  try {
    if (kind === 'rules') {
      const { rules } = await import('@capstan/crd-compat');
      return [...rules.values()].map(({ id }) => id);
    }
    const at = { path: valueOf(words, '--kubeconfig'), context: valueOf(words, '--context') };
    const from = { env: io.env, home: io.env['HOME'] };
    if (kind === 'contexts') return await contextsOf(at.path, io);
    const { Client, HttpTransport, loadConnection } = await import('@capstan/kube');
    const transport = new HttpTransport(await loadConnection({ ...at, ...from }), {
      requestTimeoutMs: TIMEOUT_MS,
      connectTimeoutMs: TIMEOUT_MS,
    });
    try {
      return await namesOf(new Client(transport, { maxRetries: 0 }), kind, words);
    } finally {
      await transport.close();
    }
  } catch {
    // A shell shows nothing then; an error would stand in the middle of what is typed.
    return [];
  }
}

interface Contexts {
  readonly contexts: readonly { readonly name: string }[];
}

/** Those of all files that kubectl would read. */
async function contextsOf(path: string | undefined, { env }: Io): Promise<readonly string[]> {
  const { readYaml } = await import('@capstan/meta/yaml');
  const usual = env['KUBECONFIG'] ?? '';
  const files =
    path !== undefined ? [path] : usual === '' ? [join(env['HOME'] ?? '', '.kube', 'config')] : usual.split(delimiter);
  return files.flatMap((file) => {
    try {
      const config = readYaml(readFileSync(file, 'utf8'))[0]?.value as Partial<Contexts> | undefined;
      return (config?.contexts ?? []).map(({ name }) => name);
    } catch {
      return [];
    }
  });
}

async function namesOf(
  client: Client,
  kind: keyof typeof RESOURCES,
  words: readonly string[],
): Promise<readonly string[]> {
  const resource = RESOURCES[kind];
  const wanted = valueOf(words, '-n', '--namespace') ?? 'clusters';
  const within = resource.namespaced ? { namespace: wanted } : {};
  const { items } = await client.list(resource, { ...within, signal: AbortSignal.timeout(TIMEOUT_MS) });
  return items.map(({ metadata }) => metadata.name ?? '').filter((name) => name !== '');
}
