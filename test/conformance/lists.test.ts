import { expect } from 'vitest';
import { CONFIG_MAPS, PODS, cached, configMap, given, pod, versionOf } from '../src/conformance/objects.js';
import type { Answer, Session } from '../src/conformance/session.js';
import { suite } from '../src/conformance/suite.js';

const it = suite('lists');

interface List {
  readonly metadata: { readonly continue?: string; readonly resourceVersion: string };
  readonly items: { readonly metadata: { readonly name: string; readonly namespace: string } }[];
}

const listOf = (answer: Answer): List => answer.body as List;
const tokenOf = (answer: Answer): string => encodeURIComponent(listOf(answer).metadata.continue ?? '');

async function five(s: Session): Promise<void> {
  for (const name of ['c', 'a', 'e', 'b', 'd'])
    await given(s, CONFIG_MAPS, configMap(name, {}, { labels: { odd: String('ace'.includes(name)) } }));
}

/** Continues without writing down the token. */
async function next(s: Session, page: Answer, query = ''): Promise<Answer> {
  const answer = await s.call('GET', `${CONFIG_MAPS}?limit=2&continue=${tokenOf(page)}${query}`);
  s.steps.push({ ...(s.steps.pop() ?? { status: 0 }), request: `the next page${query}` });
  return answer;
}

it('items are listed in the order of their names', async (s) => {
  await five(s);
  await s.get(CONFIG_MAPS);
});

it('names are ordered by bytes', async (s) => {
  for (const name of ['a-b', 'a.b', 'a0', 'a', 'ab', 'a-', 'b'].filter((each) => each !== 'a-'))
    await given(s, CONFIG_MAPS, configMap(name, {}));
  await s.get(CONFIG_MAPS);
});

it('a list is cut into pages', async (s) => {
  await five(s);
  const first = await s.get(`${CONFIG_MAPS}?limit=2`);
  const second = await next(s, first);
  const third = await next(s, second);
  expect(listOf(third).metadata.continue).toBeUndefined();
  expect(listOf(third).metadata.resourceVersion).toBe(listOf(first).metadata.resourceVersion);
  await s.get(`${CONFIG_MAPS}?limit=5`);
  await s.get(`${CONFIG_MAPS}?limit=500`);
});

it('pages belong to one snapshot whatever is written meanwhile', async (s) => {
  await five(s);
  const first = await s.get(`${CONFIG_MAPS}?limit=2`);
  await s.quiet('DELETE', `${CONFIG_MAPS}/c`);
  await given(s, CONFIG_MAPS, configMap('bb', {}));
  await s.quiet('PATCH', `${CONFIG_MAPS}/d`, {
    body: { data: { changed: 'yes' } },
    type: 'application/merge-patch+json',
  });
  await next(s, await next(s, first));
});

it('pages with a selector do not report how much is left', async (s) => {
  await five(s);
  const first = await s.get(`${CONFIG_MAPS}?limit=2&labelSelector=odd%3Dtrue`);
  await next(s, first, '&labelSelector=odd%3Dtrue');
});

it('a version together with a continue token is refused unless it is 0', async (s) => {
  await five(s);
  await cached(s, CONFIG_MAPS, versionOf(await s.quiet('GET', `${CONFIG_MAPS}/d`)));
  const first = await s.get(`${CONFIG_MAPS}?limit=2`);
  await next(s, first, '&resourceVersion=1');
  await next(s, first, '&resourceVersion=0');
  await next(s, first, '&resourceVersionMatch=Exact');
  await next(s, first, '&resourceVersionMatch=NotOlderThan&resourceVersion=1');
});

it('version 0 accepts any state and ignores limits', async (s) => {
  await five(s);
  await cached(s, CONFIG_MAPS, versionOf(await s.quiet('GET', `${CONFIG_MAPS}/d`)));
  const answer = await s.quiet('GET', `${CONFIG_MAPS}?limit=2&resourceVersion=0`);
  s.remark(
    'names',
    listOf(answer).items.map(({ metadata }) => metadata.name),
  );
  s.remark('continue', listOf(answer).metadata.continue ?? 'none');
});

it('an exact version shows the past', async (s) => {
  await five(s);
  const before = versionOf(await s.quiet('GET', `${CONFIG_MAPS}/d`));
  await s.quiet('DELETE', `${CONFIG_MAPS}/a`);
  await s.quiet('PATCH', `${CONFIG_MAPS}/b`, {
    body: { data: { changed: 'yes' } },
    type: 'application/merge-patch+json',
  });
  for (const query of [
    'resourceVersionMatch=Exact',
    'limit=3',
    'resourceVersionMatch=NotOlderThan',
    'resourceVersionMatch=NotOlderThan&limit=2',
    'resourceVersionMatch=Exact&limit=2',
    '',
  ]) {
    const answer = await s.quiet('GET', `${CONFIG_MAPS}?resourceVersion=${before}&${query}`);
    const { items, metadata } = listOf(answer);
    s.remark(query, {
      names: items.map((each) => each.metadata.name),
      isPast: metadata.resourceVersion === before,
      more: metadata.continue !== undefined,
    });
  }
});

