import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const OWN_MOUNTS = ['--mount', '--map-root-user'];
const CHUNK = 16 << 10;

/** Whether this machine lets a process have a disk of its own. */
export function canMount(): boolean {
  const tried = spawnSync('unshare', [...OWN_MOUNTS, 'mount', '-t', 'tmpfs', 'tmpfs', tmpdir()]);
  return tried.status === 0 && spawnSync('nsenter', ['--version']).status === 0;
}

/** A disk of a few megabytes that only processes see which are run on it. */
export class SmallDisk {
  /** As those processes see it. */
  readonly path: string;
  /** As all others do. */
  readonly seen: string;
  readonly #holder: ChildProcess;

  private constructor(path: string, holder: ChildProcess) {
    this.path = path;
    this.seen = `/proc/${holder.pid}/root${path}`;
    this.#holder = holder;
  }

  static async make(megabytes: number): Promise<SmallDisk> {
    const path = mkdtempSync(join(tmpdir(), 'capstan-disk-'));
    const script = `mount -t tmpfs -o size=${megabytes}m tmpfs "$1" && echo ready && exec cat`;
    // Ends with its input, that is with this process at the latest.
    const holder = spawn('unshare', [...OWN_MOUNTS, 'sh', '-c', script, 'sh', path], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    await once(holder.stdout, 'data');
    return new SmallDisk(path, holder);
  }

  /** The command line that runs a program on it. */
  enter(program: string, args: readonly string[]): [string, string[]] {
    const namespaces = ['--target', String(this.#holder.pid), '--user', '--mount', '--preserve-credentials'];
    return ['nsenter', [...namespaces, program, ...args]];
  }

  /** Leaves no byte free. */
  fill(): void {
    const ballast = join(this.seen, 'ballast');
    try {
      for (;;) writeFileSync(ballast, Buffer.alloc(CHUNK), { flag: 'a' });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    }
  }

  free(): void {
    rmSync(join(this.seen, 'ballast'));
  }

  remount(how: 'ro' | 'rw'): void {
    const [program, args] = this.enter('mount', ['-o', `remount,${how}`, this.path]);
    const { status, stderr } = spawnSync(program, args);
    if (status !== 0) throw new Error(`the disk cannot be made ${how}: ${String(stderr)}`);
  }

  async close(): Promise<void> {
    const ended = once(this.#holder, 'exit');
    this.#holder.stdin?.end();
    await ended;
    rmSync(this.path, { recursive: true, force: true });
  }
}
