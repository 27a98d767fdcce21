import type { Client, FileReader, Reader } from '@capstan/kube';
import { ignoreNotFound } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { SimulationError } from '../errors.js';

export interface Container {
  readonly name: string;
  readonly image: string;
  readonly command?: readonly string[];
  readonly args?: readonly string[];
  readonly env?: readonly {
    readonly name: string;
    readonly value?: string;
    readonly valueFrom?: { readonly fieldRef?: { readonly fieldPath: string } };
  }[];
  readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string; readonly subPath?: string }[];
}

interface VolumeSource {
  readonly optional?: boolean;
  /** Which keys become which files; all of them under their own names when absent. */
  readonly items?: readonly { readonly key: string; readonly path: string }[];
}

interface Volume {
  readonly name: string;
  readonly secret?: VolumeSource & { readonly secretName?: string };
  readonly configMap?: VolumeSource & { readonly name?: string };
  readonly downwardAPI?: {
    readonly items?: readonly { readonly path: string; readonly fieldRef?: { readonly fieldPath: string } }[];
  };
}

/** A Deployment or StatefulSet. */
export interface Workload extends KubeObject {
  readonly spec?: {
    readonly replicas?: number;
    readonly template?: {
      readonly metadata?: { readonly annotations?: Readonly<Record<string, string>> };
      readonly spec?: {
        readonly containers?: readonly Container[];
        readonly initContainers?: readonly Container[];
        readonly volumes?: readonly Volume[];
      };
    };
  };
  readonly status?: Readonly<Record<string, unknown>>;
}

const SECRETS = { group: '', version: 'v1', plural: 'secrets', namespaced: true };
const CONFIG_MAPS = { group: '', version: 'v1', plural: 'configmaps', namespaced: true };
/** What files are made of. */
export const FILE_SOURCES = [SECRETS, CONFIG_MAPS] as const;

/** Where the content of volumes is looked for: in memory, and where that has nothing, on the server. */
export interface Volumes {
  readonly cache: Pick<Reader, 'get'>;
  readonly client: Pick<Client, 'get'>;
}

interface Mounted {
  readonly path: string;
  readonly source: 'configmaps' | 'secrets';
  readonly object: string;
  readonly isOptional: boolean;
  readonly items: VolumeSource['items'];
}

function mountsOf({ spec }: Workload, { volumeMounts = [] }: Container): Mounted[] {
  const volumes = new Map((spec?.template?.spec?.volumes ?? []).map((volume) => [volume.name, volume]));
  return volumeMounts.flatMap(({ mountPath, name }): Mounted[] => {
    const { configMap, secret } = volumes.get(name) ?? {};
    const path = mountPath.replace(/\/$/, '');
    if (secret?.secretName !== undefined)
      return [
        {
          path,
          source: 'secrets',
          object: secret.secretName,
          isOptional: secret.optional === true,
          items: secret.items,
        },
      ];
    if (configMap?.name !== undefined)
      return [
        {
          path,
          source: 'configmaps',
          object: configMap.name,
          isOptional: configMap.optional === true,
          items: configMap.items,
        },
      ];
    return [];
  });
}

type Source = KubeObject & { readonly data?: Readonly<Record<string, string>> };

async function sourceOf(
  { cache, client }: Volumes,
  namespace: string,
  { object, source }: Mounted,
): Promise<Source | undefined> {
  const ref = source === 'secrets' ? SECRETS : CONFIG_MAPS;
  const known = await cache.get<Source>(ref, object, { namespace }).catch(ignoreNotFound);
  return known ?? client.get<Source>(ref, object, { namespace }).catch(ignoreNotFound);
}

async function contentOf(
  volumes: Volumes,
  namespace: string,
  mount: Mounted,
): Promise<Map<string, string> | undefined> {
  const found = await sourceOf(volumes, namespace, mount);
  if (found === undefined) return undefined;
  const { source } = mount;
  const text = (value: string): string =>
    source === 'secrets' ? Buffer.from(value, 'base64').toString('utf8') : value;
  return new Map(Object.entries(found.data ?? {}).map(([key, value]) => [key, text(value)]));
}

/** What keeps its pods from starting. */
export async function missingVolume(volumes: Volumes, workload: Workload): Promise<string | undefined> {
  const { namespace = '' } = workload.metadata;
  const seen = new Set<string>();
  for (const container of workload.spec?.template?.spec?.containers ?? [])
    for (const mount of mountsOf(workload, container)) {
      const key = `${mount.source}/${mount.object}`;
      if (mount.isOptional || seen.has(key)) continue;
      seen.add(key);
      if ((await sourceOf(volumes, namespace, mount)) === undefined) return key;
    }
  return undefined;
}

/** The files of a container, as they are when they are read. */
export function filesOf(volumes: Volumes, workload: Workload, container: Container): FileReader {
  const { namespace = '' } = workload.metadata;
  const mounts = mountsOf(workload, container);
  return {
    read: async (path) => {
      const field = fieldAt(workload, container, path);
      if (field !== undefined) return field;
      const mount = mounts.find((each) => path.startsWith(`${each.path}/`));
      const content = mount === undefined ? undefined : await contentOf(volumes, namespace, mount);
      const file = path.slice((mount?.path.length ?? 0) + 1);
      const text = content?.get(mount?.items?.find((item) => item.path === file)?.key ?? file);
      if (text === undefined) throw new SimulationError('ENOENT', `open ${path}: no such file or directory`);
      return text;
    },
  };
}

const ANNOTATION = /^metadata\.annotations\['(?<name>[^']+)'\]$/u;

/** An annotation of the pod, where a file is made of it. */
function fieldAt(workload: Workload, { volumeMounts = [] }: Container, path: string): string | undefined {
  const file = volumeMounts.flatMap((mount) => fieldsIn(workload, mount)).find((each) => each.path === path);
  const annotation = ANNOTATION.exec(file?.fieldRef?.fieldPath ?? '')?.groups?.['name'] ?? '';
  return workload.spec?.template?.metadata?.annotations?.[annotation];
}

type Field = NonNullable<NonNullable<Volume['downwardAPI']>['items']>[number];

/** Files made of fields of the pod, by their whole path. */
function fieldsIn(
  { spec }: Workload,
  { mountPath, name }: NonNullable<Container['volumeMounts']>[number],
): readonly Field[] {
  const volume = spec?.template?.spec?.volumes?.find((each) => each.name === name);
  const items = volume?.downwardAPI?.items ?? [];
  return items.map((item) => ({ ...item, path: `${mountPath.replace(/\/$/, '')}/${item.path}` }));
}

/** The environment of a container of a workload without pods: its name stands for that of a pod. */
export function environmentOf({ metadata }: Workload, { env = [] }: Container): Record<string, string> {
  const fields: Readonly<Record<string, string | undefined>> = {
    'metadata.name': metadata.name,
    'metadata.namespace': metadata.namespace,
    'spec.nodeName': 'node',
    'status.podIP': '127.0.0.1',
  };
  const values = env.map(({ name, value, valueFrom }) => [
    name,
    value ?? fields[valueFrom?.fieldRef?.fieldPath ?? ''] ?? '',
  ]);
  return Object.fromEntries(values) as Record<string, string>;
}

/** The command and arguments after the binary itself, with `$(NAME)` replaced. */
export function argumentsOf({ args = [], command = [] }: Container, env: Readonly<Record<string, string>>): string[] {
  return [...command.slice(1), ...args].map((text) =>
    text.replaceAll(/\$\((\w+)\)/g, (whole, name: string) => env[name] ?? whole),
  );
}
