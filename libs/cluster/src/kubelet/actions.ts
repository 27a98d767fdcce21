import { request as httpRequest } from 'node:http';
import type { Duplex } from 'node:stream';
import { connect as tlsConnect } from 'node:tls';
import type { Clock } from '@capstan/meta';
import { errorText, sleep } from '@capstan/kube';
import type { Container, Handler, HttpGetAction } from '../workload/pod-spec.js';

/** The result of an action; the output has the reason of a failure. */
export interface ActionResult {
  readonly ok: boolean;
  readonly output: string;
}

/** What an action of a probe or hook can do to its container. */
export interface ActionTarget {
  readonly container: Container;
  readonly podIp: string;
  readonly clock: Clock;
  dial(host: string, port: number): Promise<Duplex>;
  exec(command: readonly string[], signal: AbortSignal): Promise<{ readonly code: number; readonly output: string }>;
}

/** A body longer than this is not read on. */
const MAX_BODY_BYTES = 10 * 1024;

/** Runs the action of a probe or hook, within its time limit. */
export async function performAction(handler: Handler, target: ActionTarget, timeoutMs: number): Promise<ActionResult> {
  const ending = new AbortController();
  const { clock } = target;
  const late = sleep(clock, timeoutMs, ending.signal).then((how): ActionResult | undefined =>
    how === 'aborted' ? undefined : { ok: false, output: timeoutText(handler, target, timeoutMs) },
  );
  const done = act(handler, target, ending.signal).catch((error: unknown): ActionResult => ({
    ok: false,
    output: errorText(error),
  }));
  const result = (await Promise.race([late, done])) ?? (await done);
  ending.abort();
  return result;
}

async function act(handler: Handler, target: ActionTarget, signal: AbortSignal): Promise<ActionResult> {
  if (handler.httpGet !== undefined) return httpGet(handler.httpGet, target, signal);
  if (handler.tcpSocket !== undefined) {
    const port = portNumber(handler.tcpSocket.port, target.container);
    const connection = await target.dial(handler.tcpSocket.host ?? target.podIp, port);
    connection.destroy();
    return { ok: true, output: '' };
  }
  if (handler.exec !== undefined) {
    const { code, output } = await target.exec(handler.exec.command ?? [], signal);
    return { ok: code === 0, output };
  }
  if (handler.sleep !== undefined) {
    await sleep(target.clock, handler.sleep.seconds * 1000, signal);
    return { ok: true, output: '' };
  }
  return { ok: false, output: 'this kubelet does not speak gRPC' };
}

/** The number of a port that may be given by name. */
function portNumber(port: number | string, { ports = [] }: Container): number {
  if (typeof port === 'number') return port;
  return ports.find(({ name }) => name === port)?.containerPort ?? Number(port);
}

function urlOf({ host, path = '/', port, scheme = 'HTTP' }: HttpGetAction, target: ActionTarget): URL {
  const where = host === undefined || host === '' ? target.podIp : host;
  const rooted = path.startsWith('/') ? path : `/${path}`;
  return new URL(`${scheme.toLowerCase()}://${where}:${portNumber(port, target.container)}${rooted}`);
}

async function httpGet(action: HttpGetAction, target: ActionTarget, signal: AbortSignal): Promise<ActionResult> {
  const url = urlOf(action, target);
  const text = plainUrl(url, action, target);
  let connection: Duplex;
  try {
    connection = await target.dial(url.hostname, portNumber(action.port, target.container));
  } catch (error) {
    return { ok: false, output: `Get "${text}": ${errorText(error)}` };
  }
  // Nobody has signed what a probe meets, nor does the real kubelet ask.
  const socket = url.protocol === 'https:' ? tlsConnect({ socket: connection, rejectUnauthorized: false }) : connection;
  try {
    const status = await statusOf(url, action, socket, signal);
    const ok = status >= 200 && status < 400;
    return { ok, output: ok ? '' : `HTTP probe failed with statuscode: ${status}` };
  } catch (error) {
    return { ok: false, output: `Get "${text}": ${errorText(error)}` };
  } finally {
    socket.destroy();
    connection.destroy();
  }
}

function statusOf(url: URL, action: HttpGetAction, socket: Duplex, signal: AbortSignal): Promise<number> {
  const headers: Record<string, string> = { 'user-agent': 'kube-probe/1.36', accept: '*/*', connection: 'close' };
  for (const { name, value } of action.httpHeaders ?? []) headers[name.toLowerCase()] = value;
  return new Promise((resolve, reject) => {
    socket.once('error', reject);
    const request = httpRequest(
      {
        method: 'GET',
        path: url.pathname + url.search,
        host: url.host,
        headers,
        signal,
        createConnection: () => socket,
      },
      (response) => {
        let bytes = 0;
        response.on('data', (chunk: Buffer) => {
          bytes += chunk.length;
          if (bytes > MAX_BODY_BYTES) response.destroy();
        });
        response.on('error', () => undefined);
        resolve(response.statusCode ?? 0);
      },
    );
    request.on('error', reject);
    request.end();
  });
}

function plainUrl(url: URL, action: HttpGetAction, target: ActionTarget): string {
  // The default port is written out, as the real kubelet does.
  return `${url.protocol}//${url.hostname}:${portNumber(action.port, target.container)}${url.pathname}${url.search}`;
}

function timeoutText(handler: Handler, target: ActionTarget, timeoutMs: number): string {
  if (handler.httpGet !== undefined) {
    const text = plainUrl(urlOf(handler.httpGet, target), handler.httpGet, target);
    return `Get "${text}": context deadline exceeded (Client.Timeout exceeded while awaiting headers)`;
  }
  if (handler.exec !== undefined)
    return `command timed out: "${(handler.exec.command ?? []).join(' ')}" timed out after ${timeoutMs / 1000}s`;
  return `dial tcp ${target.podIp}: i/o timeout`;
}
