import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { StartedServer } from './apiserver/start.js';
import { unusable } from './files.js';
import type { Io } from './io.js';

/** The wish of whoever started a command that it end. */
export interface StopRequest {
  readonly signal: AbortSignal;
  readonly requested: Promise<void>;
  release(): void;
}

/** Asked once the signal aborts; asked a second time the process ends at once. */
export function listenForStop(io: Io): StopRequest {
  const ending = new AbortController();
  const requested = new Promise<void>((resolveRequested) => {
    ending.signal.addEventListener('abort', () => resolveRequested(), { once: true });
  });
  const release = io.onStop(() => {
    if (ending.signal.aborted) io.exit(1);
    else ending.abort();
  });
  return { signal: ending.signal, requested, release };
}

/** Where the kubeconfig goes. */
export interface KubeconfigPlace {
  readonly path: string;
  /** Removes what is not to outlive the command. */
  release(): void;
}

/** The file asked for, or one in a folder that is gone when the process is, also when that ends in a hurry. */
export function kubeconfigPlace(wanted: string | undefined, io: Io): KubeconfigPlace {
  if (wanted !== undefined) return { path: resolve(wanted), release: () => undefined };
  const folder = mkdtempSync(join(tmpdir(), 'capstan-'));
  const erase = (): void => rmSync(folder, { recursive: true, force: true });
  const forget = io.onExit(erase);
  return {
    path: join(folder, 'kubeconfig'),
    release: () => {
      erase();
      forget();
    },
  };
}

/** Writes the kubeconfig of a server's administrator. */
export async function writeAdminKubeconfig(started: StartedServer, path: string): Promise<void> {
  const { writeKubeconfig } = await import('@capstan/kube/basics');
  const { caPem, token, url } = started;
  try {
    await writeKubeconfig({ path, server: url, caPem, token });
  } catch (error) {
    throw unusable('kubeconfig', path, error, 'name a file you may write with --kubeconfig-out');
  }
}
