import { once } from 'node:events';
import { connect } from 'node:tls';
import { ApiServer, serveHttp } from '@capstan/apiserver';
import { createCa, systemClock, systemRandom } from '@capstan/kube';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isReal, realServer } from '../src/conformance/backend.js';

/*
 * A proxy that reads the first of two Host headers and a server that reads the last one would disagree about the request.
 * The real server gives the answers expected here, too.
 */

interface Place {
  readonly host: string;
  readonly port: number;
  close(): Promise<void>;
}

async function embedded(): Promise<Place> {
  const server = new ApiServer({ clock: systemClock(), random: systemRandom() });
  const pair = createCa({ commonName: 'hosts' }).issueServing({ commonName: 'apiserver' });
  const http = await serveHttp(server, { port: 0, tls: { cert: pair.certPem, key: pair.keyPem } });
  return { host: '127.0.0.1', port: http.port, close: () => http.close() };
}

function real(): Place {
  const { hostname: host, port } = new URL(realServer()?.url ?? '');
  return { host, port: Number(port), close: () => Promise.resolve() };
}

describe('a request whose Host headers', () => {
  let place: Place;

  beforeAll(async () => {
    place = isReal ? real() : await embedded();
  });

  afterAll(() => place.close());

  /** Everything the server writes to a request until the connection is closed. */
  async function responseTo(headers: string): Promise<string> {
    const socket = connect({ ...place, rejectUnauthorized: false, ALPNProtocols: ['http/1.1'] });
    let text = '';
    socket.setEncoding('latin1').on('data', (piece: string) => (text += piece));
    socket.on('error', () => {});
    socket.write(`GET /version HTTP/1.1\r\n${headers}Connection: close\r\n\r\n`);
    await once(socket, 'close');
    return text;
  }

  it.each([
    ['are two', 'Host: a\r\nHost: b\r\n', '400 Bad Request'],
    ['are two alike', 'Host: a\r\nhOST: a\r\n', '400 Bad Request'],
    ['are none', '', '400 Bad Request: missing required Host header'],
    ['are no name', 'Host: a/b\r\n', '400 Bad Request: malformed Host header'],
    ['have a space', 'Host: a b\r\n', '400 Bad Request: malformed Host header'],
  ])('%s is refused', async (_name, headers, text) => {
    const answer = await responseTo(headers);
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request/);
    expect(answer.split('\r\n\r\n')[1]).toBe(text);
  });

  it.each(['[::1]:6443', 'a.b_c~d', ''])('are the one %j is served', async (host) => {
    expect(await responseTo(`Host: ${host}\r\n`)).toMatch(/^HTTP\/1\.1 (?:200|401) /);
  });
});
