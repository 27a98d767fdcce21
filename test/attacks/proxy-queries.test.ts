import { systemRandom } from '@capstan/kube';
import { propertySeed } from '@capstan/tools';
import { expect, it } from 'vitest';
import { askOverHttp, Lines, open } from '../proxy/ask.js';
import { Dice } from '../proxy/isolation/dice.js';
import { spelledQuery } from '../proxy/isolation/spelling.js';
import { MARK } from '../proxy/isolation/fixture.js';
import type { Fixture } from '../proxy/isolation/fixture.js';
import type { Answer } from '../translate/through.js';
import { bounded } from './bounds.js';
import { inFixture } from './proxy-fixture.js';

const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io';
const LIMIT_MS = bounded(120_000, 600_000);
/** More parameters than Go reads. */
const TOO_MANY = '&x=1'.repeat(10_000);

/** Selectors that pin a name to one reader and nothing to another. */
const SELECTORS = (name: string): readonly string[] => [
  `fieldSelector=metadata.name%3D${name};`,
  `fieldSelector=metadata.name%3D${name};x`,
  `fieldSelector=metadata.name%3D${name}%zz`,
  `fieldSelector=metadata.name%3D${name}%`,
  `fieldSelector=&fieldSelector=metadata.name%3D${name}`,
  `fieldSelector&fieldSelector=metadata.name%3D${name}`,
  `fieldSelector=,&field%53elector=metadata.name%3D${name}`,
  `FieldSelector=metadata.name%3D${name}`,
  `?fieldSelector=metadata.name%3D${name}`,
  `+fieldSelector=metadata.name%3D${name}`,
  `fieldSelector=metadata.name!%3D${name}`,
  `fieldSelector=%20metadata.name%3D${name}`,
  `fieldSelector=metadata.name%3D${name}${TOO_MANY}`,
  'fieldSelector=metadata.name%3D',
  'labelSelector=a;',
];

it('no query deletes the CRDs of the platform', { timeout: LIMIT_MS }, () =>
  inFixture(async (fixture) => {
    const { direct, names, url } = fixture;
    const before = await fixture.platform();
    const ask = askOverHttp(url);
    for (const selector of SELECTORS(`none.${names.standard}`)) {
      const { status, text } = await ask(`${CRDS}?${selector}`, { method: 'DELETE' });
      expect([400, 403], `${selector.slice(0, 80)}`).toContain(status);
      expect(JSON.parse(text)).toMatchObject({ kind: 'Status', status: 'Failure', code: status });
    }
    expect(await fixture.platform()).toEqual(before);
    expect((await direct(`${CRDS}/gadgets.${names.hidden}`)).status).toBe(200);
  }),
);

/** What comes of a request within a moment, whether or not it ends by itself. */
async function glimpse(url: string, target: string, accept: string): Promise<string> {
  const { request, response } = await open(url, target, { accept });
  const lines = new Lines(response);
  await Promise.race([
    lines.until((_, end) => end !== undefined),
    new Promise((resolve) => setTimeout(resolve, bounded(150, 1000))),
  ]);
  request.destroy();
  return lines.all.join('\n');
}

it('no way to ask for a table or a watch shows the CRDs of the platform', { timeout: LIMIT_MS }, () =>
  inFixture(async ({ url }) => {
    const queries = ['', 'watch=1', 'watch=1;', 'watch=%zz', 'watch', 'watch=FALSE', 'watch=0&watch=1', 'w%61tch=1'];
    const accepts = [
      TABLE,
      'application/json;as =Table;v=v1;g=meta.k8s.io',
      'application/json;as= Table;v=v1;g=meta.k8s.io',
    ];
    const asked = queries.flatMap((query) => accepts.map((accept) => [query, accept] as const));
    const shown = await Promise.all(asked.map(([query, accept]) => glimpse(url, `${CRDS}?${query}`, accept)));
    for (const [index, text] of shown.entries()) {
      expect(text, `${asked[index]?.join(' ')}`).not.toContain(MARK);
      expect(text, `${asked[index]?.join(' ')}`).not.toContain('hypershift');
    }
  }),
);

/** Which of the two CRDs an answer lists, by the names a client of the proxy knows. */
function listed({ names }: Fixture, { status, text }: Answer, toClient: (name: string) => string): string[] | number {
  if (status !== 200) return status;
  const { items } = JSON.parse(text) as { items: { metadata: { name: string } }[] };
  const found = items.map(({ metadata }) => metadata.name).filter((name) => name.startsWith('gadgets.wild-'));
  return found.map(toClient).filter((name) => name === `gadgets.${names.standard}`);
}

it('a query is read as the server reads it, or refused', { timeout: LIMIT_MS }, () =>
  inFixture(async (fixture) => {
    const { direct, names, url } = fixture;
    const seed = propertySeed();
    const dice = new Dice(systemRandom(seed));
    const ask = askOverHttp(url);
    const platforms = `gadgets.${names.standard}`;
    let understood = 0;
    for (let at = 0; at < bounded(120, 3000); at += 1) {
      const name = dice.one([platforms, `none.${names.standard}`]);
      const query = spelledQuery(
        dice,
        dice.one([
          `fieldSelector=metadata.name%3D${name}`,
          `limit=500&fieldSelector=metadata.name==${name}`,
          `fieldSelector=metadata.name!%3D${name}&labelSelector=a!%3Db`,
          `labelSelector=!a,b+notin+(c)&fieldSelector=metadata.name%3D${name},metadata.name!%3Dx`,
        ]),
      );
      const through = await ask(`${CRDS}?${query}`);
      const summary = `seed ${seed}: ${query.slice(-300)}: ${through.status} ${through.text.slice(0, 300)}`;
      expect(through.text, `${summary}`).not.toContain(MARK);
      if (through.text.includes('can be read in two ways')) continue;
      understood += 1;
      // What the server is to be asked, and what of it a client is to see.
      const answer = await direct(`${CRDS}?${query.replaceAll(names.standard, names.hidden)}`);
      const expected = listed(fixture, answer, (found) =>
        found === platforms ? 'hidden' : found.replace(names.hidden, names.standard),
      );
      expect(
        listed(fixture, through, (found) => found),
        `${summary}`,
      ).toEqual(expected);
    }
    expect(understood).toBeGreaterThan(bounded(20, 500));
  }),
);
