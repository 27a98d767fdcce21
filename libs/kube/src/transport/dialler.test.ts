import { createServer } from 'node:https';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCa } from '../certs/certificates.js';
import { anonymous } from '../config/credentials.js';
import { HttpTransport } from './http.js';

const ca = createCa({ commonName: 'ca' });
const pair = ca.issueServing({ commonName: 'server', dnsNames: ['server.example'], ipAddresses: ['10.9.8.7'] });
const server = createServer({ cert: pair.certPem, key: pair.keyPem }, (request, response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ path: request.url, host: request.headers.host }));
});

beforeAll(() => new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve)));
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** Asks a server at a URL that only the dialler knows how to reach. */
async function ask(url: string, serverName?: string): Promise<{ answer: unknown; dialled: string[] }> {
  const dialled: string[] = [];
  const trust = { caPem: ca.certPem, serverName };
  const transport = new HttpTransport(
    { server: url, trust, credentials: anonymous(), namespace: 'default' },
    {
      dial: (host, port) => {
        dialled.push(`${host}:${port}`);
        return Promise.resolve(connect((server.address() as AddressInfo).port, '127.0.0.1'));
      },
    },
  );
  try {
    const { body } = await transport.send({ method: 'GET', target: '/version', headers: {} });
    return { answer: body.type === 'payload' ? body.value() : undefined, dialled };
  } finally {
    await transport.close();
  }
}

describe('a transport with a dialler of its own', () => {
  it.each([
    ['https://server.example:6443', '/version', 'server.example:6443'],
    ['https://server.example/clusters/a/b', '/clusters/a/b/version', 'server.example:443'],
    ['https://10.9.8.7', '/version', '10.9.8.7:443'],
  ])('reaches %s, and trusts its name alone', async (url, path, where) => {
    const { answer, dialled } = await ask(url);
    expect([answer, dialled]).toEqual([{ path, host: new URL(url).host }, [where]]);
  });

  it('expects the configured server name', async () => {
    expect((await ask('https://elsewhere.example', 'server.example')).dialled).toEqual(['elsewhere.example:443']);
  });

  it.each(['https://other.example', 'https://10.9.8.8'])('refuses a server that is not %s', async (url) => {
    await expect(ask(url)).rejects.toMatchObject({ code: 'ERR_TLS_CERT_ALTNAME_INVALID' });
  });

  it('fails as the dialler does', async () => {
    const refused = Object.assign(new TypeError('no route'), { code: 'NO_ROUTE' });
    const transport = new HttpTransport(
      { server: 'https://a', trust: {}, credentials: anonymous(), namespace: 'default' },
      { dial: () => Promise.reject(refused) },
    );
    await expect(transport.send({ method: 'GET', target: '/', headers: {} })).rejects.toMatchObject({
      code: 'NO_ROUTE',
    });
    await transport.close();
  });
});
