import { CONFIG_MAPS, configMap } from '../src/conformance/objects.js';
import { suite } from '../src/conformance/suite.js';

const it = suite('yaml-texts');
const YAML = 'application/yaml';
const dry = (collection: string): string => `${collection}?dryRun=All`;

it('texts go on in the next line, wherever that begins', async (s) => {
  const send = (data: string): Promise<unknown> =>
    s.call('POST', dry(CONFIG_MAPS), {
      raw: `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: x\ndata:\n${data}\n`,
      type: YAML,
    });
  await send('  a: "b\nc\n\nd"\n  e: "f\\\n   g"');
  await send("  a: 'b\nc''s'\n  e: f\n   g");
  await send('  a: |2+\n     b\n\n  c: >-\n    d\n    e\n\n     f');
  await send('  a: "b\n---\nc"');
});

it('what is merged, and keys that come twice by the lines of their values', async (s) => {
  const send = (raw: string): Promise<unknown> =>
    s.call('POST', `${dry(CONFIG_MAPS)}&fieldValidation=Strict`, {
      raw: `apiVersion: v1\nkind: ConfigMap\n${raw}`,
      type: YAML,
    });
  await send('metadata: &m\n  name: x\ndata:\n  <<: [{a: b}, {a: c, d: e}]\n');
  await send('metadata: &m\n  name: x\ndata:\n  name: y\n  <<: *m\n');
  await send('metadata:\n  name: x\ndata:\n  <<: [*a]\n');
  await send('metadata:\n  name: x\ndata:\n  <<: [a]\n');
  await send('metadata:\n  name: x\ndata:\n  a: b\n  a:\n    c\n  a: |\n    d\n');
  await send('metadata:\n  name: x\ndata:\n  a: !!int b\n');
});

it('answers are quoted and folded', async (s) => {
  const words = 'words that fill a line of eighty columns and then go on in the next one, as messages do';
  const data = {
    plain: words,
    single: `${words}: yes`,
    double: `\t${words}`,
    lines: ' a\n\nb\n',
    number: '1e3',
    time: '2020-01-01',
    empty: '',
    face: '😀',
    k10: '~',
    k2: '<<',
    K: '- a',
    [`long.${'x'.repeat(140)}`]: 'long',
  };
  await s.call('POST', dry(CONFIG_MAPS), { raw: JSON.stringify(configMap('x', data)), accept: YAML });
  await s.call('GET', `${CONFIG_MAPS}/y`, { accept: YAML });
  await s.call('POST', dry(CONFIG_MAPS), {
    raw: '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"*"},"data":{"a":1}}',
    accept: YAML,
  });
});
