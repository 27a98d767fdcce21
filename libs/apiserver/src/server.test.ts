import { Buffer } from 'node:buffer';
import type { ApiResponse, Clock, Random } from '@capstan/meta';
import { describe, expect, it } from 'vitest';
import { ConnectionLost } from './faults/faults.js';
import { ApiServer, type ApiServerOptions } from './server.js';
import { tokenAuthenticator } from './auth/access.js';
import { ManualClock, countingRandom } from './testing/fixture.js';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';

interface Sent {
  readonly status: number;
  readonly headers: ApiResponse['headers'];
  readonly text: string;
  readonly json: () => Record<string, unknown>;
}

class Fixture {
  readonly clock: Clock & ManualClock = new ManualClock();
  readonly random: Random = countingRandom();
  readonly server: ApiServer;

  constructor(options: Partial<ApiServerOptions> = {}) {
    this.server = new ApiServer({ clock: this.clock, random: this.random, ...options });
  }

  async send(method: string, target: string, body?: unknown, headers: Record<string, string> = {}): Promise<Sent> {
    const bytes = body === undefined ? undefined : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
    const response = await this.server.send({
      method,
      target,
      headers: { 'content-type': 'application/json', ...headers },
      body: bytes === undefined ? undefined : { type: 'bytes', bytes },
    });
    const text = response.body.type === 'payload' ? Buffer.concat(response.body.chunks()).toString() : '';
    return {
      status: response.status,
      headers: response.headers,
      text,
      json: () => JSON.parse(text) as Record<string, unknown>,
    };
  }
}

describe('the server as a function', () => {
  it('answers without waiting when nothing has to be waited for', () => {
    const { server } = new Fixture();
    expect(server.handle({ method: 'GET', target: '/api/v1/namespaces/default', headers: {} })).not.toBeInstanceOf(
      Promise,
    );
  });

  it('gives the same answers for the same time and chance', async () => {
    const run = async (): Promise<string> => {
      const fixture = new Fixture();
      const created = await fixture.send('POST', CONFIG_MAPS, { metadata: { generateName: 'a-' } });
      return created.text;
    };
    expect(await run()).toBe(await run());
  });

  it('hands out frozen values in process', () => {
    const { server } = new Fixture();
    const response = server.handle({ method: 'GET', target: '/api/v1/namespaces/default', headers: {} }) as ApiResponse;
    const value =
      response.body.type === 'payload' ? (response.body.value() as { metadata: { labels: object } }) : undefined;
    expect(Object.isFrozen(value?.metadata.labels)).toBe(true);
  });

  it('reads and writes YAML', async () => {
    const fixture = new Fixture();
    const yaml = 'metadata:\n  name: doc\ndata:\n  answer: "yes"\n';
    const created = await fixture.send('POST', CONFIG_MAPS, yaml, { 'content-type': 'application/yaml' });
    expect(created.status).toBe(201);
    const got = await fixture.send('GET', `${CONFIG_MAPS}/doc`, undefined, { accept: 'application/yaml' });
    expect(got.headers['content-type']).toBe('application/yaml');
    expect(got.text).toMatch(/^apiVersion: v1\ndata:\n  answer: "yes"\nkind: ConfigMap\n/);
  });

  it('prints for human eyes when asked to, or when curl asks', async () => {
    const fixture = new Fixture();
    const plain = await fixture.send('GET', '/api/v1/namespaces/default');
    const asked = await fixture.send('GET', '/api/v1/namespaces/default?pretty=true');
    const curl = await fixture.send('GET', '/api/v1/namespaces/default', undefined, { 'user-agent': 'curl/8.1' });
    expect(plain.text).not.toContain('\n');
    expect(asked.text).toBe(curl.text);
    expect(asked.text).toContain('\n  "kind": "Namespace"');
  });
});

describe('faults at the edge', () => {
  it('answer 429 with Retry-After for as long as they are armed, then requests go through', async () => {
    const fixture = new Fixture();
    fixture.server.faults.add({
      match: { resource: 'configmaps' },
      action: { type: 'status', code: 429, retryAfterSeconds: 2 },
      times: 1,
    });
    const struck = await fixture.send('GET', CONFIG_MAPS);
    expect([struck.status, struck.headers['retry-after'], struck.json()['reason']]).toEqual([
      429,
      '2',
      'TooManyRequests',
    ]);
    expect((await fixture.send('GET', CONFIG_MAPS)).status).toBe(200);
  });

  it.each(['drop-before', 'drop-after'] as const)(
    'lose the connection with %s, and only drop-after has taken effect',
    async (type) => {
      const fixture = new Fixture();
      fixture.server.faults.add({ match: { verb: 'create' }, action: { type } });
      await expect(fixture.send('POST', CONFIG_MAPS, { metadata: { name: 'x' } })).rejects.toThrow(ConnectionLost);
      expect((await fixture.send('GET', `${CONFIG_MAPS}/x`)).status).toBe(type === 'drop-after' ? 200 : 404);
    },
  );

  it('can be armed over the wire only where the server allows it', async () => {
    const fault = { match: { verb: 'list' }, action: { type: 'status', code: 503 } };
    expect((await new Fixture().send('POST', '/debug/faults', fault)).status).toBe(404);
    const fixture = new Fixture({ faultsEndpoint: true });
    expect((await fixture.send('POST', '/debug/faults', fault)).status).toBe(201);
    expect((await fixture.send('GET', CONFIG_MAPS)).status).toBe(503);
    expect((await fixture.send('GET', CONFIG_MAPS)).status).toBe(200);
  });

  it('that make no sense are refused with what to send instead', async () => {
    const fixture = new Fixture({ faultsEndpoint: true });
    const refused = await fixture.send('POST', '/debug/faults', { action: { type: 'explode' } });
    expect(refused.status).toBe(400);
    expect(refused.json()['message']).toMatch(
      /^not a fault: action\.type must be one of status, delay, drop-before, drop-after; send /,
    );
  });
});

