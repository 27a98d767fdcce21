import { connect } from 'node:net';
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import { pod, PODS } from '../objects.js';
import type { Scenario } from '../scenario.js';
import type { ServedNode } from '../served-node.js';
import type { Session } from '../session.js';
import type { WatchProcess } from '../watch-process.js';
import { eventuallySees } from '../../src/wait.js';

/** How the client is to stream; older ones know SPDY alone. */
export type StreamProtocol = 'SPDY' | 'WebSocket';

/** The first client that knows WebSockets for all of it. */
const WEBSOCKET_MINOR = 31;
const FLOOD_BYTES = 50_000_000;
const INPUT = 'all that was typed\n'.repeat(20_000);

function nodeOf(k: Session): ServedNode {
  const { node } = k.cluster;
  if (node === undefined) throw new Error('the cluster has no node');
  return node;
}

/** A pod that runs on the scripted node. */
async function running(k: Session, names: readonly string[] = ['main']): Promise<void> {
  const containers = names.map((name) => ({ name, image: 'scripted', stdin: true }));
  await k.create(PODS, pod('p', { nodeName: nodeOf(k).name, containers }));
  const containerStatuses = names.map((name) => ({
    name,
    ready: true,
    started: true,
    restartCount: 0,
    image: 'scripted',
    imageID: 'scripted',
    state: { running: { startedAt: '2026-01-01T00:00:00Z' } },
  }));
  const status = { phase: 'Running', podIP: '10.1.2.3', podIPs: [{ ip: '10.1.2.3' }], containerStatuses };
  const options = { namespace: k.namespace, subresource: 'status' };
  await k.client.patch(PODS, 'p', { type: 'merge', value: { status } }, options);
}

/** Waits for what the node learns from afar. */
async function until(what: string, read: () => unknown, wanted: unknown): Promise<void> {
  await eventuallySees(
    what,
    async () => read(),
    (seen) => isDeepStrictEqual(seen, wanted),
  );
}

async function logs(k: Session): Promise<void> {
  await running(k, ['main', 'side']);
  await k.prints('logs p -c main', 'one\ntwo\nthree\n');
  await k.prints('logs p -c side --tail=1 --timestamps', '<time> three\n');
  await k.prints('logs p -c main --limit-bytes=5', 'one\nt');
  const previous = 'previous terminated container "main" in pod "p" not found';
  await k.fails('logs p -c main --previous', `Error from server (BadRequest): ${previous}\n`);
  // Clients differ in whether they ask the server at all.
  const { code, stderr } = await k.run('logs p -c none');
  expect(code).toBe(1);
  expect(stderr).toContain('container none is not valid for pod p');
}

async function followed(k: Session): Promise<void> {
  await running(k);
  const { containers } = nodeOf(k);
  const following = k.start('logs -f p --tail=1');
  expect(await following.lines(1)).toEqual(['three']);
  await until('the log is followed', () => containers.followers(`${k.namespace}/p`), 1);
  containers.say(`${k.namespace}/p`, 'and four');
  expect(await following.lines(2)).toEqual(['three', 'and four']);
  containers.endLogs(`${k.namespace}/p`);
  expect(await following.ended()).toEqual({ code: 0, stdout: 'three\nand four\n', stderr: '' });
  const leaving = k.start('logs -f p');
  await leaving.lines(3);
  await leaving.stop();
  await until('no client follows the log', () => containers.followers(`${k.namespace}/p`), 0);
}

function commands(env: Record<string, string>): (k: Session) => Promise<void> {
  return async (k) => {
    await running(k);
    await k.prints('exec p -- echo hello there', 'hello there\n', { env });
    await k.prints('exec -i p -- cat', INPUT, { env, stdin: INPUT });
    expect(await k.run('exec p -- exit 7', { env })).toEqual({
      code: 7,
      stdout: '',
      stderr: 'command terminated with exit code 7\n',
    });
    expect(await k.run('exec p -- complain of this', { env })).toEqual({
      code: 1,
      stdout: '',
      stderr: 'of this\ncommand terminated with exit code 1\n',
    });
    expect(await k.run('exec p -- nonsense', { env })).toMatchObject({ code: 127 });
    expect(await k.raw('exec p -c none -- date', { env })).toMatchObject({ code: 1, stdout: '' });
  };
}

function floods(env: Record<string, string>): (k: Session) => Promise<void> {
  return async (k) => {
    await running(k);
    const flood = await k.output(`exec p -- flood ${FLOOD_BYTES}`, { env });
    expect(flood.length).toBe(FLOOD_BYTES);
    await k.prints('exec -i p -- count', `${INPUT.length}\n`, { env, stdin: INPUT });
  };
}

function attached(env: Record<string, string>): (k: Session) => Promise<void> {
  return async (k) => {
    await running(k);
    expect(await k.run('attach -i -q p', { env, stdin: 'typed\n' })).toMatchObject({ code: 0, stdout: 'typed\n' });
  };
}

