import { connect, isIP, isIPv6 } from 'node:net';
import type { Socket } from 'node:net';
import { TransportError } from './errors.js';

/** Where a SOCKS5 proxy is to connect to. */
export interface Socks5Target {
  readonly host: string;
  readonly port: number;
}

const VERSION = 5;
const NO_AUTHENTICATION = 0;
const USER_AND_PASSWORD = 2;
const CONNECT = 1;
const DEFAULT_PORT = 1080;
const ADDRESS_BYTES: ReadonlyMap<number, number> = new Map([
  [1, 4],
  [4, 16],
]);
const DOMAIN = 3;

/** What a proxy answers to a connect request (RFC 1928). */
const REFUSALS: readonly string[] = [
  'succeeded',
  'general SOCKS server failure',
  'connection not allowed by ruleset',
  'network unreachable',
  'host unreachable',
  'connection refused',
  'TTL expired',
  'command not supported',
  'address type not supported',
];

/** A connection to the target by way of a SOCKS5 proxy; names are resolved by the proxy, which may know others. */
export async function openSocks5(proxy: URL, target: Socks5Target, timeoutMs: number): Promise<Socket> {
  const host = proxy.hostname.replace(/^\[|\]$/g, '');
  const socket = connect({ host, port: Number(proxy.port === '' ? DEFAULT_PORT : proxy.port) });
  const late = setTimeout(() => socket.destroy(problem(`no answer within ${timeoutMs / 1000} s`)), timeoutMs);
  try {
    await authenticate(socket, proxy);
    await requestConnection(socket, target);
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  } finally {
    clearTimeout(late);
  }
}

async function authenticate(socket: Socket, proxy: URL): Promise<void> {
  const hasUser = proxy.username !== '';
  const methods = hasUser ? [NO_AUTHENTICATION, USER_AND_PASSWORD] : [NO_AUTHENTICATION];
  socket.write(Uint8Array.of(VERSION, methods.length, ...methods));
  const [version, method] = await take(socket, 2);
  if (version !== VERSION) throw problem('it does not speak SOCKS5');
  if (method === NO_AUTHENTICATION) return;
  if (method !== USER_AND_PASSWORD || !hasUser) throw problem('it accepts no way of authentication that we have');
  const [user, password] = [proxy.username, proxy.password].map((text) => Buffer.from(decodeURIComponent(text)));
  if (user === undefined || password === undefined) throw problem('a user has a name and a password');
  socket.write(Buffer.concat([Uint8Array.of(1), counted(user), counted(password)]));
  const [, status] = await take(socket, 2);
  if (status !== 0) throw problem('it refused user name and password');
}

async function requestConnection(socket: Socket, { host, port }: Socks5Target): Promise<void> {
  const portBytes = Uint8Array.of(port >> 8, port & 0xff);
  socket.write(Buffer.concat([Uint8Array.of(VERSION, CONNECT, 0), addressOf(host), portBytes]));
  const [version, status = 1, , type = 0] = await take(socket, 4);
  if (version !== VERSION) throw problem('it does not speak SOCKS5');
  if (status !== 0) throw problem(`${host}:${port}: ${REFUSALS[status] ?? `answer ${status}`}`);
  const length = type === DOMAIN ? ((await take(socket, 1))[0] ?? 0) : ADDRESS_BYTES.get(type);
  if (length === undefined) throw problem(`it answered with an address of type ${type}`);
  await take(socket, length + 2);
}

function addressOf(bracketed: string): Uint8Array {
  const host = bracketed.replace(/^\[|\]$/g, '');
  if (isIP(host) === 0) return Buffer.concat([Uint8Array.of(DOMAIN), counted(Buffer.from(host))]);
  return isIPv6(host)
    ? Uint8Array.of(4, ...ipv6Bytes(host))
    : Uint8Array.of(1, ...host.split('.').map((part) => Number(part)));
}

function ipv6Bytes(host: string): number[] {
  // As a URL the address has one spelling: no zeros in front, no dotted end.
  const [head = '', tail] = new URL(`http://[${host}]`).hostname.slice(1, -1).split('::');
  const words = (text: string | undefined): number[] =>
    text === undefined || text === '' ? [] : text.split(':').map((word) => Number.parseInt(word, 16));
  const [first, last] = [words(head), words(tail)];
  const all = [...first, ...Array.from({ length: 8 - first.length - last.length }, () => 0), ...last];
  return all.flatMap((word) => [word >> 8, word & 0xff]);
}

function counted(bytes: Uint8Array): Uint8Array {
  if (bytes.length > 255) throw problem('a name of more than 255 bytes');
  return Buffer.concat([Uint8Array.of(bytes.length), bytes]);
}

/** Exactly so many bytes; what comes after them stays in the socket. */
function take(socket: Socket, count: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void): void => {
      socket.off('readable', onReadable).off('error', onError).off('close', onClose);
      act();
    };
    const onReadable = (): void => {
      const bytes = socket.read(count) as Buffer | null;
      if (bytes !== null && bytes.length === count) settle(() => resolve(bytes));
      else if (bytes !== null) onClose();
    };
    const onError = (error: Error): void => settle(() => reject(asProblem(error)));
    const onClose = (): void => settle(() => reject(problem('it closed the connection')));
    socket.on('readable', onReadable).on('error', onError).on('close', onClose);
    if (socket.destroyed) onClose();
    else onReadable();
  });
}

function problem(what: string): TransportError {
  return new TransportError('ESOCKS', `the SOCKS5 proxy: ${what}`, false);
}

function asProblem(error: Error): TransportError {
  if (error instanceof TransportError) return error;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : 'ESOCKS';
  return new TransportError(code, `the SOCKS5 proxy: ${error.message}`, false, error);
}
