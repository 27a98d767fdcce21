import { propertySeed } from '@capstan/tools';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { PROTOBUF_TYPE, jsonOfProtobuf, protobufOfJson } from '@capstan/apiserver';
import { CONFIG_MAPS, DEPLOYMENTS, PODS, configMap, deployment, given, pod } from '../src/conformance/objects.js';
import { MERGE, TABLE, type Session } from '../src/conformance/session.js';
import { suite } from '../src/conformance/suite.js';

const it = suite('protobuf');
const NAMESPACED = '/namespaces/{ns}';
const METADATA = ';as=PartialObjectMetadata;v=v1;g=meta.k8s.io';
const METADATA_LIST = ';as=PartialObjectMetadataList;v=v1;g=meta.k8s.io';

type Fields = Record<string, unknown>;

function body(object: Fields): { raw: Uint8Array; type: string } {
  return { raw: protobufOfJson(object as Fields & { apiVersion: string; kind: string }), type: PROTOBUF_TYPE };
}

/** Asks for protobuf and records the answer. */
async function shown(
  s: Session,
  method: string,
  target: string,
  options: { accept?: string; raw?: Uint8Array; type?: string } = {},
): Promise<void> {
  const answer = await s.quiet(method, target, { accept: PROTOBUF_TYPE, ...options });
  const type = answer.headers['content-type'];
  const value = type === PROTOBUF_TYPE ? jsonOfProtobuf(answer.bytes) : answer.body;
  s.remark(`${method} ${target}`, { status: answer.status, type, value });
}

it('objects are created, replaced and deleted in protobuf', async (s) => {
  await s.call('POST', CONFIG_MAPS, body(configMap('a', { k: 'v', empty: '' }, { labels: { l: 'ü' } })));
  await s.call('PUT', `${CONFIG_MAPS}/a`, body({ ...configMap('a', { k: 'w' }), binaryData: { b: 'AAH/' } }));
  await s.call(
    'DELETE',
    `${CONFIG_MAPS}/a`,
    body({ apiVersion: 'v1', kind: 'DeleteOptions', preconditions: { uid: 'other' } }),
  );
  await s.call(
    'DELETE',
    `${CONFIG_MAPS}/a`,
    body({ apiVersion: 'v1', kind: 'DeleteOptions', propagationPolicy: 'Background' }),
  );
  const spec = {
    replicas: 2,
    strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '10%', maxUnavailable: 0 } },
  };
  await s.call('POST', DEPLOYMENTS, body(deployment('d', spec)));
  const resources = { limits: { cpu: '1500m', memory: '1Gi' } };
  await s.call('POST', PODS, body(pod('p', {}, { containers: [{ name: 'c', image: 'i:1', resources }] })));
  await s.call('POST', CONFIG_MAPS, body({ ...configMap('Not a name') }));
});

it('subresources are written in protobuf', async (s) => {
  const made = (await given(s, DEPLOYMENTS, deployment('d'))).object();
  const scale = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'd' }, spec: { replicas: 3 } };
  await s.call('PUT', `${DEPLOYMENTS}/d/scale`, body(scale));
  await s.call(
    'PUT',
    `${DEPLOYMENTS}/d/status`,
    body({ ...made, metadata: { name: 'd' }, status: { replicas: 3, observedGeneration: 7 } }),
  );
  await given(s, PODS, pod('p'));
  const binding = { apiVersion: 'v1', kind: 'Binding', metadata: { name: 'p' }, target: { kind: 'Node', name: 'n' } };
  await s.call('POST', `${PODS}/p/binding`, body(binding));
  await shown(s, 'GET', `${DEPLOYMENTS}/d/scale`);
});

it('answers are sent in protobuf', async (s) => {
  await shown(s, 'GET', CONFIG_MAPS);
  await given(s, CONFIG_MAPS, configMap('a', { k: 'v' }, { labels: { '10': 'x', '2': 'y' } }));
  await given(s, CONFIG_MAPS, configMap('b'));
  await given(s, DEPLOYMENTS, deployment('d'));
  await shown(s, 'GET', `${CONFIG_MAPS}/a`);
  await shown(s, 'GET', `${CONFIG_MAPS}/a`, { accept: `${PROTOBUF_TYPE},application/json` });
  await shown(s, 'GET', `${CONFIG_MAPS}/a`, { accept: `application/json,${PROTOBUF_TYPE}` });
  await shown(s, 'GET', CONFIG_MAPS);
  await shown(s, 'GET', `${CONFIG_MAPS}?limit=1`);
  await shown(s, 'GET', `${DEPLOYMENTS}/d`);
  await shown(s, 'GET', `${CONFIG_MAPS}/a`, { accept: PROTOBUF_TYPE + METADATA });
  await shown(s, 'GET', CONFIG_MAPS, { accept: PROTOBUF_TYPE + METADATA_LIST });
  await shown(s, 'GET', CONFIG_MAPS, { accept: `${PROTOBUF_TYPE};as=Table;v=v1;g=meta.k8s.io,${TABLE}` });
  await shown(s, 'GET', CONFIG_MAPS, { accept: `${PROTOBUF_TYPE};as=Table;v=v1;g=meta.k8s.io` });
  await shown(s, 'POST', `${CONFIG_MAPS}?dryRun=All`, body(configMap('c')));
  await shown(s, 'PATCH', `${CONFIG_MAPS}/a`, { raw: new TextEncoder().encode('{"data":{"k":null}}'), type: MERGE });
  await shown(s, 'DELETE', `${CONFIG_MAPS}/a`);
  await shown(s, 'DELETE', CONFIG_MAPS);
});

