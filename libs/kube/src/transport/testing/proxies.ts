import { createServer } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect, createServer as createSocketServer } from 'node:net';
import type { AddressInfo, Server as SocketServer, Socket } from 'node:net';
import type { KeyPair } from '../../certs/certificates.js';

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
  /** Says this at first instead of what SOCKS5 says. */
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

async function serveSocks(client: Socket, asked: unknown[], behaviour: SocksBehaviour): Promise<void> {
  const { user, refuse, greeting, isSlow, bound = 'ipv4', names = {} } = behaviour;
  const say = async (...bytes: number[]): Promise<void> => {
    for (const part of isSlow === true ? bytes.map((byte) => [byte]) : [bytes]) {
      await new Promise((resolve) => client.write(Uint8Array.from(part), resolve));
    }
  };
  const chunks = client.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer>;
  const next = async (): Promise<Buffer> => {
    const result = await chunks.next();
    if (result.done === true) throw new Error('the client went away');
    return result.value;
  };
  asked.push([...(await next())]);
  if (greeting !== undefined) return say(...greeting);
  await say(5, user === undefined ? 0 : 2);
  if (user !== undefined) {
    const login = await next();
    const name = login.subarray(2, 2 + (login[1] ?? 0)).toString();
    const password = login.subarray(3 + name.length).toString();
    asked.push([name, password]);
    await say(1, name === user[0] && password === user[1] ? 0 : 1);
  }
  const request = await next();
  const [type] = request.subarray(3);
  const address = request.subarray(type === 3 ? 5 : 4, -2);
  const host = type === 3 ? address.toString() : [...address].join('.');
  const port = request.readUInt16BE(request.length - 2);
  asked.push(`${type === 3 ? 'name' : 'address'} ${host}:${port}`);
  if (refuse !== undefined) return say(5, refuse, 0, 1, 0, 0, 0, 0, 0, 0);
  const upstream = connect(port, names[host] ?? host);
  upstream.on('error', () => client.destroy());
  await new Promise((resolve) => upstream.once('connect', resolve));
  // From here on the bytes are none of its business.
  await chunks.return?.();
  await say(5, 0, 0, ...(BOUND[bound] ?? []), 0, 0);
  join(client, upstream);
}