describe('the state', () => {
  it('comes back byte for byte from a snapshot, with revisions', async () => {
    const fixture = new Fixture();
    await fixture.send('POST', CONFIG_MAPS, { metadata: { name: 'big' }, data: { __proto__x: 'y' } });
    await fixture.send(
      'PATCH',
      `${CONFIG_MAPS}/big`,
      { data: { k: 'v' } },
      { 'content-type': 'application/merge-patch+json' },
    );
    const copy = JSON.parse(JSON.stringify(fixture.server.snapshot())) as ReturnType<ApiServer['snapshot']>;
    const restored = new Fixture({ snapshot: copy });
    const before = await fixture.send('GET', '/api/v1/configmaps');
    const after = await restored.send('GET', '/api/v1/configmaps');
    expect(after.text).toBe(before.text);
    expect((await restored.send('GET', '/api/v1/services')).text).toBe(
      (await fixture.send('GET', '/api/v1/services')).text,
    );
  });

  it('of a fork goes its own way', async () => {
    const fixture = new Fixture();
    const fork = fixture.server.store.fork();
    await fixture.send('POST', CONFIG_MAPS, { metadata: { name: 'later' } });
    expect(fork.get('/configmaps', 'default', 'later')).toBeUndefined();
    expect(fixture.server.store.get('/configmaps', 'default', 'later')).toBeDefined();
  });
});

describe('who may come in', () => {
  const authenticate = tokenAuthenticator(new Map([['secret', { username: 'admin', groups: ['system:masters'] }]]));

  it.each([
    ['a known token', { authorization: 'Bearer secret' }, '/api/v1/pods', 200, ''],
    ['an unknown token', { authorization: 'Bearer other' }, '/api/v1/pods', 401, 'Unauthorized'],
    [
      'no token',
      {},
      '/api/v1/pods',
      403,
      'pods is forbidden: User "system:anonymous" cannot list resource "pods" in API group "" at the cluster scope',
    ],
    ['no token on a path', {}, '/metrics', 403, 'forbidden: User "system:anonymous" cannot get path "/metrics"'],
    ['no token asking for health', {}, '/readyz', 200, ''],
    [
      'a token in another scheme',
      { authorization: 'Basic secret' },
      '/api/v1/pods',
      403,
      'pods is forbidden: User "system:anonymous" cannot list resource "pods" in API group "" at the cluster scope',
    ],
  ])('%s', async (_name, headers, target, status, message) => {
    const answer = await new Fixture({ authenticate }).send('GET', target, undefined, headers);
    expect(answer.status).toBe(status);
    if (message !== '') expect(answer.json()['message']).toBe(message);
  });

  it.each([
    [
      'an administrator impersonates a user without permissions',
      'Bearer secret',
      { 'impersonate-user': 'bob' },
      403,
      'pods is forbidden: User "bob" cannot list resource "pods" in API group "" at the cluster scope',
    ],
    [
      'an administrator stands in for another',
      'Bearer secret',
      { 'impersonate-user': 'eve', 'impersonate-group': 'system:masters' },
      200,
      '',
    ],
    [
      'a group is named without a user',
      'Bearer secret',
      { 'impersonate-group': 'g' },
      400,
      'requested &user.DefaultInfo{Name:"", UID:"", Groups:[]string{"g"}, Extra:map[string][]string(nil)} without impersonating a user name',
    ],
    [
      'nobody in particular stands in for an administrator',
      '',
      { 'impersonate-user': 'admin', 'impersonate-group': 'system:masters' },
      403,
      'pods is forbidden: User "system:anonymous" cannot impersonate-on:user-info:list resource "pods" in API group "" at the cluster scope',
    ],
  ])('when %s', async (_name, authorization, headers, status, message) => {
    const answer = await new Fixture({ authenticate }).send('GET', '/api/v1/pods', undefined, {
      authorization,
      ...headers,
    });
    expect(answer.status).toBe(status);
    if (message !== '') expect(answer.json()['message']).toBe(message);
  });
});