it('refusals are sent in protobuf', async (s) => {
  await shown(s, 'GET', `${CONFIG_MAPS}/none`);
  await shown(s, 'GET', `${CONFIG_MAPS}/none`, { accept: PROTOBUF_TYPE + METADATA });
  await shown(s, 'GET', `${CONFIG_MAPS}/none`, { accept: `${PROTOBUF_TYPE};stream=watch` });
  await shown(s, 'GET', '/api/v1/nothing');
  await shown(s, 'GET', `${CONFIG_MAPS}?limit=x`);
  await shown(s, 'POST', CONFIG_MAPS, body(configMap('Not a name')));
  await shown(s, 'PUT', CONFIG_MAPS, body(configMap('a')));
});

/** Bodies that are no message of the kind, by what is wrong with them. */
const MALFORMED: Readonly<Record<string, string>> = {
  'no magic': '{"a":1}',
  'nothing but magic': 'k8s\0',
  'an envelope cut short': 'k8s\0\n\x7f',
  'a field of no known wire type': 'k8s\0\x7f',
  'a message cut short': 'k8s\0\n\x0f\n\x02v1\x12\tConfigMap\x12\x02\n\x7f',
  'a field of another wire type': 'k8s\0\n\x0f\n\x02v1\x12\tConfigMap\x12\x02\x08\x01',
  'an inner field of another wire type': 'k8s\0\n\x0f\n\x02v1\x12\tConfigMap\x12\x04\n\x02(\x01',
  'the field number zero': 'k8s\0\n\x0f\n\x02v1\x12\tConfigMap\x12\x02\0\x01',
  'the end of a group': 'k8s\0\n\x0f\n\x02v1\x12\tConfigMap\x12\x01\x0c',
  'another kind': 'k8s\0\n\x0c\n\x02v1\x12\x06Secret\x12\x00',
  'a kind nobody knows': 'k8s\0\n\n\n\x02v1\x12\x04Nope\x12\x00',
};

it('malformed bodies are refused by the words of the decoder', async (s) => {
  for (const [what, text] of Object.entries(MALFORMED)) {
    const raw = Uint8Array.from(text, (char) => char.charCodeAt(0));
    const created = await s.quiet('POST', CONFIG_MAPS, { raw, type: PROTOBUF_TYPE });
    const deleted = await s.quiet('DELETE', `${CONFIG_MAPS}/none`, { raw, type: PROTOBUF_TYPE });
    s.remark(what, { created: created.body, deleted: deleted.body });
  }
  await s.call('PATCH', `${CONFIG_MAPS}/none`, { raw: 'k8s\0', type: PROTOBUF_TYPE });
});

const name = fc.constant('x');
const word = fc.stringMatching(/^[a-z]([-a-z0-9]{0,8}[a-z0-9])?$/);
const texts = fc.dictionary(word, fc.string({ maxLength: 20 }), { minKeys: 1, maxKeys: 4 });
const labels = fc.dictionary(word, word, { minKeys: 1, maxKeys: 3 });
const metadata = fc.record({ name, labels, annotations: texts });
const quantity = fc.constantFrom('1', '100m', '1Gi', '2500m', '0', '1k', '12e6');
const template = fc.record({
  metadata: fc.constant({ labels: { app: 'a' } }),
  spec: fc.record({
    containers: fc.constant([{ name: 'c', image: 'i' }]),
    nodeSelector: labels,
    terminationGracePeriodSeconds: fc.nat(1000),
    restartPolicy: fc.constant('Always'),
  }),
});
const selector = fc.constant({ matchLabels: { app: 'a' } });

function kind(
  apiVersion: string,
  kindName: string,
  plural: string,
  fields: Record<string, fc.Arbitrary<unknown>>,
): readonly [string, fc.Arbitrary<Fields>] {
  const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  return [
    `${root}${NAMESPACED}/${plural}`,
    fc.record({ apiVersion: fc.constant(apiVersion), kind: fc.constant(kindName), metadata, ...fields }),
  ];
}

