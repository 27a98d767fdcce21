import { isIP } from 'node:net';
import { connect } from 'node:tls';
import type { Duplex } from 'node:stream';
import type { KubeletAddress, NodeConnector } from '../verbs/connectors.js';
import { askBackend } from './backend.js';

export interface KubeletConnectorOptions {
  /** PEM of the CAs that vouch for kubelets. */
  readonly ca: string;
  /** PEM of the certificate by which kubelets know this server. */
  readonly cert: string;
  readonly key: string;
}

/** No connection could be had. */
class DialFailed extends Error {
  override readonly name = 'DialFailed';
}

const DIAL_TIMEOUT_MS = 30_000;

/** The way to kubelets over TLS, as the real server goes it: both ends by certificate. */
export function kubeletConnector({ ca, cert, key }: KubeletConnectorOptions): NodeConnector {
  return {
    async ask(kubelet, request) {
      return askBackend(await dial(kubelet, { ca, cert, key }), request);
    },
  };
}

function dial({ host, port }: KubeletAddress, identity: KubeletConnectorOptions): Promise<Duplex> {
  return new Promise((resolve, reject) => {
    const name = isIP(host) === 0 ? { servername: host } : {};
    const socket = connect({ host, port, ...identity, ALPNProtocols: ['http/1.1'], ...name });
    const fail = (error: NodeJS.ErrnoException): void => {
      socket.destroy();
      reject(new DialFailed(dialText(error, host, port), { cause: error }));
    };
    socket.setTimeout(DIAL_TIMEOUT_MS, () => fail(new DialFailed('i/o timeout')));
    socket.once('error', fail);
    socket.once('secureConnect', () => {
      socket.removeListener('error', fail);
      socket.setTimeout(0);
      socket.setNoDelay(true);
      resolve(socket);
    });
  });
}

const DIAL_TEXTS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connect: connection refused',
  EHOSTUNREACH: 'connect: no route to host',
  ENETUNREACH: 'connect: network is unreachable',
};

/** In the words of Go. */
function dialText(error: NodeJS.ErrnoException, host: string, port: number): string {
  const text = DIAL_TEXTS[error.code ?? ''];
  return text === undefined ? error.message : `dial tcp ${host.includes(':') ? `[${host}]` : host}:${port}: ${text}`;
}