it('label selectors choose by every operator', async (s) => {
  await given(s, CONFIG_MAPS, configMap('a', {}, { labels: { tier: 'web', n: '5' } }));
  await given(s, CONFIG_MAPS, configMap('b', {}, { labels: { tier: 'db' } }));
  await given(s, CONFIG_MAPS, configMap('c', {}));
  for (const selector of [
    'tier=web',
    'tier==web',
    'tier!=web',
    'tier in (web,db)',
    'tier notin (web)',
    'tier',
    '!tier',
    'n>4',
    'n<5',
    'tier=web,n=5',
    'tier=',
    'tier in ()',
    ' tier = web ',
  ]) {
    const answer = await s.quiet('GET', `${CONFIG_MAPS}?labelSelector=${encodeURIComponent(selector)}`);
    s.remark(selector, answer.status === 200 ? listOf(answer).items.map(({ metadata }) => metadata.name) : answer.body);
  }
});

it('field selectors choose by name and by the fields of the kind', async (s) => {
  await given(s, PODS, pod('a', {}, { nodeName: 'n1' }));
  await given(s, PODS, pod('b', {}, { nodeName: 'n2', serviceAccountName: 'sa', restartPolicy: 'Never' }));
  for (const selector of [
    'metadata.name=a',
    'metadata.name!=a',
    'metadata.namespace={ns}',
    'metadata.namespace=other',
    'spec.nodeName=n1',
    'spec.nodeName!=n1',
    'status.phase=Pending',
    'status.phase!=Pending',
    'spec.restartPolicy=Never',
    'spec.serviceAccountName=sa',
    'spec.schedulerName=default-scheduler',
    'spec.hostNetwork=false',
    'status.podIP=',
    'metadata.name=a,spec.nodeName=n2',
  ]) {
    const answer = await s.quiet('GET', `${PODS}?fieldSelector=${encodeURIComponent(selector.replace('{ns}', s.ns))}`);
    s.remark(selector, answer.status === 200 ? listOf(answer).items.map(({ metadata }) => metadata.name) : answer.body);
  }
});

it('field selectors of other kinds choose by their own fields', async (s) => {
  const secret = (name: string, type: string): Record<string, unknown> => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name },
    type,
    data: {},
  });
  const secrets = '/api/v1/namespaces/{ns}/secrets';
  await given(s, secrets, secret('a', 'Opaque'));
  await given(s, secrets, secret('b', 'example.com/own'));
  for (const selector of ['type=Opaque', 'type!=Opaque', 'data=x']) {
    const answer = await s.quiet('GET', `${secrets}?fieldSelector=${encodeURIComponent(selector)}`);
    s.remark(selector, answer.status === 200 ? listOf(answer).items.map(({ metadata }) => metadata.name) : answer.body);
  }
  await s.get('/api/v1/namespaces?fieldSelector=status.phase%3DActive,metadata.name%3D{ns}');
});

it('a list over all namespaces holds those of each', async (s) => {
  await given(s, CONFIG_MAPS, configMap('x', {}, { labels: { 'all-{ns}': 'yes' } }));
  await given(s, CONFIG_MAPS, configMap('y', {}, { labels: { 'all-{ns}': 'yes' } }));
  await s.get('/api/v1/configmaps?labelSelector=all-{ns}%3Dyes');
  await s.get('/api/v1/configmaps?fieldSelector=metadata.namespace%3D{ns}');
});

it('pages go on across namespaces', async (s) => {
  const other = 'other-{ns}';
  await s.quiet('POST', '/api/v1/namespaces', {
    body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: other } },
  });
  for (const namespace of ['{ns}', other]) {
    for (const name of ['a', 'b', 'a-b']) {
      await given(
        s,
        `/api/v1/namespaces/${namespace}/configmaps`,
        configMap(name, {}, { labels: { 'page-{ns}': 'x' } }),
      );
    }
  }
  const seen: string[] = [];
  let token = '';
  for (let page = 0; page < 10; page += 1) {
    const answer = await s.quiet('GET', `/api/v1/configmaps?limit=2&labelSelector=page-{ns}&continue=${token}`);
    seen.push(...listOf(answer).items.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`));
    token = tokenOf(answer);
    if (token === '') break;
  }
  s.remark('seen', seen);
});

it('a collection is deleted page by page when the request has a limit', async (s) => {
  await five(s);
  await s.delete(`${CONFIG_MAPS}?limit=2`);
  await s.get(CONFIG_MAPS);
});
