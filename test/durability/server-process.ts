import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { HttpTransport, loadConnection } from '@capstan/kube';

export type Answer = { readonly status: number; readonly text: () => string; readonly json: () => unknown };
export type Send = (method: string, target: string, body?: unknown) => Promise<Answer>;

/** Where the program is, seen from the root of the repository. */
export const BIN_PATH = 'apps/cli/bin/capstan.js';

/** The program as built in this repository. */
export function builtBin(from: string, up: string): string {
  return fileURLToPath(new URL(`${up}${BIN_PATH}`, from));
}

/** The program and the directory it keeps its state in. */
export interface Place {
  readonly bin: string;
  readonly data: string;
}

function spawnServer({ bin, data }: Place): ChildProcess {
  return spawn(process.execPath, [bin, 'apiserver', '--data', data, '--kubeconfig-out', `${data}.kubeconfig`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

/** Starts a server and kills it after so long, ready or not. */
export async function killEarly(place: Place, afterMs: number): Promise<void> {
  const child = spawnServer(place);
  await sleep(afterMs);
  await kill(child);
}

/** A server for as long as the work takes; then it is killed. */
export async function withServer<T>(
  place: Place,
  work: (send: Send, end: () => Promise<void>) => Promise<T>,
): Promise<T> {
  const child = spawnServer(place);
  if (child.stdout === null) throw new Error(`the server of ${place.data} has no output to read`);
  const line = once(createInterface({ input: child.stdout }), 'line').then(([text]) => String(text));
  const ended = once(child, 'exit').then(() => undefined);
  let transport: HttpTransport | undefined;
  try {
    if ((await Promise.race([line, ended])) === undefined)
      throw new Error(`the server of ${place.data} ended with ${child.exitCode} before it was ready`);
    transport = new HttpTransport(await loadConnection({ path: `${place.data}.kubeconfig` }));
    return await work(sender(transport), () => kill(child));
  } finally {
    await kill(child);
    await transport?.close();
  }
}

/** Sends JSON, and reads what is answered. */
export function sender(transport: HttpTransport): Send {
  return async (method, target, body) => {
    const bytes = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
    const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
    const { status, body: answer } = await transport.send({
      method,
      target,
      headers: { 'content-type': type },
      body: bytes === undefined ? undefined : { type: 'bytes', bytes },
    });
    const text = answer.type === 'payload' ? Buffer.concat(answer.chunks()).toString() : '';
    return { status, text: () => text, json: () => JSON.parse(text) as unknown };
  };
}
