import { ClusterError } from '../errors.js';
import type { VolumeMount } from '../workload/pod-spec.js';

/** The files of one volume, by path within it (`a/b`, no slash before). */
export interface VolumeFiles {
  read(path: string): Promise<Uint8Array | undefined>;
  paths(): readonly string[];
  /** Absent on a volume nobody may write to. */
  write?(path: string, data: Uint8Array): void;
  remove?(path: string): void;
}

/** The files a container sees. Paths are absolute. Failures are a `ClusterError`. */
export interface ContainerFiles {
  read(path: string): Promise<Uint8Array>;
  /** Names of what is in a folder, in order. */
  list(path: string): readonly string[];
  /** What is written outside the volumes is gone with the container. */
  write(path: string, data: Uint8Array | string): void;
  remove(path: string): void;
  /** Calls back after something mounted has changed. Gives the function that ends it. */
  watch(listener: () => void): () => void;
}

/** Files in memory, as `emptyDir` has them. */
export class MemoryFiles implements VolumeFiles {
  readonly #files = new Map<string, Uint8Array>();

  read(path: string): Promise<Uint8Array | undefined> {
    return Promise.resolve(this.#files.get(path));
  }

  paths(): readonly string[] {
    return [...this.#files.keys()];
  }

  write(path: string, data: Uint8Array): void {
    this.#files.set(path, data);
  }

  remove(path: string): void {
    this.#files.delete(path);
  }
}

interface Mounted {
  /** Parts of the path, the root having none. */
  readonly at: string;
  readonly under: string;
  readonly readOnly: boolean;
  readonly files: VolumeFiles;
}

/** Lays volumes over the container's own files. */
export class MountedFiles implements ContainerFiles {
  /** The deepest first. */
  readonly #mounts: readonly Mounted[];
  readonly #subscribe: (listener: () => void) => () => void;

  constructor(
    mounts: readonly VolumeMount[],
    volume: (name: string) => VolumeFiles,
    subscribe: (listener: () => void) => () => void,
  ) {
    const mounted = mounts.map(({ mountPath, name, readOnly = false, subPath = '' }) => ({
      at: normal(mountPath),
      under: normal(subPath),
      readOnly,
      files: volume(name),
    }));
    const own = { at: '', under: '', readOnly: false, files: new MemoryFiles() };
    this.#mounts = [...mounted.sort((a, b) => b.at.length - a.at.length), own];
    this.#subscribe = subscribe;
  }

  async read(path: string): Promise<Uint8Array> {
    const { mount, inner } = this.#find(path);
    const data = await mount.files.read(inner);
    if (data === undefined) throw new ClusterError('NO_SUCH_FILE', `open ${path}: no such file or directory`);
    return data;
  }

  list(path: string): readonly string[] {
    const folder = normal(path);
    const names = new Set<string>();
    for (const each of this.#allPaths()) {
      const rest = within(folder, each);
      if (rest !== undefined && rest !== '') names.add(rest.split('/')[0] ?? '');
    }
    if (names.size === 0 && folder !== '') {
      const [at, slash] = [folder, folder.lastIndexOf('/')];
      if (this.#allPaths().includes(at)) return [at.slice(slash + 1)];
      if (!this.#mounts.some((mount) => mount.at === folder))
        throw new ClusterError('NO_SUCH_FILE', `open ${path}: no such file or directory`);
    }
    return [...names].sort();
  }

  write(path: string, data: Uint8Array | string): void {
    const { mount, inner } = this.#find(path);
    if (mount.readOnly || mount.files.write === undefined)
      throw new ClusterError('READ_ONLY', `open ${path}: read-only file system`);
    mount.files.write(inner, typeof data === 'string' ? Buffer.from(data) : data);
  }

  remove(path: string): void {
    const { mount, inner } = this.#find(path);
    if (mount.readOnly || mount.files.remove === undefined)
      throw new ClusterError('READ_ONLY', `unlink ${path}: read-only file system`);
    mount.files.remove(inner);
  }

  watch(listener: () => void): () => void {
    return this.#subscribe(listener);
  }

  #find(path: string): { mount: Mounted; inner: string } {
    const whole = normal(path);
    for (const mount of this.#mounts) {
      const rest = within(mount.at, whole);
      if (rest !== undefined) return { mount, inner: normal(`${mount.under}/${rest}`) };
    }
    throw new ClusterError('NO_SUCH_FILE', `open ${path}: no such file or directory`);
  }

  #allPaths(): string[] {
    const all: string[] = [];
    for (const { at, files, under } of this.#mounts)
      for (const path of files.paths()) {
        const rest = within(under, path);
        if (rest !== undefined) all.push(normal(`${at}/${rest}`));
      }
    return all;
  }
}

/** Without empty parts and dots; `..` leads no higher than the root. */
function normal(path: string): string {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return parts.join('/');
}

/** What of a path lies below a folder. */
function within(folder: string, path: string): string | undefined {
  if (folder === '') return path;
  if (path === folder) return '';
  return path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : undefined;
}
