import { custom, dismiss, givenDefinition, objectsPath, specVersion } from '../src/conformance/crds.js';
import {
  CONFIG_MAPS,
  DEPLOYMENTS,
  PODS,
  configMap,
  deployment,
  given,
  pod,
  versionOf,
} from '../src/conformance/objects.js';
import type { Session } from '../src/conformance/session.js';
import { suite } from '../src/conformance/suite.js';
import { noting, withHooks, type Hook } from '../src/conformance/webhooks.js';
import { ALLOWED, base64, patch, type HookReply } from '../src/hook-server.js';

const it = suite('webhooks-mutating');
const add = (path: string, value: unknown): { op: string; path: string; value: never } => ({
  op: 'add',
  path,
  value: value as never,
});
const rules = (resources: string[], fields: object = {}): { rules: never } => ({
  rules: [
    { apiGroups: ['*'], apiVersions: ['*'], resources, operations: ['CREATE', 'UPDATE', 'DELETE'], ...fields },
  ] as never,
});
const isDelete = (request: object): boolean => (request as { operation: string }).operation === 'DELETE';

it('mutating webhooks see the object before it has a name and an identity, and change it', async (s) => {
  const handle = noting(s, 'asked', (request) =>
    isDelete(request) ? ALLOWED : patch(add('/metadata/labels', { by: 'hook' })),
  );
  await withHooks(s, 'Mutating', [{ name: 'a', handle }], async () => {
    await s.post(CONFIG_MAPS, configMap('a'));
    await s.post(CONFIG_MAPS, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { generateName: 'gen-' } });
    await s.put(`${CONFIG_MAPS}/a`, configMap('a', { a: '2' }));
    await s.merge(`${CONFIG_MAPS}/a`, { data: { b: '1' } });
    await s.delete(`${CONFIG_MAPS}/a`);
  });
});

it('fields that webhooks change have no owner until a client writes', async (s) => {
  const handle = (request: object): HookReply =>
    isDelete(request) ? ALLOWED : patch(add('/metadata/labels', { by: 'hook' }), add('/data/hooked', 'yes'));
  await withHooks(s, 'Mutating', [{ name: 'a', handle }], async () => {
    await s.apply(`${CONFIG_MAPS}/a`, 'me', configMap('a', { a: '1' }));
    await s.apply(`${CONFIG_MAPS}/a`, 'me', configMap('a', { a: '1' }));
    await s.apply(`${CONFIG_MAPS}/a`, 'me', configMap('a', { a: '2' }));
    await s.apply(`${CONFIG_MAPS}/a`, 'you', configMap('a', { hooked: 'no' }));
    await s.merge(`${CONFIG_MAPS}/a?fieldManager=them`, { data: { b: '1' } });
    await s.post(`${CONFIG_MAPS}?fieldManager=them`, configMap('b'));
  });
});

it('webhooks are called one after the other, in the order of configurations and entries', async (s) => {
  const appended = (name: string): Hook => ({
    name,
    handle: (request) => {
      const { data } = (request as unknown as { object: { data: { order?: string } } }).object;
      return patch(add('/data/order', `${data.order ?? ''}${name}`));
    },
  });
  const later = { configuration: 'later', hooks: [appended('d'), appended('c')] };
  await withHooks(s, 'Mutating', later, () =>
    withHooks(s, 'Mutating', [appended('b'), appended('a')], async () => {
      await s.post(CONFIG_MAPS, configMap('x'));
    }),
  );
});

it('a webhook is called again when a later one changed the object', async (s) => {
  const seen: string[] = [];
  const hook = (name: string, policy: string, reply: (data: Record<string, string>) => HookReply): Hook => ({
    name,
    handle: (request) => {
      seen.push(name);
      return reply((request as unknown as { object: { data: Record<string, string> } }).object.data);
    },
    fields: { reinvocationPolicy: policy },
  });
  const hooks = [
    hook('a', 'IfNeeded', (data) => patch(add('/data/a', `${(data['a'] ?? '') + 'a'}`))),
    hook('b', 'Never', () => patch(add('/data/b', 'b'))),
    hook('c', 'IfNeeded', () => ALLOWED),
    hook('d', 'IfNeeded', () => patch(add('/data/d', 'd'))),
    hook('e', 'IfNeeded', () => patch(add('/data/d', 'd'))),
  ];
  await withHooks(s, 'Mutating', hooks, async () => {
    await s.post(CONFIG_MAPS, configMap('x'));
    s.remark('asked', seen);
  });
});

