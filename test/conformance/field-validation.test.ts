import { CONFIG_MAPS, DEPLOYMENTS, PODS, configMap, deployment, given, pod } from '../src/conformance/objects.js';
import { JSON_PATCH, MERGE, STRATEGIC } from '../src/conformance/session.js';
import { suite } from '../src/conformance/suite.js';

const it = suite('field-validation');
const MODES = ['', 'fieldValidation=Ignore', 'fieldValidation=Warn', 'fieldValidation=Strict'];

it('unknown fields warn, pass or are refused on create', async (s) => {
  for (const mode of MODES)
    await s.post(`${CONFIG_MAPS}?dryRun=All&${mode}`, {
      ...configMap('a'),
      extra: 1,
      metadata: { name: 'a', odd: {} },
    });
  for (const mode of MODES) {
    await s.post(
      `${PODS}?dryRun=All&${mode}`,
      pod(
        'p',
        {},
        {
          containers: [{ name: 'c', image: 'i', imagePullPolice: 'Always', ports: [{ containerPort: 1, prot: 'x' }] }],
          nodes: 1,
        },
      ),
    );
  }
});

it('duplicate fields warn, pass or are refused on create', async (s) => {
  const raw =
    '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","name":"b"},"data":{"x":"1","x":"2"},"immutable":true,"immutable":false}';
  for (const mode of MODES) await s.call('POST', `${CONFIG_MAPS}?dryRun=All&${mode}`, { raw });
});

it('unknown and duplicate fields are reported together', async (s) => {
  const raw =
    '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"what":1,"what":2,"data":{"y":"3","y":"4"}}';
  for (const mode of MODES) await s.call('POST', `${CONFIG_MAPS}?dryRun=All&${mode}`, { raw });
});

it('field names are matched exactly', async (s) => {
  for (const mode of MODES)
    await s.post(`${CONFIG_MAPS}?dryRun=All&${mode}`, { ...configMap('a'), Data: { b: '2' }, IMMUTABLE: true });
});

it('put checks fields like create', async (s) => {
  await given(s, DEPLOYMENTS, deployment('d'));
  for (const mode of MODES) await s.put(`${DEPLOYMENTS}/d?dryRun=All&${mode}`, deployment('d', { replica: 3 }));
});

it('patches check the fields of the patch and of the result', async (s) => {
  await given(s, CONFIG_MAPS, configMap('a'));
  for (const mode of MODES) {
    await s.call('PATCH', `${CONFIG_MAPS}/a?dryRun=All&${mode}`, { raw: '{"data":{"x":"1","x":"2"}}', type: MERGE });
    await s.call('PATCH', `${CONFIG_MAPS}/a?dryRun=All&${mode}`, {
      raw: '{"data":{"x":"1","x":"2"}}',
      type: STRATEGIC,
    });
    await s.call('PATCH', `${CONFIG_MAPS}/a?dryRun=All&${mode}`, { raw: '{"unknown":1}', type: STRATEGIC });
    await s.call('PATCH', `${CONFIG_MAPS}/a?dryRun=All&${mode}`, {
      raw: '[{"op":"add","path":"/data/b","value":"1","odd":1}]',
      type: JSON_PATCH,
    });
  }
});

it('what a merge patch adds beyond the type is reported', async (s) => {
  await given(s, CONFIG_MAPS, configMap('a'));
  for (const mode of MODES.slice(0, 3))
    await s.call('PATCH', `${CONFIG_MAPS}/a?dryRun=All&${mode}`, {
      raw: '{"unknown":1,"metadata":{"odd":2}}',
      type: MERGE,
    });
});

it('deprecated fields and odd values warn', async (s) => {
  await s.post(`${PODS}?dryRun=All`, pod('p', {}, { nodeSelector: { 'beta.kubernetes.io/os': 'linux' } }));
  await s.post(
    `${PODS}?dryRun=All`,
    pod(
      'p',
      {},
      {
        containers: [
          {
            name: 'c',
            image: 'i',
            env: [
              { name: 'A', value: '1' },
              { name: 'A', value: '2' },
            ],
          },
        ],
      },
    ),
  );
  await s.post(`${PODS}?dryRun=All`, pod('p.with.dots'));
});

