import { createServer } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect, createServer as createSocketServer } from 'node:net';
import type { AddressInfo, Server as SocketServer, Socket } from 'node:net';
import type { KeyPair } from '../../certs/options.js';

/** Something that listens on this machine. */
export interface Listening {
  readonly port: number;
  close(): Promise<void>;
}

async function listening(server: SocketServer): Promise<Listening> {
  const sockets = new Set<Socket>();
  const remember = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
  };
  server.on('connection', remember);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

/** An HTTP server, with TLS when it has a certificate. */
export function listenHttp(answer: RequestListener, tls?: KeyPair): Promise<Listening> {
  return listening(tls === undefined ? createServer(answer) : tlsServer(tls).on('request', answer));
}

function tlsServer({ certPem, keyPem }: KeyPair): Server {
  return createTlsServer({ cert: certPem, key: keyPem }) as unknown as Server;
}

function join(a: Socket, b: Socket): void {
  for (const each of [a, b]) each.on('error', () => {});
  a.pipe(b).pipe(a);
  a.on('close', () => b.destroy());
  b.on('close', () => a.destroy());
}

/** A proxy that is asked by CONNECT; notes whom it was asked for, and with which authorization. */
export function listenConnectProxy(asked: unknown[], tls?: KeyPair): Promise<Listening> {
  const proxy = tls === undefined ? createServer() : tlsServer(tls);
  proxy.on('connect', (request, client: Socket) => {
    asked.push([request.url, request.headers['proxy-authorization']]);
    const [host = '', port = ''] = (request.url ?? '').split(':');
    const upstream = connect(Number(port), host, () => {
      client.write('HTTP/1.1 200 OK\r\n\r\n');
      join(client, upstream);
    });
    upstream.on('error', () => client.destroy());
  });
  return listening(proxy);
}

export interface SocksBehaviour {
  /** Asks for this user and password. */
  readonly user?: readonly [string, string] | undefined;
  /** Answers the connect request with this instead of connecting. */
  readonly refuse?: number | undefined;
  /** Sends this at first instead of the SOCKS5 greeting. */
  readonly greeting?: readonly number[] | undefined;
  /** Sends its answers byte by byte. */
  readonly isSlow?: boolean | undefined;
  /** Address type of its answer. */
  readonly bound?: 'ipv4' | 'ipv6' | 'name' | undefined;
  /** Where names lead to. */
  readonly names?: Readonly<Record<string, string>> | undefined;
}

const BOUND: Readonly<Record<string, readonly number[]>> = {
  ipv4: [1, 127, 0, 0, 1],
  ipv6: [4, ...Array.from({ length: 16 }, () => 0)],
  name: [3, 2, 104, 105],
};

/** A SOCKS5 proxy; notes what it was asked for. */
export function listenSocksProxy(asked: unknown[], behaviour: SocksBehaviour = {}): Promise<Listening> {
  return listening(
    createSocketServer((client) => {
      void serveSocks(client, asked, behaviour).catch(() => client.destroy());
    }),
  );
}

/** One connection of a client that speaks SOCKS5. */
class SocksClient {
  readonly socket: Socket;
  readonly #isSlow: boolean;
  readonly #chunks: AsyncIterator<Buffer>;

  constructor(socket: Socket, isSlow: boolean) {
    this.socket = socket;
    this.#isSlow = isSlow;
    this.#chunks = socket.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer>;
  }

  async say(...bytes: number[]): Promise<void> {
    for (const part of this.#isSlow ? bytes.map((byte) => [byte]) : [bytes])
      await new Promise((resolve) => this.socket.write(Uint8Array.from(part), resolve));
  }

  async next(): Promise<Buffer> {
    const result = await this.#chunks.next();
    if (result.done === true) throw new Error('the client went away');
    return result.value;
  }

  /** From here on the bytes are none of its business. */
  async leave(): Promise<void> {
    await this.#chunks.return?.();
  }
}

async function serveSocks(socket: Socket, asked: unknown[], behaviour: SocksBehaviour): Promise<void> {
  const { user, refuse, greeting, bound = 'ipv4', names = {} } = behaviour;
  const client = new SocksClient(socket, behaviour.isSlow === true);
  asked.push([...(await client.next())]);
  if (greeting !== undefined) return client.say(...greeting);
  await client.say(5, user === undefined ? 0 : 2);
  if (user !== undefined) asked.push(await login(client, user));
  const { type, host, port } = target(await client.next());
  asked.push(`${type} ${host}:${port}`);
  if (refuse !== undefined) return client.say(5, refuse, 0, 1, 0, 0, 0, 0, 0, 0);
  const upstream = connect(port, names[host] ?? host);
  upstream.on('error', () => socket.destroy());
  await new Promise((resolve) => upstream.once('connect', resolve));
  await client.leave();
  await client.say(5, 0, 0, ...(BOUND[bound] ?? []), 0, 0);
  join(socket, upstream);
}

async function login(client: SocksClient, user: readonly [string, string]): Promise<readonly [string, string]> {
  const credentials = await client.next();
  const name = credentials.subarray(2, 2 + (credentials[1] ?? 0)).toString();
  const password = credentials.subarray(3 + name.length).toString();
  await client.say(1, name === user[0] && password === user[1] ? 0 : 1);
  return [name, password];
}

function target(request: Buffer): { readonly type: string; readonly host: string; readonly port: number } {
  const isName = request[3] === 3;
  const address = request.subarray(isName ? 5 : 4, -2);
  const host = isName ? address.toString() : [...address].join('.');
  return { type: isName ? 'name' : 'address', host, port: request.readUInt16BE(request.length - 2) };
}