it('a webhook that does not match at first is not called later', async (s) => {
  const seen: string[] = [];
  const hooks: Hook[] = [
    {
      name: 'a',
      handle: () => {
        seen.push('a');
        return ALLOWED;
      },
      fields: { reinvocationPolicy: 'IfNeeded', objectSelector: { matchLabels: { on: 'yes' } } },
    },
    {
      name: 'b',
      handle: () => {
        seen.push('b');
        return patch(add('/metadata/labels', { on: 'yes' }));
      },
    },
    {
      name: 'c',
      handle: () => {
        seen.push('c');
        return ALLOWED;
      },
      fields: { objectSelector: { matchLabels: { on: 'yes' } } },
    },
  ];
  await withHooks(s, 'Mutating', hooks, async () => {
    await s.post(CONFIG_MAPS, configMap('x'));
    s.remark('asked', seen);
  });
});

const allowedWith = (response: object): HookReply => ({ response: { allowed: true, ...response } as never });
const raw = (text: string): HookReply => allowedWith({ patchType: 'JSONPatch', patch: base64(text) });

/** Patches with something wrong about them. */
const BAD_PATCHES: readonly HookReply[] = [
  allowedWith({ patch: base64('[]') }),
  allowedWith({ patchType: 'JSONPatch' }),
  allowedWith({ patchType: '', patch: base64('[{"op":"add","path":"/data/x","value":"1"}]') }),
  allowedWith({ patchType: 'MergePatch', patch: base64('[{"op":"add","path":"/data/x","value":"1"}]') }),
  allowedWith({ patchType: 'JSONPatch', patch: '***' }),
  raw('{'),
  raw('{}'),
  raw('"text"'),
  raw('[1]'),
  raw('null'),
  raw('[]'),
  raw('[{}]'),
  raw('[{"op":"jump","path":"/data"}]'),
  raw('[{"op":"remove","path":"/data/none"}]'),
  raw('[{"op":"replace","path":"/data/none","value":"1"}]'),
  raw('[{"op":"add","path":"/none/none","value":"1"}]'),
  raw('[{"op":"test","path":"/data/a","value":"2"}]'),
  raw('[{"op":"copy","from":"/data/none","path":"/data/b"}]'),
  raw('[{"op":"add","path":"/data/x","value":1}]'),
  raw('[{"op":"add","path":"/data","value":"text"}]'),
  raw('[{"op":"add","path":"/unknown","value":"text"}]'),
  raw('[{"op":"add","path":"/metadata/name","value":"other"}]'),
  raw('[{"op":"add","path":"/metadata/namespace","value":"other"}]'),
  raw('[{"op":"add","path":"/metadata/uid","value":"mine"}]'),
  raw('[{"op":"add","path":"/metadata/resourceVersion","value":"7"}]'),
  raw('[{"op":"add","path":"/metadata/labels","value":{"!":"x"}}]'),
  raw('[{"op":"add","path":"/metadata/managedFields","value":[{"manager":"x"}]}]'),
  raw('[{"op":"remove","path":"/metadata/managedFields"}]'),
  raw('[{"op":"remove","path":"/metadata"}]'),
];

it('patches that are none, or do not fit', async (s) => {
  let reply: HookReply = ALLOWED;
  await withHooks(s, 'Mutating', [{ name: 'a', handle: () => reply }], async () => {
    for (reply of BAD_PATCHES) await s.post(`${CONFIG_MAPS}?dryRun=All`, configMap('a'));
  });
});

