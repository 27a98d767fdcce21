import { afterAll, beforeAll, beforeEach } from 'vitest';
import { CRDS, changeDefinition, custom, definition, definitionPath, dismiss, ready } from '../src/conformance/crds.js';
import {
  cachedBoth,
  outerAddress,
  Converter,
  FIRST,
  SECOND,
  givenHost,
  givenHosts,
  hostVersions,
  remarkMessage,
} from '../src/conformance/converter.js';
import { given, versionOf } from '../src/conformance/objects.js';
import { METADATA, METADATA_LIST, TABLE } from '../src/conformance/session.js';
import { suite } from '../src/conformance/suite.js';
import { eventually, SERVER_LIMITS } from '../src/wait.js';

const it = suite('conversion-webhooks');
const first = (name: string, spec: object, metadata: object = {}): Record<string, unknown> =>
  custom('Host', name, { metadata: { name, ...metadata }, spec });
const second = (name: string, spec: object): Record<string, unknown> => custom('Host', name, { spec }, 'v2');
/** Nothing listens there. */
const NOBODY = { url: 'https://127.0.0.1:1/convert' };

let converter: Converter;
beforeAll(async () => {
  converter = await Converter.start();
});
afterAll(() => converter.stop());
beforeEach(() => converter.honest());

it('both versions are shown and stored', async (s) => {
  await givenHosts(s, converter.client);
  await s.post(FIRST, first('a', { address: 'x:1', replicas: 2 }, { labels: { l: 'm' }, annotations: { n: 'o' } }));
  await s.post(SECOND, second('b', { host: 'y', port: '2' }));
  await s.post(`${SECOND}?dryRun=All`, second('c', { host: 'z' }));
  for (const name of ['a', 'b']) {
    await s.get(`${FIRST}/${name}`);
    await s.get(`${SECOND}/${name}`);
  }
  await s.get(SECOND);
  await s.get(FIRST);
  await s.get(`${SECOND}?labelSelector=l%3Dm`);
  await s.get(`${SECOND}/a`, { accept: TABLE });
  await s.get(`${SECOND}/a`, { accept: METADATA });
  await s.get(SECOND, { accept: METADATA_LIST });
  await dismiss(s, 'hosts');
});

it('changes of either version are of the same object', async (s) => {
  await givenHosts(s, converter.client);
  await given(s, FIRST, first('a', { address: 'x:1', replicas: 2 }));
  await s.merge(`${SECOND}/a`, { spec: { port: '9' } });
  await s.get(`${FIRST}/a`);
  await s.merge(`${SECOND}/a`, { spec: { port: '9' } });
  const read = (await s.quiet('GET', `${SECOND}/a`)).object();
  await s.put(`${SECOND}/a`, { ...read, spec: { host: 'q', port: '7', replicas: 3 } });
  await s.put(`${SECOND}/a`, { ...read, spec: { host: 'late' } });
  await s.get(`${FIRST}/a`);
  await s.merge(`${SECOND}/a/status`, { status: { phase: 'up', replicas: 1 }, spec: { host: 'ignored' } });
  await s.get(`${SECOND}/a/scale`);
  await s.merge(`${SECOND}/a/scale`, { spec: { replicas: 5 } });
  await s.merge(`${SECOND}/a`, { metadata: { finalizers: ['example.com/hold'] } });
  await s.delete(`${SECOND}/a`);
  await s.merge(`${SECOND}/a`, { metadata: { finalizers: null } });
  await s.get(`${SECOND}/a`);
  await given(s, FIRST, first('b', { address: 'x:1' }));
  await s.delete(`${SECOND}/b`);
  await dismiss(s, 'hosts');
});

it('a webhook that is not there breaks the version it is needed for', async (s) => {
  await givenHosts(s, NOBODY);
  await s.post(FIRST, first('a', { address: 'x:1' }));
  await s.get(`${SECOND}/a`);
  await s.get(SECOND);
  await s.get(`${SECOND}/a`, { accept: METADATA });
  await s.post(SECOND, second('b', { host: 'x' }));
  await s.post(`${SECOND}?dryRun=All`, second('b', { host: 'x' }));
  await s.merge(`${SECOND}/a`, { spec: { host: 'y' } });
  await s.apply(`${SECOND}/a`, 'm', second('a', { host: 'y' }));
  await s.apply(`${SECOND}/new`, 'm', second('new', { host: 'y' }));
  await s.get(`${SECOND}/a/status`);
  await s.get(`${SECOND}/a/scale`);
  await s.delete(`${SECOND}/a`);
  await s.delete(SECOND);
  await s.merge(`${FIRST}/a`, { spec: { address: 'y:1' } });
  await s.delete(`${FIRST}/a`);
  await dismiss(s, 'hosts');
});

