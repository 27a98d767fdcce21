import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Client, connectionFromText, Discovery, errorText, HttpTransport } from '@capstan/kube';
import type { ApiResource, ResourceRef } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import { controlPlaneNamespace, NODE_POOLS, secretText, textAt } from '@capstan/provider';
import { printYaml } from '@capstan/translate/mirror';
import { unusable } from '../files.js';
import type { Io } from '../io.js';
import type { ClusterOptions } from '../options.js';
import { hostedCluster, withCluster } from './cluster-access.js';
import { redacted } from './redact.js';

/** `capstan dump cluster`, as it was typed. */
export interface DumpOptions extends ClusterOptions {
  readonly namespace: string;
  readonly artifactDir: string;
  readonly archive?: boolean | undefined;
  readonly operatorNamespace: string;
  readonly guest: boolean;
  readonly logLines: number;
}

const PODS: ResourceRef = { group: '', version: 'v1', plural: 'pods', namespaced: true };
const SECRETS: ResourceRef = { group: '', version: 'v1', plural: 'secrets', namespaced: true };
const EVENTS: ResourceRef = { group: '', version: 'v1', plural: 'events', namespaced: true };
/** Beside the namespaces: what a cluster stands on. */
const CLUSTER_WIDE: readonly ResourceRef[] = [
  { group: '', version: 'v1', plural: 'nodes', namespaced: false },
  { group: 'apiextensions.k8s.io', version: 'v1', plural: 'customresourcedefinitions', namespaced: false },
];
const GUEST: readonly ResourceRef[] = [
  { group: 'config.openshift.io', version: 'v1', plural: 'clusterversions', namespaced: false },
  { group: 'config.openshift.io', version: 'v1', plural: 'clusteroperators', namespaced: false },
  { group: '', version: 'v1', plural: 'nodes', namespaced: false },
  { group: '', version: 'v1', plural: 'namespaces', namespaced: false },
  { group: '', version: 'v1', plural: 'events', namespaced: true },
  { group: 'certificates.k8s.io', version: 'v1', plural: 'certificatesigningrequests', namespaced: false },
];
const GUEST_TIMEOUT_MS = 5_000;
/** A kind whose name may not be known. */
type Listed = ResourceRef & { readonly kind?: string | undefined };

/** Groups whose objects are others' words over again. */
const TWICE = new Set(['events.k8s.io', 'metrics.k8s.io']);

/** Writes down all that is known of a cluster. What cannot be read is said at the end, and stops nothing. */
export async function runDump(name: string, options: DumpOptions, io: Io): Promise<void> {
  const book = new Book(options.artifactDir);
  await withCluster(options, io, async (client) => {
    const cluster = await hostedCluster(client, options.namespace, name);
    const control = controlPlaneNamespace(options.namespace, name);
    await book.objects('hosted-cluster.yaml', [cluster]);
    await dumpHome(client, book, cluster, options);
    const resources = await listable(client, book);
    for (const namespace of [control, options.operatorNamespace]) {
      for (const resource of resources) await book.list(client, resource, namespace);
      await dumpLogs(client, book, namespace, options.logLines);
    }
    for (const ref of CLUSTER_WIDE) await book.list(client, ref);
    if (options.guest) await dumpGuest(client, book, control);
  });
  await book.close();
  const archive = options.archive === true ? await archived(options.artifactDir) : undefined;
  for (const problem of book.problems) io.err(`warning: ${problem}\n`);
  io.out(`${archive ?? options.artifactDir}\n`);
}

/** What lies beside the cluster: its pools, the Secrets of that namespace, and what happened there. */
async function dumpHome(client: Client, book: Book, cluster: KubeObject, { namespace }: DumpOptions): Promise<void> {
  await book.attempt(`pools of nodes in ${namespace}`, async () => {
    const { items } = await client.list(NODE_POOLS, { namespace });
    const own = items.filter((pool) => textAt(pool, 'spec', 'clusterName') === cluster.metadata.name);
    await book.objects(
      'node-pools.yaml',
      own.map((pool) => typed(pool, NODE_POOLS)),
    );
  });
  for (const ref of [SECRETS, EVENTS]) await book.list(client, ref, namespace);
}

/** Every kind that can be listed in a namespace, once: by asking the server, so that none is forgotten. */
async function listable(client: Client, book: Book): Promise<ApiResource[]> {
  const { failures, resources } = await new Discovery(client).snapshot();
  for (const { group, message, version } of failures) book.problems.push(`${group}/${version}: ${message}`);
  const seen = new Set<string>();
  return resources.filter(({ group, namespaced, plural, verbs }) => {
    const id = `${group}/${plural}`;
    if (!namespaced || !verbs.includes('list') || TWICE.has(group) || seen.has(id)) return false;
    seen.add(id);
    return true;
  });
}

interface Pod extends KubeObject {
  readonly spec?: { readonly containers?: readonly { readonly name: string }[] };
  readonly status?: {
    readonly containerStatuses?: readonly { readonly name: string; readonly restartCount?: number }[];
  };
}