function abandoned(env: Record<string, string>): (k: Session) => Promise<void> {
  return async (k) => {
    await running(k);
    const { containers } = nodeOf(k);
    const waiting = k.start('exec p -- wait', { env });
    expect(await waiting.lines(1)).toEqual(['waiting']);
    expect(containers.left(`${k.namespace}/p`)).toEqual([]);
    await waiting.stop();
    await until('the container is left', () => containers.left(`${k.namespace}/p`), ['wait']);
  };
}

/** The local port of a port-forward that listens. */
async function forwardedPort(forward: WatchProcess): Promise<number> {
  const [line = ''] = await forward.lines(1);
  const port = Number(/^Forwarding from 127\.0\.0\.1:(\d+) -> \d+$/.exec(line)?.[1]);
  expect(line).toMatch(/^Forwarding from 127\.0\.0\.1:\d+ -> \d+$/);
  return port;
}

async function exchange(port: number, text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let received = '';
  socket.setEncoding('utf8').on('data', (piece: string) => (received += piece));
  socket.on('error', () => {});
  socket.write(text);
  await new Promise((resolve) => socket.on('close', resolve));
  return received;
}

function forwarded(env: Record<string, string>): (k: Session) => Promise<void> {
  return async (k) => {
    await running(k);
    const forward = k.start('port-forward pod/p :8080', { env });
    const port = await forwardedPort(forward);
    const body = 'x'.repeat(200_000);
    const head = (length: number): string => `Host: x\r\nConnection: close\r\nContent-Length: ${length}\r\n\r\n`;
    const answers = await Promise.all([
      exchange(port, `GET /a?b=c HTTP/1.1\r\n${head(0)}`),
      exchange(port, `POST /large HTTP/1.1\r\n${head(body.length)}${body}`),
    ]);
    expect(answers[0]).toContain('GET /a?b=c [] nobody\n');
    expect(answers[1]).toContain(`POST /large [${body}] nobody\n`);
    await forward.stop();
    const nowhere = k.start('port-forward pod/p :81', { env });
    expect(await exchange(await forwardedPort(nowhere), 'anybody?')).toBe('');
    const { stderr } = await nowhere.stop();
    expect(stderr).toContain('error forwarding port 81 to pod p, uid : nothing listens on port 81 of p');
  };
}

/** Feature switches of the clients, which speak WebSocket by default from 1.31 on. */
function environment(protocol: StreamProtocol): Record<string, string> {
  const isWebSocket = String(protocol === 'WebSocket');
  return { KUBECTL_REMOTE_COMMAND_WEBSOCKETS: isWebSocket, KUBECTL_PORT_FORWARD_WEBSOCKETS: isWebSocket };
}

/** Clients fall back to the older protocol in silence; they must not have to. */
function speaking(protocol: StreamProtocol, run: (k: Session) => Promise<void>): (k: Session) => Promise<void> {
  const first = protocol === 'SPDY' ? '101 SPDY/3.1 ' : '101 websocket ';
  return async (k) => {
    await run(k);
    const upgrades = k.cluster.upgrades?.filter((upgrade) => upgrade.includes(`/${k.namespace}/`)) ?? [];
    if (k.cluster.upgrades !== undefined) expect(upgrades).not.toEqual([]);
    // Before 1.30 and 1.31 clients had no choice.
    const isOld = protocol === 'WebSocket' && k.minor < WEBSOCKET_MINOR;
    if (!isOld) expect(upgrades.filter((upgrade) => !upgrade.startsWith(first))).toEqual([]);
  };
}

/** What reaches into containers; run once per protocol. */
export const streamScenarios: readonly Scenario[] = [
  { name: 'shows the log, or the part of it that is wanted', smoke: true, run: logs },
  { name: 'follows the log until the container or the client has enough', run: followed },
  ...(['SPDY', 'WebSocket'] as const).flatMap((protocol): Scenario[] => {
    const env = environment(protocol);
    // A server of 1.30 cannot carry ports over WebSockets.
    const serverSince = { minor: 31, because: 'it cannot forward ports over WebSockets' };
    return [
      { name: `runs commands over ${protocol}`, smoke: true, run: speaking(protocol, commands(env)) },
      { name: `loses nothing of large streams over ${protocol}`, run: speaking(protocol, floods(env)) },
      { name: `attaches over ${protocol}`, smoke: true, run: speaking(protocol, attached(env)) },
      { name: `ends a command whose client left over ${protocol}`, run: speaking(protocol, abandoned(env)) },
      {
        name: `forwards ports over ${protocol}`,
        smoke: true,
        run: speaking(protocol, forwarded(env)),
        ...(protocol === 'WebSocket' ? { serverSince } : {}),
      },
    ];
  }),
];