it('a watch shows what was written in either version', async (s) => {
  await givenHosts(s, converter.client);
  const made = await given(s, FIRST, first('a', { address: 'x:1' }));
  const from = made.object().metadata.resourceVersion;
  const watches = [
    await s.watch(`${FIRST}?watch=1&resourceVersion=${from}`),
    await s.watch(`${SECOND}?watch=1&resourceVersion=${from}`),
    await s.watch(`${SECOND}?watch=1&resourceVersion=${from}`, { accept: METADATA }),
  ];
  await s.merge(`${SECOND}/a`, { spec: { host: 'y' } });
  await s.merge(`${FIRST}/a`, { spec: { address: 'z:3' } });
  await s.post(SECOND, second('b', { host: 'q', port: '4' }));
  await s.delete(`${SECOND}/a`);
  for (const [at, watching] of watches.entries()) {
    await watching.until(4);
    s.note(`watch ${at}`, watching);
  }
  await dismiss(s, 'hosts');
});

it('a watch waits for a webhook that fails, and misses nothing', async (s) => {
  await givenHosts(s, converter.client);
  const made = await givenHost(s, FIRST, first('a', { address: 'x:1' }));
  const watching = await s.watch(`${SECOND}?watch=1&resourceVersion=${made.object().metadata.resourceVersion}`);
  converter.refuse('out of order');
  await s.merge(`${FIRST}/a`, { spec: { address: 'y:1' } });
  await s.merge(`${FIRST}/a`, { spec: { address: 'z:1' } });
  await s.get(SECOND);
  s.note('watch of what cannot be converted', watching);
  converter.honest();
  await watching.until(2, 15_000);
  await s.delete(`${FIRST}/a`);
  await watching.until(3, 15_000);
  s.note('watch of what can', watching);
  await dismiss(s, 'hosts');
});

it('apply compares with managers of the other version', async (s) => {
  await givenHosts(s, converter.client);
  await s.apply(`${FIRST}/a`, 'one', first('a', { address: 'x:1' }));
  await s.apply(`${SECOND}/a`, 'two', second('a', { host: 'y' }));
  await s.apply(`${SECOND}/a`, 'two', second('a', { host: 'x' }));
  await s.apply(`${SECOND}/a`, 'two', second('a', { host: 'y' }), 'force=true');
  await s.apply(`${SECOND}/a`, 'two', second('a', { replicas: 3 }));
  await s.apply(`${FIRST}/a`, 'two', first('a', { replicas: 4 }));
  await s.apply(`${SECOND}/b`, 'two', second('b', { host: 'x', port: '1' }));
  await s.apply(`${FIRST}/b`, 'one', first('b', { address: 'x:1' }));
  await s.apply(`${SECOND}/b`, 'two', second('b', {}));
  await s.merge(`${FIRST}/b`, { spec: { address: 'q:9' } });
  await s.get(`${SECOND}/b`);
  await dismiss(s, 'hosts');
});

it('managers of a version that cannot be converted to', async (s) => {
  await givenHosts(s, converter.client);
  await givenHost(s, SECOND, second('a', { host: 'x', port: '1' }));
  converter.refuse('out of order');
  await s.apply(`${FIRST}/a`, 'one', first('a', { address: 'y:1' }));
  await s.merge(`${FIRST}/a`, { spec: { address: 'z:1' } });
  converter.honest();
  const applied = await s.apply(`${SECOND}/b`, 'one', second('b', { host: 'x', port: '1' }));
  await cachedBoth(s, versionOf(applied));
  converter.refuse('out of order');
  await s.apply(`${FIRST}/b`, 'one', first('b', { address: 'y:1' }));
  await dismiss(s, 'hosts');
});

it('another storage version is written by any change', async (s) => {
  await givenHosts(s, converter.client);
  await given(s, FIRST, first('a', { address: 'x:1' }));
  await given(s, FIRST, first('b', { address: 'y:2' }));
  await changeDefinition(s, 'hosts', { versions: hostVersions('v2') });
  await ready(s, 'hosts', 'v2');
  await given(s, SECOND, second('c', { host: 'z', port: '3' }));
  const touched = await s.merge(`${FIRST}/a`, { metadata: { labels: { touched: 'yes' } } });
  await cachedBoth(s, versionOf(touched));
  for (const path of [FIRST, SECOND]) await s.get(path);
  converter.refuse('out of order');
  for (const name of ['a', 'b', 'c']) {
    await s.get(`${SECOND}/${name}`);
    await s.get(`${FIRST}/${name}`);
  }
  converter.honest();
  await dismiss(s, 'hosts');
});

