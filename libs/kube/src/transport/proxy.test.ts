import { afterEach, describe, expect, it } from 'vitest';
import { createCa } from '../certs/certificates.js';
import type { Connection } from '../config/connection.js';
import { anonymous } from '../config/credentials.js';
import { HttpTransport } from './http.js';
import { openSocks5 } from './socks5.js';
import { listenConnectProxy, listenHttp, listenSocksProxy } from './testing/proxies.js';
import type { Listening, SocksBehaviour } from './testing/proxies.js';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

async function kept(opening: Promise<Listening>): Promise<number> {
  const listening = await opening;
  closers.push(() => listening.close());
  return listening.port;
}

const ca = createCa({ commonName: 'ca' });
const pair = ca.issueServing({ commonName: 'server', ipAddresses: ['127.0.0.1'], dnsNames: ['api.test'] });

/** A server that answers with what was asked, and sends one event to who watches. */
function server(tls: boolean): Promise<number> {
  return kept(
    listenHttp(
      (request, response) => {
        response.setHeader('content-type', 'application/json');
        if (request.url?.includes('watch=') === true)
          response.write('{"type":"ADDED","object":{"metadata":{"name":"a"}}}\n');
        else response.end(JSON.stringify({ url: request.url }));
      },
      tls ? pair : undefined,
    ),
  );
}

function through(proxyUrl: string, to: string, more: Partial<Connection['trust']> = {}): HttpTransport {
  const transport = new HttpTransport({
    server: to,
    trust: { caPem: ca.certPem, ...more },
    proxyUrl,
    credentials: anonymous(),
    namespace: 'default',
  });
  closers.push(() => transport.close());
  return transport;
}

const get = (target: string) => ({ method: 'GET', target, headers: {} }) as const;

async function answered(transport: HttpTransport): Promise<unknown> {
  const { body } = await transport.send(get('/api/v1/pods'));
  return body.type === 'payload' && body.value();
}

async function firstEvent(transport: HttpTransport): Promise<string> {
  const { body } = await transport.send(get('/api/v1/pods?watch=true'));
  if (body.type !== 'watch') throw new Error('expected a watch');
  const event = await new Promise<string>((resolve) =>
    body.start({ frame: ({ type }) => resolve(type), end: () => resolve('ended') }),
  );
  body.stop();
  return event;
}

describe('a proxy asked by CONNECT', () => {
  it.each([
    ['http', true],
    ['http', false],
    ['https', true],
    ['https', false],
  ] as const)('over %s carries requests and watches; TLS to the server: %s', async (scheme, tls) => {
    const asked: unknown[] = [];
    const port = await server(tls);
    const proxy = await kept(listenConnectProxy(asked, scheme === 'https' ? pair : undefined));
    const to = `http${tls ? 's' : ''}://127.0.0.1:${port}`;
    const transport = through(`${scheme}://me:secret@127.0.0.1:${proxy}`, to);
    expect(await answered(transport)).toEqual({ url: '/api/v1/pods' });
    expect(await firstEvent(transport)).toBe('ADDED');
    expect(asked[0]).toEqual([`127.0.0.1:${port}`, `Basic ${Buffer.from('me:secret').toString('base64')}`]);
  });

  it('over TLS that nobody vouches for is not used', async () => {
    const port = await server(true);
    const proxy = await kept(
      listenConnectProxy(
        [],
        createCa({ commonName: 'x' }).issueServing({ commonName: 'x', ipAddresses: ['127.0.0.1'] }),
      ),
    );
    const transport = through(`https://127.0.0.1:${proxy}`, `https://127.0.0.1:${port}`);
    await expect(answered(transport)).rejects.toMatchObject({ mayHaveReachedServer: false });
    const careless = through(`https://127.0.0.1:${proxy}`, `https://127.0.0.1:${port}`, {
      insecureSkipVerify: true,
    });
    expect(await answered(careless)).toEqual({ url: '/api/v1/pods' });
  });
});