async function dumpLogs(client: Client, book: Book, namespace: string, tailLines: number): Promise<void> {
  await book.attempt(`pods in ${namespace}`, async () => {
    const { items } = await client.list<Pod>(PODS, { namespace });
    for (const { metadata, spec, status } of items) {
      for (const { name: container } of spec?.containers ?? []) {
        const pod = metadata.name ?? '';
        const restarts = status?.containerStatuses?.find(({ name }) => name === container)?.restartCount ?? 0;
        const log = async (previous: boolean): Promise<void> => {
          const chunks: Uint8Array[] = [];
          for await (const chunk of client.logs(namespace, pod, { container, previous, tailLines })) chunks.push(chunk);
          const file = `namespaces/${namespace}/logs/${pod}/${container}${previous ? '.previous' : ''}.log`;
          await book.write(file, Buffer.concat(chunks));
        };
        await book.attempt(`log of ${pod}/${container}`, () => log(false));
        if (restarts > 0) await book.attempt(`earlier log of ${pod}/${container}`, () => log(true));
      }
    }
  });
}

/** What the hosted cluster says itself, when it answers. */
async function dumpGuest(client: Client, book: Book, namespace: string): Promise<void> {
  await book.attempt('the hosted cluster', async () => {
    const text = secretText(await client.get(SECRETS, 'admin-kubeconfig', { namespace }), 'kubeconfig') ?? '';
    const timeouts = { requestTimeoutMs: GUEST_TIMEOUT_MS, connectTimeoutMs: GUEST_TIMEOUT_MS };
    const transport = new HttpTransport(await connectionFromText(text), timeouts);
    try {
      const guest = new Client(transport);
      // Asked once before all else: a server that does not answer is not waited for at every question.
      await guest.request({ method: 'GET', target: '/version', resource: PODS });
      for (const ref of GUEST) await book.list(guest, ref, undefined, 'guest');
    } finally {
      await transport.close();
    }
  });
}

function typed(object: KubeObject, { group, version, ...ref }: Listed): KubeObject {
  const apiVersion = group === '' ? version : `${group}/${version}`;
  // Servers leave out of the items what the list says.
  return { ...object, apiVersion: object.apiVersion ?? apiVersion, kind: object.kind ?? ref.kind ?? ref.plural };
}

/** A folder that is written to, and what could not be. */
class Book {
  readonly problems: string[] = [];
  readonly #folder: string;
  #files = 0;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async write(path: string, content: Uint8Array | string): Promise<void> {
    const file = join(this.#folder, path);
    try {
      await mkdir(dirname(file), { recursive: true, mode: 0o700 });
      await writeFile(file, content, { mode: 0o600 });
    } catch (error) {
      throw unusable('a part of the dump', file, error, 'name another folder with --artifact-dir');
    }
    this.#files += 1;
  }

  async objects(path: string, objects: readonly KubeObject[]): Promise<void> {
    await this.write(path, printYaml(objects.map((object) => redacted(object))));
  }

  /** All objects of a kind, in a file of their own; nothing where there are none. */
  async list(client: Client, ref: Listed, namespace?: string, below = ''): Promise<void> {
    const what = ref.group === '' ? ref.plural : `${ref.plural}.${ref.group}`;
    const place = namespace === undefined ? 'cluster' : `namespaces/${namespace}`;
    await this.attempt(`${what}${namespace === undefined ? '' : ` in ${namespace}`}`, async () => {
      const { items } = await client.list(ref, namespace === undefined ? {} : { namespace });
      const objects = items.map((item) =>
        typed(item, { ...ref, kind: ref.plural === 'secrets' ? 'Secret' : ref.kind }),
      );
      if (objects.length > 0) await this.objects(join(below, place, `${what}.yaml`), objects);
    });
  }

  /** Something that may fail without an end to all else. A folder that cannot be written to is another matter. */
  async attempt(what: string, act: () => Promise<void>): Promise<void> {
    try {
      await act();
    } catch (error) {
      if (error instanceof Error && error.name === 'CliError') throw error;
      this.problems.push(`${what} could not be read: ${errorText(error)}`);
    }
  }

  async close(): Promise<void> {
    await this.write('summary.txt', [`${this.#files} files`, ...this.problems, ''].join('\n'));
  }
}

async function archived(folder: string): Promise<string> {
  const { packTar } = await import('modern-tar');
  const paths = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  const entries = await Promise.all(
    paths.map(async (entry) => {
      const file = join(entry.parentPath, entry.name);
      const body = await readFile(file);
      return { header: { name: relative(folder, file), size: body.length, mode: 0o600, type: 'file' as const }, body };
    }),
  );
  const archive = `${folder.replace(/\/+$/, '')}.tar.gz`;
  await writeFile(archive, gzipSync(await packTar(entries)), { mode: 0o600 });
  return archive;
}
