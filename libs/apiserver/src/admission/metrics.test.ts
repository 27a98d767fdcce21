import { expect, it } from 'vitest';
import { Fixture } from '../crd/testing.js';
import { ManualClock } from '../testing/fixture.js';
import type { WebhookAnswer, WebhookCall } from '../webhook/call.js';

const CONFIGURATIONS = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';
const PODS = '/api/v1/namespaces/default/pods';

it('the time admission takes is counted by part and by step, whatever the operation', async () => {
  const clock = new ManualClock();
  const call = async ({ review }: WebhookCall): Promise<WebhookAnswer> => {
    clock.advance(300);
    const { request, ...kind } = review as { request: { uid: string; operation: string } };
    const allowed = request.operation !== 'CONNECT';
    const body = Buffer.from(JSON.stringify({ ...kind, response: { uid: request.uid, allowed } }));
    return { status: 200, contentType: 'application/json', body, durationMs: 300 };
  };
  const fixture = new Fixture({ webhooks: { call }, clock });
  const rules = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['*'], resources: ['pods', 'pods/exec'] }];
  const webhook = { name: 'a.example.com', clientConfig: { url: 'https://127.0.0.1:1/' }, rules };
  const made = await fixture.send('POST', CONFIGURATIONS, {
    metadata: { name: 'conf' },
    webhooks: [{ ...webhook, sideEffects: 'None', admissionReviewVersions: ['v1'] }],
  });
  expect(made.status).toBe(201);
  const spec = { containers: [{ name: 'main', image: 'x' }] };
  expect((await fixture.send('POST', PODS, { metadata: { name: 'p' }, spec })).status).toBe(201);
  expect((await fixture.send('POST', `${PODS}/p/exec?command=date`)).status).toBe(400);
  const { text } = await fixture.send('GET', '/metrics');
  const lines = text.split('\n');
  const [part, step] = ['controller', 'step'].map((each) => `apiserver_admission_${each}_admission_duration_seconds`);
  const created = 'operation="CREATE",rejected="false",type="validate"';
  const connected = 'operation="CONNECT",rejected="true",type="validate"';
  for (const line of [
    `${part}_bucket{name="ValidatingAdmissionWebhook",${created},le="0.1"} 0`,
    `${part}_bucket{name="ValidatingAdmissionWebhook",${created},le="0.5"} 1`,
    `${part}_count{name="ValidatingAdmissionWebhook",${connected}} 1`,
    `${part}_count{name="MutatingAdmissionWebhook",operation="CONNECT",rejected="false",type="admit"} 1`,
    `${step}_sum{${created}} 0.3`,
    `${step}_count{${connected}} 1`,
  ])
    expect(lines).toContain(line);
});
