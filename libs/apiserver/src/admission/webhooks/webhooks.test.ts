import { describe, expect, it } from 'vitest';
import { DEFINITIONS_PATH, Fixture, version, widgets } from '../../crd/testing.js';
import { ManualClock } from '../../testing/fixture.js';
import type { WebhookAnswer, WebhookCall, WebhookCaller } from '../../webhook/call.js';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const WEBHOOKS = '/apis/admissionregistration.k8s.io/v1';

interface Review {
  readonly apiVersion: string;
  readonly request: { readonly uid: string; readonly kind: { readonly kind: string }; readonly operation: string };
}

/** Answers every review with the scripted responses, and records the reviews. */
class Hooks implements WebhookCaller {
  readonly asked: string[] = [];
  reply: (call: WebhookCall) => object | string | Promise<object> = () => ({ allowed: true });

  async call(call: WebhookCall): Promise<WebhookAnswer> {
    const { apiVersion, request } = call.review as Review;
    this.asked.push(`${request.operation} ${request.kind.kind}`);
    const reply = await this.reply(call);
    if (typeof reply === 'string') return { error: reply, isTimeout: false, durationMs: 20 };
    const review = { kind: 'AdmissionReview', apiVersion, response: { uid: request.uid, ...reply } };
    const body = new TextEncoder().encode(JSON.stringify(review));
    return { status: 200, contentType: 'application/json', body, durationMs: 20 };
  }
}

const configMap = (name: string, data: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data,
});

