import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';

/** Answers a request that wanted to upgrade, and hangs up. */
export function refuse(socket: Duplex, status: number, text: string, headers: readonly string[] = []): void {
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'Content-Type: text/plain; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(text)}`,
    'Connection: close',
    ...headers,
  ];
  socket.on('error', () => {});
  socket.end(`${head.join('\r\n')}\r\n\r\n${text}`);
}
