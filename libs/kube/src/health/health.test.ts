import { afterEach, describe, expect, it } from 'vitest';
import { EndpointServer } from '../http/endpoint-server.js';
import { silentLogger } from '../runtime/logger.js';
import { HealthChecks } from './health.js';
import type { HealthCheck } from './health.js';

const bad: HealthCheck = () => Promise.reject(new Error('the disk is full'));
const good: HealthCheck = () => {};

async function ask(path: string, checks: Record<string, HealthCheck>): Promise<[number, string]> {
  const health = new HealthChecks('healthz', silentLogger());
  for (const [name, check] of Object.entries(checks)) health.add(name, check);
  const url = new URL(path, 'http://server');
  const { status, body } = await health.endpoint({
    method: 'GET',
    path: url.pathname,
    query: url.searchParams,
    contentType: '',
    body: new Uint8Array(),
    signal: new AbortController().signal,
  });
  return [status, String(body)];
}

describe('HealthChecks', () => {
  it.each<[string, Record<string, HealthCheck>, number, string]>([
    ['/healthz', {}, 200, 'ok'],
    ['/healthz?verbose', {}, 200, '[+]ping ok\nhealthz check passed\n'],
    ['/healthz', { b: good, a: good }, 200, 'ok'],
    ['/healthz?verbose=true', { b: good, a: good }, 200, '[+]a ok\n[+]b ok\nhealthz check passed\n'],
    ['/healthz', { b: bad, a: good }, 500, '[+]a ok\n[-]b failed: reason withheld\nhealthz check failed\n'],
    ['/healthz?exclude=b', { b: bad, a: good }, 200, 'ok'],
    [
      '/healthz?verbose&exclude=b&exclude=c',
      { b: bad, a: good },
      200,
      '[+]a ok\n[+]b excluded: ok\nwarn: some health checks cannot be excluded: no matches for "c"\nhealthz check passed\n',
    ],
    ['/healthz/a', { b: bad, a: good }, 200, 'ok'],
    ['/healthz/b', { b: bad, a: good }, 500, 'internal server error: the disk is full\n'],
    ['/healthz/c', { b: bad, a: good }, 404, '404 page not found\n'],
  ])('answers %s', async (path, checks, status, body) => {
    expect(await ask(path, checks)).toEqual([status, body]);
  });
});

describe('EndpointServer', () => {
  const stop = new AbortController();
  afterEach(() => stop.abort());

  it('serves paths and what is below them, refuses large bodies, and survives what throws', async () => {
    const server = new EndpointServer({ name: 'test', port: 0, logger: silentLogger(), maxBodyBytes: 10 });
    server.route('/a', ({ method, path, body }) => ({ status: 200, body: `${method} ${path} ${body.length}` }));
    server.route('/throws', () => {
      throw new Error('x');
    });
    const running = server.run(stop.signal);
    const url = await server.ready();
    const get = async (path: string, body?: string): Promise<[number, string]> => {
      const response = await fetch(url + path, body === undefined ? {} : { method: 'POST', body });
      return [response.status, await response.text()];
    };
    expect(await get('/a')).toEqual([200, 'GET /a 0']);
    expect(await get('/a/b/c', '0123456789')).toEqual([200, 'POST /a/b/c 10']);
    expect(await get('/a', '01234567890')).toEqual([413, 'request entity is too large\n']);
    expect(await get('/b')).toEqual([404, '404 page not found\n']);
    expect(await get('/throws')).toEqual([500, 'internal server error\n']);
    stop.abort();
    await running;
    await expect(fetch(`${url}/a`)).rejects.toThrow('fetch failed');
  });

  it('fails to start when its port is taken', async () => {
    const [one, abort] = [new EndpointServer({ name: 'one', port: 0, logger: silentLogger() }), new AbortController()];
    const running = one.run(abort.signal);
    const port = Number(new URL(await one.ready()).port);
    const two = new EndpointServer({ name: 'two', port, logger: silentLogger() });
    await expect(two.run(abort.signal)).rejects.toMatchObject({ code: 'EADDRINUSE' });
    await expect(two.ready()).rejects.toMatchObject({ code: 'EADDRINUSE' });
    abort.abort();
    await running;
  });
});
