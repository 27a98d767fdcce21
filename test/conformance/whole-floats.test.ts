import { custom, dismiss, givenDefinition, objectsPath, specVersion } from '../src/conformance/crds.js';
import { APPLY, JSON_PATCH, MERGE, type Session } from '../src/conformance/session.js';
import { suite } from '../src/conformance/suite.js';

const it = suite('whole-floats');
const WIDGETS = objectsPath('widgets');
const WIDGET = `${WIDGETS}/w`;
const dry = (path: string): string => `${path}?dryRun=All`;

const integer = { type: 'integer' };
const PROPERTIES = {
  size: { type: 'integer', maximum: 10 },
  number: { type: 'number' },
  text: { type: 'string' },
  when: { type: 'string', format: 'date-time' },
  set: { type: 'array', 'x-kubernetes-list-type': 'set', items: integer },
  map: {
    type: 'array',
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['k'],
    items: { type: 'object', required: ['k'], properties: { k: integer } },
  },
  either: { 'x-kubernetes-int-or-string': true },
  any: { 'x-kubernetes-preserve-unknown-fields': true },
  allowed: { type: 'integer', enum: [1, 2] },
  list: { type: 'array', items: integer, 'x-kubernetes-validations': [{ rule: 'self.all(x, x < 9)' }] },
  template: {
    type: 'object',
    'x-kubernetes-embedded-resource': true,
    'x-kubernetes-preserve-unknown-fields': true,
  },
};
const RULES = { 'x-kubernetes-validations': [{ rule: '!has(self.size) || self.size < 5', message: 'too big' }] };
const SUBRESOURCES = {
  status: {},
  scale: { specReplicasPath: '.spec.size', statusReplicasPath: '.status.replicas' },
};

async function withWidgets(s: Session, play: () => Promise<void>): Promise<void> {
  await givenDefinition(s, 'widgets', { versions: [specVersion(PROPERTIES, { subresources: SUBRESOURCES }, RULES)] });
  try {
    await play();
  } finally {
    await dismiss(s, 'widgets');
  }
}

const widget = (spec: string, status = ''): string =>
  JSON.stringify(custom('Widget', 'w', { spec: 0 })).replace('"spec":0', `"spec":${spec}${status}`);

it('are floats in what is created', (s) =>
  withWidgets(s, async () => {
    const specs = ['{"size":3.0}', '{"size":1e3}', '3.0', '-0.0', '-0', '{"number":3.0}', '{"text":3.0}'];
    specs.push('{"when":1e1}', '{"set":[1.0,1]}', '{"set":[1.0,1e0]}', '{"map":[{"k":1.0},{"k":1}]}');
    specs.push('{"map":[{"k":1.0},{"k":1e0}]}', '{"map":[1.0]}', '{"either":3.0}', '{"any":3.0}', '{"allowed":1.0}');
    specs.push('{"allowed":3.0}', '{"list":[1.0]}', '{"template":3.0}', '{"template":{"apiVersion":-0.0,"kind":"X"}}');
    specs.push('{"template":{"apiVersion":"v1","kind":"X","metadata":-0.0}}');
    for (const spec of specs) await s.call('POST', dry(WIDGETS), { raw: widget(spec) });
    // Read as YAML, it is an integer.
    await s.call('POST', dry(WIDGETS), { raw: widget('{"size":3.0,"text":2.0}'), type: 'application/yaml' });
  }));

it('are floats in what is changed, and integers once they are stored', (s) =>
  withWidgets(s, async () => {
    await s.quiet('POST', WIDGETS, { raw: widget('{"size":3,"list":[1],"number":2.0}') });
    const version = (await s.quiet('GET', WIDGET)).object().metadata.resourceVersion ?? '';
    const put = (path: string, spec: string, status = ''): Promise<unknown> =>
      s.call('PUT', dry(path), {
        raw: widget(spec, status).replace('"name":"w"', `"name":"w","resourceVersion":"${version}"`),
      });
    await put(WIDGET, '{"size":3.0}');
    await put(WIDGET, '{"size":3,"list":[1.0]}');
    await put(WIDGET, '{"size":3,"text":2.0}');
    await put(`${WIDGET}/status`, '{"size":3.0}', ',"status":{"replicas":1}');
    await put(`${WIDGET}/status`, '{"size":3}', ',"status":{"replicas":1.0}');
    await put(`${WIDGET}/status`, '{"size":3}', ',"status":{"phase":1.0}');
    const patch = (path: string, type: string, raw: string): Promise<unknown> =>
      s.call('PATCH', dry(path), { type, raw });
    await patch(WIDGET, MERGE, '{"spec":{"size":2.0}}');
    await patch(WIDGET, MERGE, '{"spec":{"text":2.0}}');
    await patch(`${WIDGET}/status`, MERGE, '{"status":{"replicas":2.0}}');
    await patch(WIDGET, JSON_PATCH, '[{"op":"add","path":"/spec/size","value":2.0}]');
    await patch(WIDGET, JSON_PATCH, '[{"op":"copy","from":"/spec/number","path":"/spec/text"}]');
    const query = '&fieldManager=f&force=true';
    await s.call('PATCH', `${dry(WIDGET)}${query}`, { type: APPLY, raw: widget('{"size":2.0}') });
    await s.call('PATCH', `${dry(WIDGET)}${query}`, { type: APPLY, raw: widget('{"text":2.0}') });
  }));
