import { Counter } from '@capstan/meta';
import { beforeEach, describe, expect, it } from 'vitest';
import { AccessFixture } from '../auth/testing.js';
import type { AuditEvent, AuditPolicy } from './index.js';

const MAPS = '/api/v1/namespaces/default/configmaps';
const object = { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'a' }, data: { x: 'y' } };
const admin = { username: 'admin', groups: ['system:masters', 'system:authenticated'] };
const allowed = { 'authorization.k8s.io/decision': 'allow', 'authorization.k8s.io/reason': '' };

describe('the audit log', () => {
  let events: AuditEvent[];
  const fixtureWith = (policy?: AuditPolicy): AccessFixture => {
    events = [];
    const sink = (event: AuditEvent): boolean => events.push(event) > 0;
    return new AccessFixture({ audit: policy === undefined ? { sink } : { sink, policy } });
  };
  const everything: AuditPolicy = { rules: [{ level: 'RequestResponse' }] };
  let fixture: AccessFixture;

  beforeEach(() => {
    fixture = fixtureWith();
  });

  it('records for every write who did what to which object and how it ended', async () => {
    await fixture.send('admin', 'POST', MAPS, { body: object, headers: { 'user-agent': 'tester' } });
    await fixture.send('admin', 'POST', MAPS, { body: object });
    expect(events).toHaveLength(2);
    expect(events[0]).toEqual({
      kind: 'Event',
      apiVersion: 'audit.k8s.io/v1',
      level: 'Metadata',
      auditID: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      stage: 'ResponseComplete',
      requestURI: MAPS,
      verb: 'create',
      user: admin,
      userAgent: 'tester',
      objectRef: { resource: 'configmaps', namespace: 'default', name: 'a', apiVersion: 'v1' },
      responseStatus: { metadata: {}, code: 201 },
      requestReceivedTimestamp: '2026-01-01T00:00:00.000000Z',
      stageTimestamp: '2026-01-01T00:00:00.000000Z',
      annotations: allowed,
    });
    expect(events[1]?.responseStatus).toEqual({
      metadata: {},
      status: 'Failure',
      message: 'configmaps "a" already exists',
      reason: 'AlreadyExists',
      details: { name: 'a', kind: 'configmaps' },
      code: 409,
    });
  });

  it('carries the id that the answer carries', async () => {
    const response = await fixture.server.send({
      method: 'GET',
      target: '/version',
      headers: { authorization: 'Bearer admin' },
    });
    expect(events.map(({ auditID }) => auditID)).toEqual([response.headers['audit-id']]);
  });

  it('shows what was sent and answered where the policy wants it, as it was sent', async () => {
    fixture = fixtureWith(everything);
    await fixture.send('admin', 'POST', MAPS, { body: object });
    await fixture.send('admin', 'PATCH', `${MAPS}/a`, {
      body: { data: { x: 'z' } },
      headers: { 'content-type': 'application/merge-patch+json' },
    });
    await fixture.send('admin', 'DELETE', `${MAPS}/a`, {
      body: { kind: 'DeleteOptions', apiVersion: 'v1', gracePeriodSeconds: 0 },
    });
    const [, created, , patched, , removed] = events;
    expect(events.map(({ stage }) => stage)).toEqual([
      'RequestReceived',
      'ResponseComplete',
      'RequestReceived',
      'ResponseComplete',
      'RequestReceived',
      'ResponseComplete',
    ]);
    expect(created?.requestObject).toEqual(object);
    expect(created?.responseObject).toMatchObject({ ...object, metadata: { name: 'a', namespace: 'default' } });
    expect(patched?.requestObject).toEqual({ data: { x: 'z' } });
    expect(patched?.responseObject).toMatchObject({ data: { x: 'z' } });
    expect(removed?.requestObject).toEqual({ kind: 'DeleteOptions', apiVersion: 'v1', gracePeriodSeconds: 0 });
    expect(removed?.responseStatus).toMatchObject({ status: 'Success', code: 200, details: { name: 'a' } });
  });

  it('shows evictions and bindings as they were sent', async () => {
    fixture = fixtureWith(everything);
    const pods = '/api/v1/namespaces/default/pods';
    await fixture.send('admin', 'POST', pods, {
      body: { metadata: { name: 'p' }, spec: { containers: [{ name: 'main', image: 'x' }] } },
    });
    const target = { kind: 'Node', name: 'n' };
    const binding = { kind: 'Binding', apiVersion: 'v1', metadata: { name: 'p' }, target };
    await fixture.send('admin', 'POST', `${pods}/p/binding`, { body: binding });
    const eviction = { kind: 'Eviction', apiVersion: 'policy/v1', metadata: { name: 'p' } };
    await fixture.send('admin', 'POST', `${pods}/p/eviction`, { body: eviction });
    const done = events.filter(({ stage }) => stage === 'ResponseComplete').slice(1);
    expect(done.map(({ requestObject }) => requestObject)).toEqual([binding, eviction]);
    expect(done.map(({ objectRef }) => objectRef)).toMatchObject([
      { resource: 'pods', name: 'p', subresource: 'binding' },
      { resource: 'pods', name: 'p', subresource: 'eviction' },
    ]);
    expect(done.map(({ responseStatus }) => responseStatus?.code)).toEqual([201, 201]);
  });

  it('leaves out field managers where the policy omits them', async () => {
    fixture = fixtureWith({ ...everything, omitManagedFields: true });
    await fixture.send('admin', 'POST', MAPS, { body: object });
    await fixture.send('admin', 'GET', MAPS);
    expect(JSON.stringify(events)).not.toContain('managedFields');
    expect(JSON.stringify(events.at(-1)?.responseObject)).toContain('"x":"y"');
  });

  it('records forbidden requests, with the impersonated user', async () => {
    await fixture.send('alice', 'GET', `${MAPS}/a`);
    await fixture.send('admin', 'GET', `${MAPS}/a`, { headers: { 'impersonate-user': 'bob' } });
    expect(events.map(({ user }) => user.username)).toEqual(['alice', 'admin']);
    expect(events.map(({ responseStatus }) => responseStatus?.code)).toEqual([403, 403]);
    expect(events.map(({ annotations }) => annotations?.['authorization.k8s.io/decision'])).toEqual([
      'forbid',
      'forbid',
    ]);
    expect(events[1]?.impersonatedUser).toEqual({ username: 'bob', groups: ['system:authenticated'] });
  });

  it('names the binding that allowed the request', async () => {
    await fixture.given('/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
      metadata: { name: 'devs-view' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: 'devs' }],
    });
    await fixture.send('alice', 'GET', MAPS);
    expect(events.at(-1)?.annotations).toEqual({
      'authorization.k8s.io/decision': 'allow',
      'authorization.k8s.io/reason':
        'RBAC: allowed by ClusterRoleBinding "devs-view" of ClusterRole "cluster-admin" to Group "devs"',
    });
  });

  it('records requests with invalid credentials', async () => {
    await fixture.send('nobody', 'GET', MAPS);
    expect(events).toHaveLength(1);
    expect(events[0]).toMatchObject({
      stage: 'ResponseStarted',
      user: {},
      responseStatus: { code: 401, message: 'Authentication failed, attempted: bearer' },
    });
  });

  it('has two lines for a watch: when it begins and when it ends', async () => {
    const response = await fixture.server.send({
      method: 'GET',
      target: `${MAPS}?watch=true&timeoutSeconds=5`,
      headers: { authorization: 'Bearer admin' },
    });
    expect(events.map(({ stage }) => stage)).toEqual(['ResponseStarted']);
    if (response.body.type !== 'watch') throw new Error('no watch');
    response.body.start({ frame: () => {}, end: () => {} });
    fixture.clock.advance(6000);
    response.body.stop();
    expect(events.map(({ stage, responseStatus }) => [stage, responseStatus?.code])).toEqual([
      ['ResponseStarted', 200],
      ['ResponseComplete', 200],
    ]);
  });

  it('that must be written refuses requests it cannot record, before they are looked at', async () => {
    const seen: string[] = [];
    const errors = new Counter('apiserver_audit_error_total', 'Lost.', ['plugin']);
    errors.add(['log']);
    const sink = ({ stage }: AuditEvent): boolean => {
      seen.push(stage);
      return false;
    };
    fixture = new AccessFixture({ audit: { sink, policy: everything, metrics: [errors] } });
    const answer = await fixture.server.send({
      method: 'GET',
      target: `${MAPS}?a=<b>&c`,
      headers: { authorization: 'Bearer admin' },
    });
    const text = answer.body.type === 'payload' ? Buffer.concat(answer.body.chunks()).toString() : '';
    expect([answer.status, answer.headers['content-type'], text, seen]).toEqual([
      500,
      'text/plain; charset=utf-8',
      `Internal Server Error: "${MAPS}?a=&lt;b&gt;&amp;c": failed to store audit event\n`,
      ['RequestReceived'],
    ]);
    const lines = fixture.server.metrics.render().split('\n');
    expect(lines.filter((line) => line.startsWith('apiserver_audit'))).toEqual([
      'apiserver_audit_event_total 1',
      'apiserver_audit_level_total{level="RequestResponse"} 1',
      'apiserver_audit_requests_rejected_total 1',
      'apiserver_audit_error_total{plugin="log"} 1',
    ]);
  });

  it('names the forwarders and the sender', async () => {
    await fixture.server.send({
      method: 'GET',
      target: '/version',
      headers: { 'x-forwarded-for': '10.1.1.1, 10.1.1.2', 'x-real-ip': '10.1.1.1' },
      remoteAddress: '127.0.0.1',
    });
    expect(events[0]?.sourceIPs).toEqual(['10.1.1.1', '10.1.1.2', '127.0.0.1']);
  });
});
