import type { JsonObject } from '@capstan/meta';
import { describe, expect, it } from 'vitest';
import { DEFINITIONS_PATH, GROUP, widget, widgetsPath } from './testing.js';
import { FAILED_V1, FAILED_V2, convertedWidgets, establishedWidgets, type SentReview } from './testing-converter.js';

const APPLY = 'application/apply-patch+yaml';

describe('conversion by webhook', () => {
  it('sends what is stored, without its revision, and shows what comes back', async () => {
    const { fixture, converter } = await establishedWidgets();
    const made = await fixture.send('POST', widgetsPath(), widget('a', { address: 'x:1' }));
    expect([made.status, converter.reviews]).toEqual([201, []]);
    const { status, body } = await fixture.send('GET', `${widgetsPath('v2')}/a`);
    expect([status, body.apiVersion, body.spec]).toEqual([200, `${GROUP}/v2`, { host: 'x', port: '1' }]);
    expect(body.metadata).toEqual(made.body.metadata);
    const [review] = converter.reviews as [SentReview];
    expect(Object.keys(review)).toEqual(['kind', 'apiVersion', 'request', 'response']);
    expect(review).toEqual({
      kind: 'ConversionReview',
      apiVersion: 'apiextensions.k8s.io/v1',
      request: {
        uid: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
        desiredAPIVersion: `${GROUP}/v2`,
        objects: [expect.objectContaining({ apiVersion: `${GROUP}/v1`, spec: { address: 'x:1' } })],
      },
      response: { uid: '', convertedObjects: null, result: { metadata: {} } },
    });
    expect(review.request.objects[0]?.metadata).not.toHaveProperty('resourceVersion');
    expect(converter.calls[0]).toMatchObject({
      client: { url: 'https://convert.example/path' },
      timeoutMs: 30_000,
      sendsTimeout: true,
    });
  });

  it('stores what comes back', async () => {
    const { fixture, converter } = await establishedWidgets();
    const made = await fixture.send('POST', widgetsPath('v2'), widget('a', { host: 'x', port: '1' }, 'v2'));
    expect([made.status, made.body.spec]).toEqual([201, { host: 'x', port: '1' }]);
    expect(converter.reviews.map(({ request }) => request.desiredAPIVersion)).toEqual([`${GROUP}/v1`, `${GROUP}/v2`]);
    expect((await fixture.send('GET', `${widgetsPath()}/a`)).body.spec).toEqual({ address: 'x:1' });
    const dry = await fixture.send('POST', `${widgetsPath('v2')}?dryRun=All`, widget('b', { host: 'y' }, 'v2'));
    expect(dry.body.spec).toEqual({ host: 'y', port: '' });
    expect((await fixture.send('GET', `${widgetsPath()}/b`)).status).toBe(404);
  });

  it('asks again for every answer', async () => {
    const { fixture, converter } = await establishedWidgets();
    await fixture.send('POST', widgetsPath(), widget('a', { address: 'x:1' }));
    await fixture.send('GET', `${widgetsPath('v2')}/a`);
    converter.lie = (good) => {
      for (const each of good.response.convertedObjects) each['spec'] = { host: 'other' };
      return good;
    };
    expect((await fixture.send('GET', `${widgetsPath('v2')}/a`)).body.spec).toEqual({ host: 'other' });
    expect((await fixture.send('GET', widgetsPath('v2'))).body.items?.[0]?.['spec']).toEqual({ host: 'other' });
  });

  it('speaks the first version of the review it knows', async () => {
    const { fixture, converter } = await establishedWidgets(convertedWidgets('v1', ['v1beta2', 'v1beta1', 'v1']));
    await fixture.send('POST', widgetsPath(), widget('a', { address: 'x:1' }));
    // The older version is not asked whom it answers.
    converter.lie = ({ response }) => ({ response: { ...response, uid: 'another' } });
    expect((await fixture.send('GET', `${widgetsPath('v2')}/a`)).status).toBe(200);
    expect(converter.reviews[0]?.apiVersion).toBe('apiextensions.k8s.io/v1beta1');
  });

  it('sends what needs it of a list in one review for each version', async () => {
    const { fixture, converter } = await establishedWidgets();
    for (const name of ['a', 'b']) await fixture.send('POST', widgetsPath(), widget(name, { address: `${name}:1` }));
    const switched = convertedWidgets('v2');
    await fixture.merge(`${DEFINITIONS_PATH}/widgets.${GROUP}`, { spec: switched['spec'] as JsonObject });
    await fixture.send('POST', widgetsPath('v2'), widget('c', { host: 'c', port: '1' }, 'v2'));
    converter.reviews.length = 0;
    const { body } = await fixture.send('GET', widgetsPath('v2'));
    expect(body.items?.map((item) => item['spec'])).toEqual(['a', 'b', 'c'].map((host) => ({ host, port: '1' })));
    expect(converter.reviews.map(({ request }) => request.objects.map(({ metadata }) => metadata.name))).toEqual([
      ['a', 'b'],
    ]);
    expect((await fixture.send('GET', widgetsPath())).body.items?.map((item) => item['spec'])).toEqual(
      ['a', 'b', 'c'].map((host) => ({ address: `${host}:1` })),
    );
    const stored = (await fixture.send('GET', `${DEFINITIONS_PATH}/widgets.${GROUP}`)).body['status'] as JsonObject;
    expect(stored['storedVersions']).toEqual(['v1', 'v2']);
  });

  it('selects by the converted object, page by page', async () => {
    const { fixture } = await establishedWidgets();
    for (const name of ['a', 'b', 'c', 'd'])
      await fixture.send('POST', widgetsPath(), widget(name, { address: `${name < 'c' ? 'x' : 'y'}:${name}` }));
    const names = async (query: string): Promise<unknown[]> => {
      const { body } = await fixture.send('GET', `${widgetsPath('v2')}?${query}`);
      return [body.items?.map(({ metadata }) => metadata.name), Boolean((body.metadata as JsonObject)['continue'])];
    };
    expect(await names('fieldSelector=spec.host%3Dy')).toEqual([['c', 'd'], false]);
    expect(await names('fieldSelector=spec.host%3Dy&limit=1')).toEqual([['c'], true]);
    expect(await names('fieldSelector=spec.host%3Dx,metadata.name%3Db')).toEqual([['b'], false]);
    const first = await fixture.send('GET', `${widgetsPath('v2')}?fieldSelector=spec.host%3Dy&limit=1`);
    const token = (first.body.metadata as JsonObject)['continue'] as string;
    expect(await names(`fieldSelector=spec.host%3Dy&limit=1&continue=${token}`)).toEqual([['d'], false]);
    await fixture.send('DELETE', `${widgetsPath('v2')}?fieldSelector=spec.host%3Dy`);
    expect(await names('')).toEqual([['a', 'b'], false]);
  });

  it('stands between every verb and its object', async () => {
    const { fixture, converter } = await establishedWidgets();
    await fixture.send('POST', widgetsPath(), widget('a', { address: 'x:1', replicas: 2 }));
    converter.fail('out of order');
    const [one, all] = [`${widgetsPath('v2')}/a`, widgetsPath('v2')];
    const body = { ...widget('a', { host: 'z' }, 'v2') };
    const requests: [string, string, unknown?, string?][] = [
      ['GET', one],
      ['GET', all],
      ['GET', `${one}/status`],
      ['GET', `${one}/scale`],
      ['PUT', one, { ...body, metadata: { name: 'a', resourceVersion: '1' } }],
      ['PATCH', one, { spec: { host: 'z' } }, 'application/merge-patch+json'],
      ['PATCH', `${one}/scale`, { spec: { replicas: 5 } }, 'application/merge-patch+json'],
      ['PATCH', `${one}?fieldManager=m`, body, APPLY],
      ['DELETE', one],
      ['DELETE', all],
    ];
    for (const [method, target, sent, type] of requests) {
      const answer = await fixture.send(method, target, sent, type);
      expect([method, target, answer.status, answer.body.message]).toEqual([
        method,
        target,
        500,
        `${FAILED_V1}out of order`,
      ]);
    }
    const refused = await fixture.send('POST', all, widget('b', {}, 'v2'));
    expect([refused.status, refused.body.message]).toEqual([500, `${FAILED_V2}out of order`]);
    // Those who speak the stored version never notice.
    const { body: kept } = await fixture.send('GET', `${widgetsPath()}/a`);
    expect(kept.spec).toEqual({ address: 'x:1', replicas: 2 });
    expect((await fixture.send('DELETE', `${widgetsPath()}/a`)).status).toBe(200);
  });

  it('is not needed to delete the CRD with all it holds', async () => {
    const { fixture, converter } = await establishedWidgets(convertedWidgets('v2'));
    await fixture.send('POST', widgetsPath('v2'), widget('a', { host: 'x' }, 'v2'));
    await fixture.merge(`${DEFINITIONS_PATH}/widgets.${GROUP}`, { spec: convertedWidgets('v1')['spec'] as JsonObject });
    converter.lie = () => undefined;
    await fixture.send('DELETE', `${DEFINITIONS_PATH}/widgets.${GROUP}`);
    expect((await fixture.send('GET', `${DEFINITIONS_PATH}/widgets.${GROUP}`)).status).toBe(404);
  });

  it('scales, writes status and shows tables in the version asked for', async () => {
    const { fixture } = await establishedWidgets();
    await fixture.send('POST', widgetsPath(), widget('a', { address: 'x:1', replicas: 2 }));
    const one = `${widgetsPath('v2')}/a`;
    const scaled = await fixture.merge(`${one}/scale`, { spec: { replicas: 5 } });
    expect([scaled.status, scaled.body.spec]).toEqual([200, { replicas: 5 }]);
    const status = await fixture.merge(`${one}/status`, { status: { phase: 'up' }, spec: { host: 'ignored' } });
    expect([status.body.spec, status.body['status']]).toEqual([{ host: 'x', port: '1', replicas: 5 }, { phase: 'up' }]);
    expect((await fixture.send('GET', `${widgetsPath()}/a`)).body.spec).toEqual({ address: 'x:1', replicas: 5 });
    const { body } = await fixture.server.send({
      method: 'GET',
      target: widgetsPath('v2'),
      headers: { accept: 'application/json;as=Table;g=meta.k8s.io;v=v1' },
    });
    if (body.type !== 'payload') expect.unreachable('no table');
    expect((body.value() as { rows: { cells: unknown[] }[] }).rows[0]?.cells).toEqual(['a', 'x']);
  });

  it('starts from what another wrote while the webhook was thinking', async () => {
    const { fixture, converter } = await establishedWidgets();
    await fixture.send('POST', widgetsPath(), widget('a', { address: 'x:1' }));
    const answer = converter.hold();
    const asked = converter.asked();
    const slow = fixture.merge(`${widgetsPath('v2')}/a`, { spec: { port: '2' } });
    const stale = fixture.send('PUT', `${widgetsPath('v2')}/a`, {
      ...widget('a', { host: 'q' }, 'v2'),
      metadata: {
        name: 'a',
        resourceVersion: (await fixture.send('GET', `${widgetsPath()}/a`)).body.metadata.resourceVersion,
      },
    });
    await asked;
    await fixture.merge(`${widgetsPath()}/a`, { spec: { address: 'y:1' } });
    answer();
    expect((await slow).body.spec).toEqual({ host: 'y', port: '2' });
    expect((await stale).status).toBe(409);
    expect((await fixture.send('GET', `${widgetsPath()}/a`)).body.spec).toEqual({ address: 'y:2' });
  });

  it('leaves others alone while it is waited for', async () => {
    const { fixture, converter } = await establishedWidgets();
    await fixture.send('POST', widgetsPath(), widget('a', { address: 'x:1' }));
    const answer = converter.hold();
    const slow = fixture.send('GET', `${widgetsPath('v2')}/a`);
    expect((await fixture.send('GET', `${widgetsPath()}/a`)).status).toBe(200);
    expect((await fixture.send('GET', '/api/v1/namespaces')).status).toBe(200);
    answer();
    expect((await slow).status).toBe(200);
  });

  it('follows the CRD at once', async () => {
    const { fixture, converter } = await establishedWidgets();
    await fixture.send('POST', widgetsPath(), widget('a', { address: 'x:1' }));
    const path = `${DEFINITIONS_PATH}/widgets.${GROUP}`;
    const clientConfig = { url: 'https://elsewhere.example/' };
    await fixture.merge(path, { spec: { conversion: { webhook: { clientConfig } } } });
    await fixture.send('GET', `${widgetsPath('v2')}/a`);
    expect(converter.calls.at(-1)?.client.url).toBe('https://elsewhere.example/');
    await fixture.merge(path, { spec: { conversion: { strategy: 'None', webhook: null } } });
    converter.lie = () => undefined;
    expect((await fixture.send('GET', `${widgetsPath('v2')}/a`)).body.spec).toEqual({});
  });

  it('is counted', async () => {
    const { fixture, converter } = await establishedWidgets();
    await fixture.send('POST', widgetsPath(), widget('a', { address: 'x:1' }));
    await fixture.send('GET', `${widgetsPath('v2')}/a`);
    converter.lie = () => undefined;
    await fixture.send('GET', `${widgetsPath('v2')}/a`);
    const lines = (await fixture.send('GET', '/metrics')).text.split('\n');
    const labels = `crd_name="widgets.${GROUP}",from_version="v1",to_version="v2"`;
    expect(lines).toContain(`apiserver_crd_conversion_webhook_duration_seconds_count{${labels},succeeded="true"} 1`);
    expect(lines).toContain(`apiserver_crd_conversion_webhook_duration_seconds_count{${labels},succeeded="false"} 1`);
    expect(lines).toContain('apiserver_conversion_webhook_request_total{result="success",failure_type=""} 1');
    expect(lines).toContain(
      'apiserver_conversion_webhook_request_total{result="failure",failure_type="conversion_webhook_call_failure"} 1',
    );
  });

  it('gives policies their parameters in the version they ask for', async () => {
    const { fixture, converter } = await establishedWidgets();
    await fixture.send('POST', widgetsPath(), widget('limits', { address: 'x:1' }));
    const policies = '/apis/admissionregistration.k8s.io/v1';
    const rule = { apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'], operations: ['CREATE'] };
    await fixture.send('POST', `${policies}/validatingadmissionpolicies`, {
      metadata: { name: 'hosts' },
      spec: {
        paramKind: { apiVersion: `${GROUP}/v2`, kind: 'Widget' },
        matchConstraints: { resourceRules: [rule] },
        validations: [{ expression: 'object.data.host == params.spec.host', message: 'another host' }],
      },
    });
    await fixture.send('POST', `${policies}/validatingadmissionpolicybindings`, {
      metadata: { name: 'hosts' },
      spec: {
        policyName: 'hosts',
        paramRef: { name: 'limits', namespace: 'default', parameterNotFoundAction: 'Deny' },
        validationActions: ['Deny'],
      },
    });
    const create = (name: string, host: string): Promise<unknown> =>
      fixture
        .send('POST', '/api/v1/namespaces/default/configmaps', { metadata: { name }, data: { host } })
        .then(({ status, body }) => [status, body.message]);
    const denied = `configmaps "b" is forbidden: ValidatingAdmissionPolicy 'hosts' with binding 'hosts' denied request: `;
    expect(await create('a', 'x')).toEqual([201, undefined]);
    expect(await create('b', 'y')).toEqual([422, `${denied}another host`]);
    converter.fail('out of order');
    const broken = `failed to configure binding: ${FAILED_V1}out of order`;
    expect(await create('b', 'x')).toEqual([422, `${denied}${broken}`]);
  });
});
