import { expect } from 'vitest';
import type { Answer, Ask } from '../../translate/through.js';
import { askOverHttp, Lines, open } from '../ask.js';
import { definition } from './fixture.js';
import type { Fixture } from './fixture.js';
import { eventually } from '../../src/wait.js';

const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
const MERGE = 'application/merge-patch+json';

interface Discovered {
  readonly items?: readonly {
    readonly metadata: { readonly name: string };
    readonly versions: readonly { readonly version: string }[];
  }[];
  readonly groups?: readonly { readonly name: string; readonly versions: readonly { readonly version: string }[] }[];
}

/** The versions of a group, as both forms of discovery list them; undefined when there is no such group. */
async function versionsOf(ask: Ask, group: string): Promise<readonly (readonly string[] | undefined)[]> {
  const documents = await Promise.all([AGGREGATED, 'application/json'].map((accept) => ask('/apis', { accept })));
  return documents.map(({ text }) => {
    const { groups = [], items = [] } = JSON.parse(text) as Discovered;
    const all = [...groups, ...items.map(({ metadata, versions }) => ({ name: metadata.name, versions }))];
    const found = all.filter(({ name }) => name === group);
    expect(found.length).toBeLessThanOrEqual(1);
    return found[0]?.versions.map(({ version }) => version);
  });
}

function gadgets({ namespace }: Fixture['names'], group: string): string {
  return `/apis/${group}/v1/namespaces/${namespace}/gadgets`;
}

function annotated(ask: Ask, name: string, note: string): Promise<Answer> {
  const body = JSON.stringify({ metadata: { annotations: { note } } });
  return ask(`${CRDS}/${name}`, { method: 'PATCH', type: MERGE, body });
}

/** The platform serves v1 and v2, the private kind v1 and v1beta1. */
async function ownVersions({ names, url }: Fixture): Promise<void> {
  const ask = askOverHttp(url);
  await eventually('both forms of discovery are up to date', async () => {
    const found = await versionsOf(ask, names.standard);
    return found.every((versions) => versions?.length === 2) ? true : undefined;
  });
  for (const versions of await versionsOf(ask, names.standard)) expect(versions).toEqual(['v1', 'v1beta1']);
  expect((await ask(`/apis/${names.standard}/v1beta1`)).status).toBe(200);
  expect((await ask(`/apis/${names.standard}/v2`)).status).toBe(404);
}

/** Lines of a watch of CRDs, and a change of ours that closes it: whatever came before is there. */
async function watchedUntil({ names, url }: Fixture, act: () => Promise<void>): Promise<readonly string[]> {
  const ask = askOverHttp(url);
  const ours = `gadgets.${names.standard}`;
  const opened = await open(url, `${CRDS}?watch=true`);
  const lines = new Lines(opened.response);
  await annotated(ask, ours, 'first');
  const has = (note: string) => (all: readonly string[]) => all.some((line) => line.includes(`"note":"${note}"`));
  await lines.until(has('first'));
  await act();
  await annotated(ask, ours, 'last');
  await lines.until(has('last'));
  opened.request.destroy();
  return lines.all;
}

function hasNothingOfPlatform(lines: readonly string[], { names }: Fixture): void {
  const events = lines.map(
    (line) => JSON.parse(line) as { object: { metadata: { name: string; annotations: object } } },
  );
  expect(events.filter(({ object }) => object.metadata.name === `gadgets.${names.standard}`).length).toBeGreaterThan(1);
  for (const line of lines) expect(line).not.toMatch(/of-the-platform-alone|hypershift/);
}

async function platformUpgrades(fixture: Fixture): Promise<void> {
  const { direct, names } = fixture;
  const lines = await watchedUntil(fixture, async () => {
    const { status, text } = await annotated(direct, `gadgets.${names.standard}`, 'upgraded');
    expect(status).toBe(200);
    expect(text).toContain('upgraded');
  });
  hasNothingOfPlatform(lines, fixture);
  expect(lines.join('')).not.toContain('upgraded');
}

async function platformLeaves(fixture: Fixture): Promise<void> {
  const { direct, names, url } = fixture;
  const ask = askOverHttp(url);
  const body = JSON.stringify({ apiVersion: `${names.standard}/v1`, kind: 'Gadget', metadata: { name: 'same' } });
  expect((await ask(gadgets(names, names.standard), { method: 'POST', body })).status).toBe(201);
  const lines = await watchedUntil(fixture, async () => {
    await direct(`${CRDS}/gadgets.${names.standard}`, { method: 'DELETE' });
    await eventually('the CRD of the platform is gone', async () =>
      (await direct(`${CRDS}/gadgets.${names.standard}`)).status === 404 ? true : undefined,
    );
  });
  hasNothingOfPlatform(lines, fixture);
  expect(lines.join('')).not.toContain('"DELETED"');
  expect((await ask(`${gadgets(names, names.standard)}/same`)).status).toBe(200);
  expect((await ask(`${CRDS}/gadgets.${names.standard}`)).status).toBe(200);
}

async function oursLeavesAndComesBack(fixture: Fixture): Promise<void> {
  const { direct, names, url } = fixture;
  const ask = askOverHttp(url);
  const before = await fixture.platform();
  const ours = gadgets(names, names.standard);
  const body = JSON.stringify({ apiVersion: `${names.standard}/v1`, kind: 'Gadget', metadata: { name: 'same' } });
  expect((await ask(ours, { method: 'POST', body })).status).toBe(201);
  const lines = await watchedUntilGone(fixture);
  expect(lines.some((line) => line.startsWith('{"type":"DELETED"') && line.includes(`gadgets.${names.standard}`))).toBe(
    true,
  );
  await eventually('nothing is served', async () => ((await ask(ours)).status === 404 ? true : undefined));
  await eventually('the group is not discovered', async () => {
    const found = await versionsOf(ask, names.standard);
    return found.every((versions) => versions === undefined) ? true : undefined;
  });
  expect((await ask(`${CRDS}/gadgets.${names.standard}`)).status).toBe(404);
  const made = await ask(CRDS, { method: 'POST', body: definition(names.standard, ['v1', 'v1beta1'], 'ours again') });
  expect(made.status).toBe(201);
  await eventually('it is served again', async () => ((await ask(ours)).status === 200 ? true : undefined));
  expect((JSON.parse((await ask(ours)).text) as { items: unknown[] }).items).toEqual([]);
  expect((await direct(`${CRDS}/gadgets.${names.hidden}`)).text).toContain('ours again');
  expect(await fixture.platform()).toEqual(before);
}

async function watchedUntilGone({ names, url }: Fixture): Promise<readonly string[]> {
  const ask = askOverHttp(url);
  const opened = await open(url, `${CRDS}?watch=true`);
  const lines = new Lines(opened.response);
  expect((await ask(`${CRDS}/gadgets.${names.standard}`, { method: 'DELETE' })).status).toBe(200);
  await lines.until((all) => all.some((line) => line.startsWith('{"type":"DELETED"')));
  opened.request.destroy();
  return lines.all;
}

/** What may happen to a kind that is there twice. */
export const CONFLICTS: readonly (readonly [name: string, run: (fixture: Fixture) => Promise<void>])[] = [
  ["the versions that are discovered are those of the private kind, not the platform's", ownVersions],
  ['no client notices that the platform changes its CRD', platformUpgrades],
  ['no client notices that the platform removes its CRD', platformLeaves],
  ["a private CRD that is removed does not uncover the platform's, and comes back", oursLeavesAndComesBack],
];