it('patches that are none, or do not fit, of a webhook that may be missed', async (s) => {
  let reply: HookReply = ALLOWED;
  const hooks = [{ name: 'a', handle: () => reply, fields: { failurePolicy: 'Ignore' } }];
  await withHooks(s, 'Mutating', hooks, async () => {
    for (reply of BAD_PATCHES.slice(0, 14)) await s.post(`${CONFIG_MAPS}?dryRun=All`, configMap('a'));
  });
});

it('patches of updates that do not fit', async (s) => {
  const created = await given(s, CONFIG_MAPS, configMap('a'));
  let reply: HookReply = ALLOWED;
  await withHooks(s, 'Mutating', [{ name: 'a', handle: () => reply }], async () => {
    for (reply of [
      raw('[{"op":"add","path":"/metadata/name","value":"other"}]'),
      raw('[{"op":"add","path":"/metadata/namespace","value":"other"}]'),
      raw('[{"op":"add","path":"/metadata/uid","value":"mine"}]'),
      raw('[{"op":"add","path":"/metadata/resourceVersion","value":"7"}]'),
      raw('[{"op":"add","path":"/data/c","value":"1"}]'),
    ])
      await s.put(`${CONFIG_MAPS}/a`, configMap('a', { b: '1' }, { resourceVersion: versionOf(created) }));
  });
});

it('there is nothing to patch about a delete', async (s) => {
  await given(s, CONFIG_MAPS, configMap('a'));
  let reply: HookReply = ALLOWED;
  await withHooks(s, 'Mutating', [{ name: 'a', handle: () => reply }], async () => {
    reply = patch(add('/data/x', '1'));
    await s.delete(`${CONFIG_MAPS}/a`);
    reply = { response: { allowed: false, status: { message: 'stays' } } };
    await s.delete(`${CONFIG_MAPS}/a`);
    reply = raw('[]');
    await s.delete(`${CONFIG_MAPS}/a`);
  });
});

it('what a webhook adds is defaulted and checked like everything', async (s) => {
  let reply: HookReply = ALLOWED;
  const hooks = [{ name: 'a', handle: () => reply, fields: rules(['pods', 'deployments']) }];
  await withHooks(s, 'Mutating', hooks, async () => {
    reply = patch(add('/spec/containers/-', { name: 'side', image: 'side' }));
    await s.post(PODS, pod('a'));
    reply = patch(add('/spec/containers/-', { name: 'side' }));
    await s.post(PODS, pod('b'));
    reply = patch({ op: 'remove', path: '/spec/replicas' });
    await s.post(DEPLOYMENTS, deployment('a', { replicas: 3 }));
    reply = patch(add('/status', { replicas: 3 }));
    await s.post(DEPLOYMENTS, deployment('b'));
    reply = patch(add('/spec/replicas', 'many'));
    await s.post(DEPLOYMENTS, deployment('c'));
  });
});

async function withWidgets(s: Session, run: () => Promise<void>): Promise<void> {
  const properties = { size: { type: 'integer' }, color: { type: 'string', default: 'red' }, note: { type: 'string' } };
  await givenDefinition(s, 'widgets', { versions: [specVersion(properties, { subresources: { status: {} } })] });
  try {
    await run();
  } finally {
    await dismiss(s, 'widgets');
  }
}

it('custom resources are pruned, defaulted and checked after webhooks', async (s) => {
  let reply: HookReply = ALLOWED;
  const hooks = [
    {
      name: 'a',
      handle: () => reply,
      fields: rules(['widgets', 'widgets/status'], { apiGroups: [`${s.ns}.example.com`] }),
    },
  ];
  await withWidgets(s, () =>
    withHooks(s, 'Mutating', hooks, async () => {
      const at = objectsPath('widgets');
      reply = patch(add('/spec/unknown', 1), add('/spec/note', 'hooked'), add('/unknown', { a: 1 }));
      await s.post(at, custom('Widget', 'a', { spec: { size: 1 } }));
      reply = patch({ op: 'remove', path: '/spec/color' });
      await s.post(at, custom('Widget', 'b', { spec: { color: 'blue' } }));
      reply = patch(add('/spec/size', 'large'));
      await s.post(at, custom('Widget', 'c', { spec: {} }));
      reply = patch(add('/metadata/labels', 5));
      await s.post(at, custom('Widget', 'd', { spec: {} }));
      reply = patch(add('/metadata/labels', { by: 'hook' }), add('/status', { phase: 'New' }));
      await s.post(at, custom('Widget', 'e', { spec: {} }));
      await s.merge(`${at}/e/status`, { status: { replicas: 1 } });
      reply = patch(add('/kind', 'Gadget'));
      await s.post(at, custom('Widget', 'f', { spec: {} }));
      reply = patch(add('/apiVersion', 'other/v1'));
      await s.post(at, custom('Widget', 'g', { spec: {} }));
      reply = patch(add('/spec/note', 'applied'));
      await s.apply(`${at}/h`, 'me', custom('Widget', 'h', { spec: { size: 1 } }));
    }),
  );
});

