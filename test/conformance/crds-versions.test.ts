import {
  CRDS,
  GROUP,
  changeDefinition,
  custom,
  definition,
  definitionPath,
  dismiss,
  givenDefinition,
  objectsPath,
  ready,
  specVersion,
  untilCondition,
  version,
} from '../src/conformance/crds.js';
import { given } from '../src/conformance/objects.js';
import { suite } from '../src/conformance/suite.js';

const it = suite('crds-versions');
const THINGS = objectsPath('things');
const thing = (name: string, spec: object = {}): Record<string, unknown> => custom('Thing', name, { spec });
const text = { type: 'string' };

it('versions differ by their name and their schemas (traps 9 and 10)', async (s) => {
  const one = specVersion({ a: { ...text, default: 'one' }, only1: text });
  const two = specVersion({ a: text, b: { ...text, default: 'two' } }, { name: 'v2', storage: false });
  await givenDefinition(s, 'things', { versions: [one, two] });
  await ready(s, 'things', 'v2');
  const SECOND = objectsPath('things', 'v2');
  await given(s, THINGS, thing('a', { only1: 'x' }));
  await s.get(`${SECOND}/a`);
  await s.get(SECOND);
  const watching = await s.watch(`${SECOND}?watch=1&resourceVersion=0`);
  await watching.until(1);
  await s.post(SECOND, custom('Thing', 'b', { spec: {} }, 'v2'));
  await s.get(`${THINGS}/b`);
  await s.merge(`${SECOND}/a`, { spec: { b: 'x' } });
  await s.get(`${THINGS}/a`);
  await s.delete(`${SECOND}/a`);
  await watching.until(4);
  s.note('watch', watching);
  await dismiss(s, 'things');
});

it('another default is seen without a write, another storage version is written by any (trap 9)', async (s) => {
  const one = (value: string, fields: object = {}): Record<string, unknown> =>
    specVersion({ a: { ...text, default: value }, gone: text }, { ...fields });
  await givenDefinition(s, 'things', { versions: [one('x')] });
  await given(s, THINGS, thing('a', { gone: 'soon' }));
  await s.get(`${THINGS}/a`);
  const change = async (versions: readonly object[]): Promise<void> => {
    await changeDefinition(s, 'things', { versions });
  };
  await change([specVersion({ a: { ...text, default: 'x' }, new: { ...text, default: 'y' } })]);
  await s.get(`${THINGS}/a`);
  await s.merge(`${THINGS}/a`, {});
  await s.merge(`${THINGS}/a`, {});
  await change([version({ storage: false }), version({ name: 'v2' })]);
  await s.merge(`${THINGS}/a`, {});
  await s.merge(`${THINGS}/a`, {});
  await dismiss(s, 'things');
});

it('embedded resources keep their metadata', async (s) => {
  const template = {
    type: 'object',
    'x-kubernetes-embedded-resource': true,
    properties: { spec: { type: 'object', properties: { a: text } } },
  };
  await givenDefinition(s, 'things', { versions: [specVersion({ template })] });
  const embedded = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'x', labels: { a: 'b' } },
    spec: { a: '1', zork: 1 },
  };
  await s.post(THINGS, thing('a', { template: embedded }));
  await s.post(THINGS, thing('b', { template: { ...embedded, kind: 'pod_' } }));
  await s.post(THINGS, thing('b', { template: { metadata: { name: 'x' } } }));
  await s.post(THINGS, thing('b', { template: { ...embedded, metadata: { name: 'X!', zork: 1 } } }));
  await s.post(THINGS, thing('b', { template: { ...embedded, metadata: { labels: 5 } } }));
  await dismiss(s, 'things');
});

it('warnings of a body in another version are sent before it is refused', async (s) => {
  await givenDefinition(s, 'things', {
    versions: [specVersion({ a: { type: 'string' } }), specVersion({}, { name: 'v2', storage: false })],
  });
  await ready(s, 'things', 'v2');
  const body = custom('Thing', 'x', { spec: { zz: 1 }, qq: 2 }, 'v2');
  for (const mode of ['', 'Ignore', 'Strict']) await s.post(`${objectsPath('things')}?fieldValidation=${mode}`, body);
  await s.post(objectsPath('things'), { ...body, apiVersion: `${GROUP}/v3` });
  await s.post(objectsPath('things'), { ...body, kind: 'Other' });
  const scaler = { apiVersion: 'autoscaling/v2', kind: 'HorizontalPodAutoscaler', metadata: { name: 'x' }, qq: 1 };
  const scalers = '/apis/autoscaling/v1/namespaces/{ns}/horizontalpodautoscalers';
  await s.post(scalers, { ...scaler, spec: { zz: 1 } });
  await s.post(`${scalers}?fieldValidation=Strict`, { ...scaler, spec: { metrics: [], zz: 1 } });
  await s.post(scalers, { ...scaler, spec: { maxReplicas: 'x' } });
  await dismiss(s, 'things');
});

it(
  'a conversion webhook without a valid CA bundle leaves nothing served',
  async (s) => {
    const pem = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n';
    const clientConfig = { url: 'https://127.0.0.1:1/x', caBundle: Buffer.from(pem).toString('base64') };
    const conversion = { strategy: 'Webhook', webhook: { conversionReviewVersions: ['v1'], clientConfig } };
    await s.quiet('POST', CRDS, { body: definition('things', { conversion }) });
    await untilCondition(s, 'things', 'Established', 'InvalidCABundle');
    await s.get(objectsPath('things'));
    await s.get(`${objectsPath('things')}/x`);
    await s.post(objectsPath('things'), custom('Thing', 'x'));
    await s.get(definitionPath('things'));
    await dismiss(s, 'things');
    await givenDefinition(s, 'others');
    const put = async (caBundle: string): Promise<void> => {
      const other = { ...conversion.webhook, clientConfig: { ...clientConfig, caBundle } };
      await s.merge(definitionPath('others'), { spec: { conversion: { ...conversion, webhook: other } } });
    };
    await put(clientConfig.caBundle);
    await put(Buffer.from('abc').toString('base64'));
    await dismiss(s, 'others');
  },
  { exempt: { 'real-1.30': 'it does not look at the certificates' } },
);