async function fixtureWith(
  kind: 'Mutating' | 'Validating',
  fields: object = {},
): Promise<{ fixture: Fixture; hooks: Hooks; clock: ManualClock }> {
  const hooks = new Hooks();
  const clock = new ManualClock();
  const fixture = new Fixture({ webhooks: hooks, clock });
  const made = await fixture.send('POST', `${WEBHOOKS}/${kind.toLowerCase()}webhookconfigurations`, {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: `${kind}WebhookConfiguration`,
    metadata: { name: 'conf' },
    webhooks: [
      {
        name: 'a.example.com',
        clientConfig: { url: 'https://127.0.0.1:1/' },
        rules: [{ apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*/*'] }],
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
        ...fields,
      },
    ],
  });
  expect(made.status).toBe(201);
  return { fixture, hooks, clock };
}

async function metricLines(fixture: Fixture, name: string): Promise<string[]> {
  const { text } = await fixture.send('GET', '/metrics');
  return text.split('\n').filter((line) => line.startsWith(`apiserver_admission_${name}`));
}

describe('admission webhooks', () => {
  it('are not asked about what the server writes itself', async () => {
    const { fixture, hooks } = await fixtureWith('Validating');
    expect(hooks.asked).toEqual([]);
    await fixture.send('POST', DEFINITIONS_PATH, widgets(version()));
    // The conditions of the CRD are the server's own.
    expect(hooks.asked).toEqual(['CREATE CustomResourceDefinition']);
    expect(fixture.errors).toEqual([]);
  });

  it('leave requests synchronous that do not concern them, and those of servers without any', async () => {
    const { fixture } = await fixtureWith('Validating', { objectSelector: { matchLabels: { watched: 'yes' } } });
    const request = {
      method: 'POST',
      target: CONFIG_MAPS,
      headers: {},
      body: { type: 'value', value: configMap('a') },
    } as const;
    expect(fixture.server.handle(request)).not.toBeInstanceOf(Promise);
    expect(new Fixture().server.handle(request)).not.toBeInstanceOf(Promise);
  });

  it('are followed from configuration to configuration', async () => {
    const { fixture, hooks } = await fixtureWith('Validating');
    const at = `${WEBHOOKS}/validatingwebhookconfigurations/conf`;
    await fixture.send('POST', CONFIG_MAPS, configMap('a'));
    await fixture.send(
      'PATCH',
      at,
      [{ op: 'replace', path: '/webhooks/0/rules/0/resources', value: ['pods'] }],
      'application/json-patch+json',
    );
    await fixture.send('POST', CONFIG_MAPS, configMap('b'));
    await fixture.send('DELETE', at);
    await fixture.send('POST', CONFIG_MAPS, configMap('c'));
    expect(hooks.asked).toEqual(['CREATE ConfigMap']);
  });

  it('hold up their own request only', async () => {
    const { fixture, hooks } = await fixtureWith('Validating', { objectSelector: { matchLabels: { slow: 'yes' } } });
    let release = (): void => {};
    hooks.reply = () => new Promise((resolve) => (release = () => resolve({ allowed: true })));
    const slow = fixture.send('POST', CONFIG_MAPS, {
      ...configMap('slow'),
      metadata: { name: 'slow', labels: { slow: 'yes' } },
    });
    expect((await fixture.send('POST', CONFIG_MAPS, configMap('quick'))).status).toBe(201);
    expect((await fixture.send('GET', `${CONFIG_MAPS}/slow`)).status).toBe(404);
    release();
    expect((await slow).status).toBe(201);
  });

  it('write nothing once the time of the request is over', async () => {
    const { fixture, hooks, clock } = await fixtureWith('Validating');
    let release = (): void => {};
    hooks.reply = () => new Promise((resolve) => (release = () => resolve({ allowed: true })));
    const late = fixture.send('POST', `${CONFIG_MAPS}?timeout=3s`, configMap('late'));
    clock.advance(2_999);
    expect((await fixture.send('GET', `${CONFIG_MAPS}/late`)).status).toBe(404);
    clock.advance(1);
    expect((await late).status).toBe(504);
    release();
    await new Promise((resolve) => setImmediate(resolve));
    expect((await fixture.send('GET', `${CONFIG_MAPS}/late`)).status).toBe(404);
    expect(fixture.errors).toEqual([]);
  });

  it('are asked about what is deleted as it is at that moment', async () => {
    const { fixture, hooks } = await fixtureWith('Validating', {
      rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['DELETE'], resources: ['configmaps'] }],
    });
    await fixture.send('POST', CONFIG_MAPS, configMap('a'));
    const seen: unknown[] = [];
    hooks.reply = async ({ review }) => {
      const { oldObject } = (review as { request: { oldObject: { data: object } } }).request;
      seen.push(oldObject.data);
      if (seen.length === 1) await fixture.merge(`${CONFIG_MAPS}/a`, { data: { changed: 'yes' } });
      return { allowed: true };
    };
    await fixture.send('DELETE', `${CONFIG_MAPS}/a`);
    expect(seen).toEqual([undefined, { changed: 'yes' }]);
  });

  it('are counted as the real server counts them', async () => {
    const { fixture, hooks } = await fixtureWith('Validating');
    await fixture.send('POST', CONFIG_MAPS, configMap('a'));
    hooks.reply = () => ({ allowed: false, status: { code: 403 } });
    await fixture.send('POST', CONFIG_MAPS, configMap('b'));
    hooks.reply = () => 'nobody there';
    await fixture.send('POST', CONFIG_MAPS, configMap('c'));
    const labels = 'name="a.example.com",type="validating",operation="CREATE"';
    expect(await metricLines(fixture, 'webhook_request_total')).toEqual([
      `apiserver_admission_webhook_request_total{${labels},code="200",rejected="false"} 1`,
      `apiserver_admission_webhook_request_total{${labels},code="403",rejected="true"} 1`,
      `apiserver_admission_webhook_request_total{${labels},code="503",rejected="true"} 1`,
    ]);
    expect(await metricLines(fixture, 'webhook_rejection_count')).toEqual([
      `apiserver_admission_webhook_rejection_count{${labels},error_type="no_error",rejection_code="403"} 1`,
      `apiserver_admission_webhook_rejection_count{${labels},error_type="calling_webhook_error",rejection_code="503"} 1`,
    ]);
    expect(await metricLines(fixture, 'webhook_admission_duration_seconds_bucket')).toContain(
      `apiserver_admission_webhook_admission_duration_seconds_bucket{${labels},rejected="true",le="0.025"} 2`,
    );
  });

  it('that may be missed are counted when they are', async () => {
    const { fixture, hooks } = await fixtureWith('Mutating', { failurePolicy: 'Ignore' });
    hooks.reply = () => 'nobody there';
    expect((await fixture.send('POST', CONFIG_MAPS, configMap('a'))).status).toBe(201);
    expect(await metricLines(fixture, 'webhook_fail_open_count')).toEqual([
      'apiserver_admission_webhook_fail_open_count{name="a.example.com",type="admit"} 1',
    ]);
    expect(await metricLines(fixture, 'webhook_rejection_count')).toEqual([]);
  });

  it('count whom conditions kept away, and conditions that went wrong', async () => {
    const { fixture, hooks } = await fixtureWith('Validating', {
      matchConditions: [{ name: 'a', expression: "object.data.a == 'yes'" }],
    });
    await fixture.send('POST', CONFIG_MAPS, configMap('a', { a: 'no' }));
    const refused = await fixture.send('POST', CONFIG_MAPS, configMap('b', {}));
    expect(refused.status).toBe(403);
    const labels = 'name="a.example.com",kind="webhook",type="validating",operation="CREATE"';
    expect(await metricLines(fixture, 'match_condition')).toEqual([
      `apiserver_admission_match_condition_exclusions_total{${labels}} 1`,
      `apiserver_admission_match_condition_evaluation_errors_total{${labels}} 1`,
    ]);
    expect(hooks.asked).toEqual([]);
  });

  it('find nobody where the server was given no way to call them', async () => {
    const fixture = new Fixture();
    await fixture.send('POST', `${WEBHOOKS}/validatingwebhookconfigurations`, {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingWebhookConfiguration',
      metadata: { name: 'conf' },
      webhooks: [
        {
          name: 'a.example.com',
          clientConfig: { url: 'https://127.0.0.1:1/' },
          rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }],
          sideEffects: 'None',
          admissionReviewVersions: ['v1'],
        },
      ],
    });
    const { status, body } = await fixture.send('POST', CONFIG_MAPS, configMap('a'));
    expect([status, body.message]).toEqual([
      500,
      'Internal error occurred: failed calling webhook "a.example.com": failed to call webhook: this server calls no webhooks',
    ]);
  });
});