const RANDOM_KINDS = [
  kind('v1', 'ConfigMap', 'configmaps', { data: texts, immutable: fc.boolean() }),
  kind('v1', 'Secret', 'secrets', { stringData: texts }),
  kind('v1', 'ServiceAccount', 'serviceaccounts', {
    automountServiceAccountToken: fc.boolean(),
    imagePullSecrets: fc.array(fc.record({ name: word }), { maxLength: 1 }),
  }),
  kind('v1', 'Pod', 'pods', {
    spec: fc.record({
      containers: fc
        .record({
          requests: fc.record({ cpu: fc.constantFrom('1', '100m') }),
          command: fc.array(fc.string(), { maxLength: 3 }),
        })
        .map(({ requests, command }) => [{ name: 'c', image: 'i', command, resources: { requests } }]),
      nodeSelector: labels,
      priority: fc.constant(undefined),
    }),
  }),
  kind('v1', 'ResourceQuota', 'resourcequotas', {
    spec: fc.record({ hard: fc.record({ 'requests.cpu': quantity, 'limits.memory': quantity }) }),
  }),
  kind('v1', 'Service', 'services', {
    spec: fc.record({
      clusterIP: fc.constant('None'),
      selector: labels,
      ports: fc
        .integer({ min: 1, max: 65535 })
        .map((port) => [{ name: 'a', port, targetPort: port % 2 === 0 ? port : 'http' }]),
    }),
  }),
  kind('apps/v1', 'Deployment', 'deployments', {
    spec: fc.record({
      replicas: fc.nat(2 ** 31 - 1),
      selector,
      template,
      strategy: fc.constantFrom({}, { type: 'Recreate' }, { rollingUpdate: { maxSurge: '33%', maxUnavailable: 1 } }),
    }),
  }),
  kind('apps/v1', 'DaemonSet', 'daemonsets', { spec: fc.record({ selector, template, minReadySeconds: fc.nat(100) }) }),
  kind('policy/v1', 'PodDisruptionBudget', 'poddisruptionbudgets', {
    spec: fc.record({
      selector,
      minAvailable: fc.oneof(
        fc.nat(100),
        fc.nat(100).map((percent) => `${percent}%`),
      ),
    }),
  }),
  kind('coordination.k8s.io/v1', 'Lease', 'leases', {
    spec: fc.record({
      holderIdentity: word,
      leaseDurationSeconds: fc.integer({ min: 1, max: 99 }),
      renewTime: fc.nat(999_999).map((micros) => `2024-02-29T23:59:59.${String(micros).padStart(6, '0')}Z`),
    }),
  }),
  kind('networking.k8s.io/v1', 'NetworkPolicy', 'networkpolicies', {
    spec: fc.record({
      podSelector: fc.constantFrom({}, { matchLabels: { a: 'b' } }),
      ingress: fc.constantFrom([], [{}], [{ ports: [{ port: 80, endPort: 90 }, { port: 'http' }] }]),
    }),
  }),
  kind('rbac.authorization.k8s.io/v1', 'Role', 'roles', {
    rules: fc.array(
      fc.record({
        verbs: fc.constant(['get']),
        apiGroups: fc.constantFrom([''], ['apps']),
        resources: fc.array(word, { minLength: 1, maxLength: 3 }),
      }),
      { maxLength: 2 },
    ),
  }),
] as const;

/** What differs between two creates of one object. */
function settled(object: Fields): Fields {
  const { uid: _uid, creationTimestamp: _time, managedFields: _managed, ...rest } = object['metadata'] as Fields;
  return { ...object, metadata: rest };
}

it(
  'random objects say the same in both encodings',
  async (s) => {
    const seed = propertySeed();
    for (const [collection, arbitrary] of RANDOM_KINDS) {
      for (const object of fc.sample(arbitrary, { seed, numRuns: 4 })) {
        const target = `${collection}?dryRun=All`;
        const inText = await s.quiet('POST', target, { body: object });
        const sent = inText.status === 201 ? { ...inText.object(), metadata: object['metadata'] } : object;
        const inProtobuf = await s.quiet('POST', target, { ...body(sent as Fields), accept: PROTOBUF_TYPE });
        const found = settled(jsonOfProtobuf(inProtobuf.bytes));
        const summary = `seed ${seed}: ${JSON.stringify(object)}`;
        if (inText.status !== 201) throw new Error(`${summary} was refused: ${inText.text}`);
        if (!isDeepStrictEqual(found, JSON.parse(JSON.stringify(settled(inText.object()))))) {
          throw new Error(`${summary} is in protobuf\n${JSON.stringify(found)}\nand in JSON\n${inText.text}`);
        }
      }
    }
  },
  { recordsNothing: true, exempt: { 'real-1.30': 'its JSON shows creation times that were never set' } },
);
