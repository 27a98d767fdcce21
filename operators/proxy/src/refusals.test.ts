import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mappingFrom, proxyOptionsFrom } from './config.js';
import { startProxy } from './main.js';
import { ask } from './testing/ask.js';
import {
  connectionTo,
  rawClient,
  rememberingLogger,
  sendJson,
  serveRaw,
  serveTls,
  proxyInFrontOf,
} from './testing/fixture.js';
import type { Fixture } from './testing/fixture.js';

let fixture: Fixture;
let asked = 0;
beforeAll(async () => {
  const upstream = await serveTls((_request, response) => {
    asked += 1;
    sendJson(response, {});
  });
  fixture = await proxyInFrontOf(upstream, { allowHosts: ['kube.internal'] });
});
afterAll(() => fixture.close());

const NAMESPACES = '/api/v1/namespaces';

describe('A Host header', () => {
  it.each(['localhost', 'LOCALHOST:1', '127.0.0.1', '127.0.0.1:8080', '[::1]', '[::1]:8080', 'kube.internal:80'])(
    '%s is one of ours',
    async (host) => {
      expect((await ask(`${fixture.proxy.url}${NAMESPACES}`, { headers: { host } })).status).toBe(200);
    },
  );

  it.each([
    'evil.example',
    'localhost.evil.example',
    '10.0.0.1:8080',
    'localhost@evil.example',
    '127.0.0.1.nip.io',
    '[::2]',
  ])('%s is refused, whatever is asked', async (host) => {
    const before = asked;
    const answer = await ask(`${fixture.proxy.url}/healthz`, { headers: { host } });
    expect([answer.status, JSON.parse(answer.text)]).toEqual([
      403,
      {
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        message: `the proxy is not called ${JSON.stringify(host)}: use localhost, or start it with --allow-host`,
        reason: 'Forbidden',
        code: 403,
      },
    ]);
    expect(asked).toBe(before);
  });

  it.each([
    ['is missing', `GET ${NAMESPACES} HTTP/1.1\r\n\r\n`],
    ['comes twice', `GET ${NAMESPACES} HTTP/1.1\r\nhost: localhost\r\nhost: evil.example\r\n\r\n`],
  ])('that %s is refused', async (_name, text) => {
    const client = rawClient(fixture.proxy.url, text);
    expect(await client.sees(/"code":400/)).toMatch(/must have one Host header/);
    client.socket.destroy();
  });
});

describe('A page of a browser', () => {
  it.each([
    ['http://evil.example', 403],
    ['null', 403],
    ['http://localhost:8080', 200],
  ])('of %s gets %i', async (origin, status) => {
    expect((await ask(`${fixture.proxy.url}${NAMESPACES}`, { method: 'POST', headers: { origin } })).status).toBe(
      status,
    );
  });
});