it('yaml bodies are read', async (s) => {
  await s.call('POST', CONFIG_MAPS, {
    raw: 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: y\ndata:\n  a: "1"\n  b: |\n    text\n',
    type: 'application/yaml',
  });
  await s.call('POST', CONFIG_MAPS, {
    raw: 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: z\ndata:\n  a: 1\n',
    type: 'application/yaml',
  });
  await s.get(`${CONFIG_MAPS}/y`, { accept: 'application/yaml' }).then(() => s.steps.pop());
});

it('annotations that stopped working warn', async (s) => {
  await s.post(
    `${PODS}?dryRun=All`,
    pod('p', { annotations: { 'seccomp.security.alpha.kubernetes.io/pod': 'runtime/default' } }),
  );
});

it('a repeated map is merged', async (s) => {
  await s.call('POST', CONFIG_MAPS, {
    raw: '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{"x":"1"},"data":{"y":"2"}}',
  });
});

it('a repeated field is decoded into the value of the first', async (s) => {
  const raw = (spec: string): Promise<unknown> =>
    s.call('POST', `${PODS}?dryRun=All`, {
      raw: `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"},"spec":{"containers":[{"name":"c","image":"i"}],${spec}}}`,
    });
  await raw('"securityContext":{"runAsUser":1},"securityContext":{"runAsGroup":2}');
  await raw('"securityContext":{"runAsUser":1},"securityContext":null');
  await raw('"containers":[{"args":["a"],"env":[{"name":"A","value":"1"},{"name":"B"}]},{"name":"d","image":"j"}]');
  await raw('"nodeSelector":{"a":"1","b":"1"},"nodeSelector":{"b":"2"},"nodeSelector":{"c":"3"}');
  await raw('"nodeSelector":{"a":"1"},"nodeSelector":null');
  await raw('"terminationGracePeriodSeconds":1.5,"terminationGracePeriodSeconds":2');
  await raw('"hostname":"a","hostname":"b","restartPolicy":"Never","restartPolicy":null');
  await s.call('POST', `${PODS}?dryRun=All`, {
    raw: '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p","labels":{"a":"1"}},"metadata":{"labels":{"b":"2"}},"spec":{"containers":[{"name":"c","image":"i"}]}}',
  });
});

it('yaml without an object or with unknown fields is reported like JSON', async (s) => {
  const yaml = (raw: string, mode = ''): Promise<unknown> =>
    s.call('POST', `${CONFIG_MAPS}?dryRun=All&${mode}`, { raw, type: 'application/yaml' });
  await yaml('');
  await yaml('- a\n- b\n');
  await yaml('text');
  await yaml('apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\nextra: 1\n');
  await yaml('apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\nextra: 1\n', 'fieldValidation=Strict');
  await yaml(
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {a: "1", a: "2"}\n',
    'fieldValidation=Ignore',
  );
  await yaml('apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {a: yes, b: "yes"}\n');
  await yaml('apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, annotations: {t: "2020-01-01", n: "1e3"}}\n');
});

it('yaml with duplicate keys warns or is refused', async (s) => {
  for (const mode of MODES)
    await s.call('POST', `${CONFIG_MAPS}?dryRun=All&${mode}`, {
      raw: 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {a: "1", a: "2"}\n',
      type: 'application/yaml',
    });
});

it('yaml that cannot be read is refused', async (s) => {
  for (const raw of ['a: [', '\t- a', '&a [*a]', '%', '!x y: z']) {
    const answer = await s.quiet('POST', CONFIG_MAPS, { raw, type: 'application/yaml' });
    const { reason } = answer.body as { reason: string };
    s.remark(raw, { status: answer.status, reason });
  }
});