it('a changed conversion webhook is called at once', async (s) => {
  const stranger = await Converter.start();
  await givenHosts(s, converter.client);
  await givenHost(s, FIRST, first('a', { address: 'x:1' }));
  const change = async (clientConfig: object): Promise<void> => {
    await s.quiet('PATCH', definitionPath('hosts'), {
      body: { spec: { conversion: { webhook: { clientConfig } } } },
      type: 'application/merge-patch+json',
    });
    await ready(s, 'hosts');
  };
  const answers = async (status: number): Promise<void> => {
    await eventually(
      `an answer of ${status}`,
      async () => (await s.quiet('GET', `${SECOND}/a`)).status === status,
      SERVER_LIMITS,
    );
  };
  await change({ caBundle: stranger.caBundle });
  await answers(500);
  await remarkMessage(s, `${SECOND}/a`, converter.port);
  await change({ url: stranger.url });
  await answers(200);
  await s.get(`${SECOND}/a`);
  await stranger.stop();
  await answers(500);
  await s.quiet('PATCH', definitionPath('hosts'), {
    body: { spec: { conversion: { strategy: 'None', webhook: null } } },
    type: 'application/merge-patch+json',
  });
  await answers(200);
  await s.get(`${SECOND}/a`);
  await dismiss(s, 'hosts');
});

it('CRDs configure their conversion', async (s) => {
  const conversions: readonly object[] = [
    { strategy: 'Webhook' },
    { strategy: 'Webhook', webhook: { conversionReviewVersions: ['v1'] } },
    { strategy: 'Webhook', webhook: { clientConfig: {}, conversionReviewVersions: ['v1'] } },
    { strategy: 'Webhook', webhook: { clientConfig: converter.client, conversionReviewVersions: [] } },
    { strategy: 'Webhook', webhook: { clientConfig: converter.client, conversionReviewVersions: ['v2'] } },
    { strategy: 'Webhook', webhook: { clientConfig: { url: 'http://x.example/' }, conversionReviewVersions: ['v1'] } },
    {
      strategy: 'Webhook',
      webhook: {
        clientConfig: { url: 'https://x.example/', service: { name: 'a', namespace: 'b' } },
        conversionReviewVersions: ['v1'],
      },
    },
    {
      strategy: 'Webhook',
      webhook: {
        clientConfig: { service: { name: 'a', namespace: 'b', path: '//' } },
        conversionReviewVersions: ['v1'],
      },
    },
    { strategy: 'None', webhook: { clientConfig: NOBODY, conversionReviewVersions: ['v1'] } },
    { strategy: 'Sometimes' },
  ];
  for (const conversion of conversions)
    await s.post(CRDS, definition('hosts', { versions: hostVersions(), conversion }));
});

it('a webhook behind a Service is found by its endpoints', async (s) => {
  const address = outerAddress();
  const server = await Converter.start(address, `convert.${s.ns}.svc`);
  const metadata = { name: 'convert' };
  const port = { port: server.port };
  await given(s, '/api/v1/namespaces/{ns}/services', {
    apiVersion: 'v1',
    kind: 'Service',
    metadata,
    spec: { ports: [{ port: 443, targetPort: server.port }] },
  });
  const service = { name: 'convert', namespace: '{ns}', path: '/convert' };
  await givenHosts(s, { service, caBundle: server.caBundle });
  await given(s, FIRST, first('a', { address: 'x:1' }));
  await remarkMessage(s, `${SECOND}/a`, server.port);
  await given(s, '/api/v1/namespaces/{ns}/endpoints', {
    apiVersion: 'v1',
    kind: 'Endpoints',
    metadata,
    subsets: [{ addresses: [{ ip: address }], ports: [port] }],
  });
  await given(s, '/apis/discovery.k8s.io/v1/namespaces/{ns}/endpointslices', {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { name: 'convert-1', labels: { 'kubernetes.io/service-name': 'convert' } },
    addressType: 'IPv4',
    endpoints: [{ addresses: [address] }],
    ports: [port],
  });
  await eventually(
    'conversion by the Service',
    async () => (await s.quiet('GET', `${SECOND}/a`)).status === 200,
    SERVER_LIMITS,
  );
  await s.get(`${SECOND}/a`);
  await s.quiet('PATCH', definitionPath('hosts'), {
    body: { spec: { conversion: { webhook: { clientConfig: { service: { name: 'gone' } } } } } },
    type: 'application/merge-patch+json',
  });
  await eventually('another Service', async () => (await s.quiet('GET', `${SECOND}/a`)).status === 500, SERVER_LIMITS);
  await remarkMessage(s, `${SECOND}/a`, server.port);
  await dismiss(s, 'hosts');
  await server.stop();
});