describe('A request', () => {
  it.each(['impersonate-user', 'Impersonate-Group', 'impersonate-extra-scopes', 'impersonate-uid'])(
    'with %s is refused',
    async (name) => {
      const answer = await ask(`${fixture.proxy.url}${NAMESPACES}`, { headers: { [name]: 'alice' } });
      expect([answer.status, JSON.parse(answer.text)]).toMatchObject([
        403,
        { message: expect.stringContaining(`remove the header ${name.toLowerCase()}`), reason: 'Forbidden' },
      ]);
    },
  );

  it.each([
    ['a private group', 'GET', '/apis/cluster.hypershift.openshift.io/v1beta2/machines', 404],
    ['a private group in discovery', 'GET', '/apis/cluster.hypershift.openshift.io', 404],
    ['a private group, encoded', 'GET', '/apis/cluster%2Ehypershift.openshift.io/v1beta2/machines', 404],
    ['all CRDs at once', 'DELETE', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', 403],
    ['a whole URL', 'GET', 'http://localhost/api', 400],
  ])('for %s is refused and logged', async (_name, method, target, status) => {
    const [before, lines] = [asked, fixture.lines.length];
    const client = rawClient(
      fixture.proxy.url,
      `${method} ${target} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n`,
    );
    expect(await client.sees(/"kind":"Status"[^]*"code":\d+/)).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(asked).toBe(before);
    expect(fixture.lines.slice(lines)).toMatchObject([
      { level: 'warn', message: 'Unsupported resource type', fields: { method } },
    ]);
  });

  it('to watch over a WebSocket is refused, never tunnelled', async () => {
    const before = asked;
    const client = rawClient(
      fixture.proxy.url,
      'GET /apis/cluster.x-k8s.io/v1beta2/machines?watch=true HTTP/1.1\r\nhost: localhost\r\nconnection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-key: x\r\nsec-websocket-version: 13\r\n\r\n',
    );
    expect(await client.sees(/"code":400/)).toMatch(/upgraded connections are not translated on this path/);
    expect(await client.over).toBe('ended');
    expect(asked).toBe(before);
  });

  it('whose body names a group and cannot be read is refused, and counted', async () => {
    const answer = await ask(`${fixture.proxy.url}/apis/cluster.x-k8s.io/v1beta2/namespaces/n/machines`, {
      method: 'POST',
      body: 'apiVersion: cluster.x-k8s.io/v1beta2\n\tkind: [',
      headers: { 'content-type': 'application/yaml' },
    });
    expect([answer.status, JSON.parse(answer.text)]).toMatchObject([400, { reason: 'BadRequest' }]);
    expect(fixture.lines.at(-1)).toMatchObject({
      level: 'error',
      message: 'Translation error',
      fields: { type: 'invalid-yaml' },
    });
    const metrics = await ask(`${fixture.proxy.healthUrl}/metrics`);
    expect(metrics.text).toContain('hypershift_api_proxy_translation_errors_total{error_type="invalid-yaml"} 1\n');
  });

  it('in an encoding that nobody translates is refused', async () => {
    const answer = await ask(`${fixture.proxy.url}/apis/cluster.x-k8s.io/v1beta2/namespaces/n/machines`, {
      method: 'POST',
      body: 'x',
      headers: { 'content-type': 'application/cbor' },
    });
    expect([answer.status, JSON.parse(answer.text)]).toMatchObject([415, { reason: 'UnsupportedMediaType' }]);
  });

  it('whose body must be read whole and is too large is refused', async () => {
    const answer = await ask(`${fixture.proxy.url}/apis/cluster.x-k8s.io/v1beta2/namespaces/n/machines/m`, {
      method: 'PATCH',
      body: `[${' '.repeat(3 * 1024 * 1024 + 1)}]`,
      headers: { 'content-type': 'application/json-patch+json' },
    });
    expect([answer.status, JSON.parse(answer.text)]).toMatchObject([413, { reason: 'RequestEntityTooLarge' }]);
  });

  it.each([
    ['whose head is too large', `GET / HTTP/1.1\r\nhost: localhost\r\nx: ${'x'.repeat(1_100_000)}\r\n\r\n`, 431],
    ['that is no HTTP', 'hello\r\n\r\n', 400],
    [
      'of two lengths',
      'POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n',
      400,
    ],
    ['to be a forward proxy', 'CONNECT example.com:443 HTTP/1.1\r\nhost: example.com:443\r\n\r\n', 400],
  ])('%s is refused with a Status', async (_name, text, code) => {
    const client = rawClient(fixture.proxy.url, text);
    expect(await client.sees(new RegExp(`"kind":"Status"[^]*"code":${code}`))).toMatch(
      new RegExp(`^HTTP/1.1 ${code} `),
    );
    client.socket.destroy();
  });

  it('with a long head that servers take is taken', async () => {
    const answer = await ask(`${fixture.proxy.url}${NAMESPACES}?labelSelector=${'a'.repeat(200_000)}`);
    expect(answer.status).toBe(200);
  });
});

describe('A server', () => {
  it('that does not speak HTTP is a bad gateway', async () => {
    const odd = await proxyInFrontOf(await serveRaw((socket) => socket.write('SSH-2.0-x\r\n\r\n')));
    const answer = await ask(`${odd.proxy.url}${NAMESPACES}`);
    expect([answer.status, JSON.parse(answer.text)]).toMatchObject([502, { kind: 'Status', reason: 'InternalError' }]);
    await odd.close();
  });

  it('whose certificate nobody vouches for is not spoken to', async () => {
    const upstream = await serveTls((_request, response) => sendJson(response, {}));
    const doubtful = await proxyInFrontOf(upstream, { connection: connectionTo(upstream, { trust: {} }) });
    const answer = await ask(`${doubtful.proxy.url}${NAMESPACES}`);
    expect([answer.status, answer.text]).toEqual([503, expect.stringMatching(/certificate/)]);
    await doubtful.close();
  });

  it('that does not serve a group under its private name is logged when it is asked', async () => {
    const bare = await proxyInFrontOf(
      await serveTls((_request, response) =>
        response.writeHead(404, { 'content-type': 'text/plain; charset=utf-8' }).end('404 page not found\n'),
      ),
    );
    const answer = await ask(`${bare.proxy.url}/apis/ipam.cluster.x-k8s.io/v1beta2/ipaddresses`);
    expect([answer.status, answer.text]).toEqual([404, '404 page not found\n']);
    expect(bare.lines).toMatchObject([
      {
        level: 'warn',
        message: 'Unsupported resource type',
        fields: { group: 'ipam.cluster.x-k8s.io', resource: 'ipaddresses' },
      },
    ]);
    await bare.close();
  });
});

describe('An address', () => {
  const options = (host: string): Parameters<typeof startProxy>[0] => ({
    listen: { host, port: 0 },
    connection: connectionTo(fixture.upstream),
    mapping: mappingFrom(),
    logger: rememberingLogger([]),
  });

  it.each(['0.0.0.0', '::', '10.0.0.1', 'kube.internal'])(
    '%s is not listened on unless that is meant',
    async (host) => {
      await expect(startProxy(options(host))).rejects.toThrow(
        `--listen ${host} is reached from other machines, and every client of the proxy has its permissions: listen on 127.0.0.1, or set --listen-anywhere`,
      );
    },
  );

  it('that others reach is listened on when that is meant', async () => {
    const proxy = await startProxy({ ...options('0.0.0.0'), listenAnywhere: true });
    expect((await ask(`http://127.0.0.1:${new URL(proxy.url).port}${NAMESPACES}`)).status).toBe(200);
    await proxy.close();
  });

  it.each(['localhost', '127.0.0.1', '127.1.2.3'])('%s of this machine is listened on', async (host) => {
    const proxy = await startProxy(options(host));
    expect((await ask(`${proxy.url}${NAMESPACES}`)).status).toBe(200);
    await proxy.close();
  });

  it('that is taken leaves nothing behind', async () => {
    const taken = Number(new URL(fixture.proxy.url).port);
    await expect(startProxy({ ...options('127.0.0.1'), health: { host: '127.0.0.1', port: taken } })).rejects.toThrow(
      'EADDRINUSE',
    );
    await expect(startProxy({ ...options('127.0.0.1'), listen: { host: '127.0.0.1', port: taken } })).rejects.toThrow(
      'EADDRINUSE',
    );
  });
});

describe('A command line', () => {
  const flags = { listen: '127.0.0.1:8080', healthListen: '-', responseTimeout: 1, drainTimeout: 1 };
  it.each([
    ['127.0.0.1:8080', '127.0.0.1', 8080],
    ['[::1]:0', '::1', 0],
    ['localhost:1', 'localhost', 1],
    [':9', '127.0.0.1', 9],
    ['9', '127.0.0.1', 9],
  ])('may say %s', (listen, host, port) => {
    expect(proxyOptionsFrom({ ...flags, listen })).toMatchObject({ listen: { host, port } });
    expect(proxyOptionsFrom({ ...flags, healthListen: listen })).toMatchObject({ health: { host, port } });
  });

  it.each([
    [{ listen: 'localhost' }, '"localhost" is not an address such as 127.0.0.1:8080'],
    [{ listen: '127.0.0.1:70000' }, '"127.0.0.1:70000" is not an address such as 127.0.0.1:8080'],
    [{ groupPair: ['a.example.com'] }, '"a.example.com" is not a pair of groups such as a.example.com=b.example.com'],
    [
      { groupPair: ['cluster.x-k8s.io=b.example.com'] },
      'cluster.x-k8s.io and cluster.x-k8s.io overlap: a group could have two names',
    ],
    [{ sharedGroup: ['apps.example.com'] }, 'apps.example.com is shared already: no rule renames it'],
  ])('with %j is refused', (wrong, message) => {
    expect(() => proxyOptionsFrom({ ...flags, ...wrong })).toThrow(message);
  });

  it('may name other groups, and groups that stay', () => {
    const { mapping } = proxyOptionsFrom({
      ...flags,
      groupPair: ['a.example.com=b.example.com'],
      sharedGroup: ['ipam.cluster.x-k8s.io'],
    });
    expect(['a.example.com', 'ipam.cluster.x-k8s.io', 'cluster.x-k8s.io'].map((group) => mapping.swap(group))).toEqual([
      'b.example.com',
      'ipam.cluster.x-k8s.io',
      'cluster.hypershift.openshift.io',
    ]);
  });
});