describe('a SOCKS5 proxy', () => {
  it.each<[string, SocksBehaviour, boolean]>([
    ['without user', {}, true],
    ['to a server without TLS', {}, false],
    ['that asks for a user', { user: ['me', 'se:cret'] }, true],
    ['that answers byte by byte', { user: ['me', 'se:cret'], isSlow: true }, true],
    ['that is bound to a name', { bound: 'name' }, true],
    ['that is bound to an IPv6 address', { bound: 'ipv6', isSlow: true }, true],
  ])('%s carries requests and watches', async (_name, behaviour, tls) => {
    const asked: unknown[] = [];
    const port = await server(tls);
    const proxy = await kept(listenSocksProxy(asked, behaviour));
    const transport = through(`socks5://me:se%3Acret@127.0.0.1:${proxy}`, `http${tls ? 's' : ''}://127.0.0.1:${port}`);
    expect(await answered(transport)).toEqual({ url: '/api/v1/pods' });
    expect(await firstEvent(transport)).toBe('ADDED');
    const login = behaviour.user === undefined ? [] : [['me', 'se:cret']];
    expect(asked.slice(0, 2 + login.length)).toEqual([[5, 2, 0, 2], ...login, `address 127.0.0.1:${port}`]);
  });

  it('resolves names, and the server still proves the name that was asked for', async () => {
    const asked: unknown[] = [];
    const port = await server(true);
    const proxy = await kept(
      listenSocksProxy(asked, { names: { 'api.test': '127.0.0.1', 'other.test': '127.0.0.1' } }),
    );
    expect(await answered(through(`socks5://127.0.0.1:${proxy}`, `https://api.test:${port}`))).toBeTruthy();
    expect(asked).toEqual([[5, 1, 0], `name api.test:${port}`]);
    await expect(answered(through(`socks5://127.0.0.1:${proxy}`, `https://other.test:${port}`))).rejects.toMatchObject({
      code: 'ERR_TLS_CERT_ALTNAME_INVALID',
    });
    const named = through(`socks5://127.0.0.1:${proxy}`, `https://other.test:${port}`, { serverName: 'api.test' });
    expect(await answered(named)).toBeTruthy();
  });

  it('receives an IPv6 address in its sixteen bytes', async () => {
    const asked: unknown[] = [];
    const proxy = await kept(listenSocksProxy(asked, { refuse: 4 }));
    const url = new URL(`socks5://127.0.0.1:${proxy}`);
    await expect(openSocks5(url, { host: '[fd00::1:2]', port: 258 }, 1000)).rejects.toThrow('host unreachable');
    expect(asked[1]).toBe('address 253.0.0.0.0.0.0.0.0.0.0.0.0.1.0.2:258');
  });

  it.each<[string, SocksBehaviour, string, string]>([
    ['refuses the connection', { refuse: 2 }, '', 'the SOCKS5 proxy: 127.0.0.1:9: connection not allowed by ruleset'],
    ['refuses in unknown words', { refuse: 77 }, '', 'the SOCKS5 proxy: 127.0.0.1:9: answer 77'],
    [
      'wants a user and there is none',
      { user: ['a', 'b'] },
      '',
      'the SOCKS5 proxy: it accepts no way of authentication that we have',
    ],
    ['does not believe the user', { user: ['a', 'b'] }, 'a:c@', 'the SOCKS5 proxy: it refused user name and password'],
    [
      'accepts no way at all',
      { greeting: [5, 255] },
      'a:c@',
      'the SOCKS5 proxy: it accepts no way of authentication that we have',
    ],
    ['speaks HTTP', { greeting: [...Buffer.from('HTTP/1.1 400')] }, '', 'the SOCKS5 proxy: it does not speak SOCKS5'],
  ])('that %s is an error nobody was reached by', async (_name, behaviour, user, message) => {
    const proxy = await kept(listenSocksProxy([], behaviour));
    const error: unknown = await answered(through(`socks5://${user}127.0.0.1:${proxy}`, 'https://127.0.0.1:9')).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toMatchObject({ message, code: 'ESOCKS', mayHaveReachedServer: false });
  });

  it('that is absent or answers nothing is an error', async () => {
    const silent = await kept(listenSocksProxy([], { greeting: [] }));
    await expect(openSocks5(new URL(`socks5://127.0.0.1:${silent}`), { host: 'a', port: 1 }, 50)).rejects.toMatchObject(
      { code: 'ESOCKS', message: 'the SOCKS5 proxy: no answer within 0.05 s' },
    );
    await expect(answered(through('socks5://127.0.0.1:1', 'https://127.0.0.1:9'))).rejects.toMatchObject({
      code: 'ECONNREFUSED',
      mayHaveReachedServer: false,
    });
  });
});
