import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { unusable } from './files.js';
import type { Io } from './io.js';

/** The request that a command end. */
export interface StopRequest {
  readonly signal: AbortSignal;
  readonly requested: Promise<void>;
  release(): void;
}

/** For commands that serve until they are asked to end. Asked once the signal aborts; asked twice the process ends. */
export function listenForStop(io: Io): StopRequest {
  io.outliveReaders?.();
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

/**
 * The file asked for, or one in a temporary folder. That is deleted when the command stops, before anything else: a
 * second signal ends the process at once.
 */
export function kubeconfigPlace(wanted: string | undefined, io: Io, stop: AbortSignal): KubeconfigPlace {
  if (wanted !== undefined) return { path: resolve(wanted), release: () => undefined };
  const folder = temporaryFolder();
  const erase = (): void => rmSync(folder, { recursive: true, force: true });
  const forget = io.onExit(erase);
  stop.addEventListener('abort', erase, { once: true });
  return {
    path: join(folder, 'kubeconfig'),
    release: () => {
      erase();
      forget();
      stop.removeEventListener('abort', erase);
    },
  };
}

function temporaryFolder(): string {
  try {
    return mkdtempSync(join(tmpdir(), 'capstan-'));
  } catch (error) {
    throw unusable('place of the kubeconfig', tmpdir(), error, 'name a file with --kubeconfig-out');
  }
}

/** Reports on standard output that a server is ready. A server whose output has no reader serves all the same. */
export function sayReady(line: string, io: Pick<Io, 'out' | 'err'>): void {
  try {
    io.out(line);
  } catch (error) {
    io.err(`warning: ${error instanceof Error ? error.message : String(error)}\n`);
  }
}

/** How the administrator reaches a server. */
export interface AdminAccess {
  readonly url: string;
  readonly caPem: string;
  readonly token: string;
}

/** Writes the kubeconfig of a server's administrator. */
export async function writeAdminKubeconfig(started: AdminAccess, path: string): Promise<void> {
  const { kubeconfigText, writeKubeconfig } = await import('@capstan/kube/basics');
  const { caPem, token, url } = started;
  const access = { server: url, caPem, token };
  try {
    await writeKubeconfig({ path, ...access });
  } catch (error) {
    // Of a server that was here before: what it left serves as well, and the disk may be full.
    if (textIn(path) === kubeconfigText(access)) return;
    throw unusable('kubeconfig', path, error, 'name a file you may write with --kubeconfig-out');
  }
}

function textIn(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
