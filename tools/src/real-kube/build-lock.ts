import { mkdir, open, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { GO_BUILD_LIMIT_MS, LOCK_POLL_MS, LOCK_WAIT_LIMIT_MS } from './limits.js';

/**
 * Runs `work` while no other process builds into `dir`. Only spares the second
 * one the work: files are put in place by rename, so even two builds at once
 * would leave a sound cache. That is why a stale lock may simply be removed.
 */
export async function withBuildLock<T>(
  dir: string,
  work: () => Promise<T>,
  options: { readonly signal?: AbortSignal | undefined; readonly onWait?: (holder: string) => void } = {},
): Promise<T> {
  await mkdir(dir, { recursive: true });
  const lockFile = join(dir, '.build.lock');
  const deadline = Date.now() + LOCK_WAIT_LIMIT_MS;
  let hasReported = false;
  while (!(await tryLock(lockFile))) {
    options.signal?.throwIfAborted();
    const holder = await liveHolder(lockFile);
    if (holder === undefined) {
      await rm(lockFile, { force: true });
      continue;
    }
    if (Date.now() > deadline) {
      throw new Error(`process ${holder} still holds ${lockFile} after ${LOCK_WAIT_LIMIT_MS / 60_000} min`);
    }
    if (!hasReported) {
      options.onWait?.(holder);
      hasReported = true;
    }
    await sleep(LOCK_POLL_MS, undefined, options.signal ? { signal: options.signal } : {});
  }
  try {
    return await work();
  } finally {
    await rm(lockFile, { force: true });
  }
}

async function tryLock(lockFile: string): Promise<boolean> {
  try {
    const handle = await open(lockFile, 'wx');
    await handle.writeFile(`${process.pid}\n`);
    await handle.close();
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) {
      return false;
    }
    throw error;
  }
}

/** The pid that holds the lock; undefined when that process is gone or cannot still be building. */
async function liveHolder(lockFile: string): Promise<string | undefined> {
  try {
    const [text, info] = await Promise.all([readFile(lockFile, 'utf8'), stat(lockFile)]);
    const ageMs = Date.now() - info.mtimeMs;
    const pid = Number.parseInt(text, 10);
    if (ageMs > LOCK_WAIT_LIMIT_MS) {
      return undefined;
    }
    if (Number.isNaN(pid)) {
      // Just created and not yet written, unless it has been so for long.
      return ageMs > GO_BUILD_LIMIT_MS ? undefined : 'unknown';
    }
    process.kill(pid, 0);
    return String(pid);
  } catch (error) {
    return hasCode(error, 'EPERM') ? 'unknown' : undefined;
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
