import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { isIP } from 'node:net';
import { connect } from 'node:tls';
import type { ConnectionOptions } from 'node:tls';
import type { buildConnector } from 'undici';

/** Makes the connections of an HTTP client with a dialler of its own, and TLS on top where the URL asks for it. */
export function dialler(
  dial: (host: string, port: number) => Promise<Duplex>,
  tls: ConnectionOptions,
): buildConnector.connector {
  return ({ hostname, port, protocol }, callback) => {
    const host = hostname.replace(/^\[|\]$/g, '');
    const isSecure = protocol === 'https:';
    dial(host, Number(port === '' ? (isSecure ? 443 : 80) : port)).then(
      (stream) => {
        if (!isSecure) callback(null, stream as Socket);
        else secured(stream, isIP(host) === 0 ? { servername: host, ...tls } : { host, ...tls }, callback);
      },
      (error: unknown) => callback(error as Error, null),
    );
  };
}

function secured(stream: Duplex, options: ConnectionOptions, callback: buildConnector.Callback): void {
  const socket = connect({ ...options, socket: stream, ALPNProtocols: ['http/1.1'] });
  const failed = (error: Error): void => callback(error, null);
  socket.once('error', failed);
  socket.once('secureConnect', () => {
    socket.off('error', failed);
    callback(null, socket);
  });
}
