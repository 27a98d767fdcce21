import { CONFIG_MAPS, configMap, given } from '../src/conformance/objects.js';
import type { Session } from '../src/conformance/session.js';
import { suite } from '../src/conformance/suite.js';

const it = suite('queries');

/** More parameters than Go reads. */
const TOO_MANY = '&x=1'.repeat(10_000);

async function three(s: Session): Promise<void> {
  for (const name of ['a', 'b', 'c']) await given(s, CONFIG_MAPS, configMap(name));
}

/** Which objects a list with this query has, or what it is answered. */
async function listed(s: Session, query: string): Promise<unknown> {
  const answer = await s.quiet('GET', `${CONFIG_MAPS}?${query}`);
  if (answer.status !== 200) return answer.body;
  const { items } = answer.object() as unknown as { items: { metadata: { name: string } }[] };
  return items.map(({ metadata }) => metadata.name).filter((name) => name.length === 1);
}

it('parameters that Go cannot read are not read', async (s) => {
  await three(s);
  for (const query of [
    'fieldSelector=metadata.name%3Da',
    'fieldSelector=metadata.name%3Da;',
    'fieldSelector=metadata.name%3Da;b',
    ';&fieldSelector=metadata.name%3Da',
    'fieldSelector=metadata.name%3Da%zz',
    'fieldSelector=metadata.name%3Da%',
    'fieldSelector=metadata.name%3Da%3B',
    'fieldSelector=metadata.name%3Da&%zz=1',
    'field%53elector=metadata.name%3Da',
    'FieldSelector=metadata.name%3Da',
    '?fieldSelector=metadata.name%3Da',
    '&&fieldSelector=metadata.name%3Da&',
    '=x&fieldSelector=metadata.name%3Da',
    'fieldSelector=metadata.name%3Da&fieldSelector=metadata.name%3Db',
    'fieldSelector=&fieldSelector=metadata.name%3Da',
    'fieldSelector=metadata.name=a',
    'fieldSelector=metadata.name==a',
    'fieldSelector=metadata.name===a',
    'fieldSelector=metadata.name!=a',
    'fieldSelector=metadata.name%3Da,',
    'fieldSelector=metadata.name%3D',
    'fieldSelector=%20metadata.name%3Da',
    'fieldSelector=metadata.name%3D+a',
    'fieldSelector=metadata.name%3Da%5C',
    'fieldSelector=metadata.name%3Da%5C%2Cb',
    'fieldSelector=metadata.name%3D%61%00',
    'fieldSelector=metadata.name%3Da#b',
  ])
    s.remark(query, await listed(s, query));
  s.remark('with too many others', await listed(s, `fieldSelector=metadata.name%3Da${TOO_MANY}`));
  s.remark('with many others', await listed(s, `fieldSelector=metadata.name%3Da${TOO_MANY.slice(4)}`));
});

it('a selector that Go cannot read deletes everything', async (s) => {
  await three(s);
  await s.delete(`${CONFIG_MAPS}?fieldSelector=metadata.name%3Da&dryRun=All;`);
  s.remark('after one was named', await listed(s, ''));
  await s.delete(`${CONFIG_MAPS}?fieldSelector=metadata.name%3Dx;`);
  s.remark('after none was named', await listed(s, ''));
});

/** Whether a query is answered with a list, or with events until the second is over. */
async function answeredWith(s: Session, query: string): Promise<string> {
  const { body } = (await s.watch(`${CONFIG_MAPS}?timeoutSeconds=1&${query}`)).response;
  if (body.type !== 'payload') return body.type;
  return Buffer.concat(body.chunks()).toString().startsWith('{"kind":"ConfigMapList"') ? 'list' : 'watch';
}

it('any value of watch except false and 0 asks for a watch', async (s) => {
  await given(s, CONFIG_MAPS, configMap('a'));
  const queries = ['watch', 'watch=', 'watch=no', 'watch=f', 'w%61tch=1', 'watch=x&watch=0', 'watch=0&watch=x'];
  const refusals = ['watch=0', 'watch=false', 'watch=FALSE', 'watch=False', 'watch=1;', 'watch=%zz', 'Watch=1'];
  const all = [...queries, ...refusals];
  const answers = await Promise.all(all.map((query) => answeredWith(s, query)));
  for (const [index, query] of all.entries()) s.remark(query, answers[index]);
  await s.get(`${CONFIG_MAPS}/a?watch=yes&resourceVersion=0`);
});