it('a webhook cannot change the kind or version of an object', async (s) => {
  let reply: HookReply = ALLOWED;
  await withHooks(s, 'Mutating', [{ name: 'a', handle: () => reply }], async () => {
    reply = patch(add('/kind', 'Nonsense'));
    await s.post(CONFIG_MAPS, configMap('a'));
    reply = patch(add('/apiVersion', 'v9'));
    await s.post(CONFIG_MAPS, configMap('b'));
    reply = patch({ op: 'remove', path: '/kind' });
    await s.post(CONFIG_MAPS, configMap('c'));
  });
});

it('a scale is changed as such', async (s) => {
  await given(s, DEPLOYMENTS, deployment('d', { replicas: 1 }));
  let reply: HookReply = ALLOWED;
  const handle = noting(s, 'asked', () => reply);
  await withHooks(s, 'Mutating', [{ name: 'a', handle, fields: rules(['deployments/scale']) }], async () => {
    const scale = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'd' }, spec: { replicas: 3 } };
    reply = patch({ op: 'replace', path: '/spec/replicas', value: 7 });
    await s.put(`${DEPLOYMENTS}/d/scale`, scale);
    await s.merge(`${DEPLOYMENTS}/d/scale`, { spec: { replicas: 2 } });
    reply = patch({ op: 'replace', path: '/spec/replicas', value: -1 });
    await s.put(`${DEPLOYMENTS}/d/scale`, scale);
    await s.get(`${DEPLOYMENTS}/d`);
  });
});

it('a write is admitted again when its object was changed meanwhile', async (s) => {
  await given(s, CONFIG_MAPS, configMap('a'));
  let isFirst = true;
  let asked = 0;
  const handle = async (): Promise<HookReply> => {
    asked += 1;
    if (isFirst) {
      isFirst = false;
      await s.quiet('PATCH', `${CONFIG_MAPS}/a`, {
        body: { data: { [`inner${asked}`]: '1' } },
        type: 'application/merge-patch+json',
      });
    }
    return patch(add('/data/asked', String(asked)));
  };
  await withHooks(s, 'Mutating', [{ name: 'a', handle }], async () => {
    await s.put(`${CONFIG_MAPS}/a`, configMap('a', { outer: '1' }));
    isFirst = true;
    await s.merge(`${CONFIG_MAPS}/a`, { data: { patched: '1' } });
    isFirst = true;
    await s.apply(`${CONFIG_MAPS}/a`, 'me', configMap('a', { applied: '1' }));
  });
});

it('refusals and warnings of mutating webhooks', async (s) => {
  let reply: HookReply = ALLOWED;
  await withHooks(s, 'Mutating', [{ name: 'a', handle: () => reply }], async () => {
    reply = allowedWith({
      warnings: ['careful'],
      patchType: 'JSONPatch',
      patch: base64('[{"op":"add","path":"/data/x","value":"1"}]'),
    });
    await s.post(CONFIG_MAPS, configMap('a'));
    reply = allowedWith({ allowed: false, status: { message: 'no', code: 409, reason: 'Conflict' } });
    await s.post(CONFIG_MAPS, configMap('b'));
    reply = { status: 500, body: 'broken' };
    await s.post(CONFIG_MAPS, configMap('c'));
  });
});
