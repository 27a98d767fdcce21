import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { KubeObject, Transport } from '@capstan/meta';
import { CLUSTER_API_RULES, GroupMapping } from '@capstan/translate';
import { mirrorDefinition, readObjects } from '@capstan/translate/mirror';
import type { CachedModule } from '@capstan/tools';
import { describe, expect, it } from 'vitest';
import { DEFINITIONS } from '../convert/converter.js';
import { Fixture } from '../runtime/fixture.js';

const FOLDER = fileURLToPath(new URL('../../api/crds', import.meta.url));
const AT_ONCE = 8;
const LIMIT_MS = 400_000;
/** A busy server takes its time over a hundred CRDs. */
const ESTABLISHED_MS = 60_000;
const GONE_MS = 120_000;
const POLL_MS = 500;
/** So many may be forgotten ones; more are being worked on. */
const FEW = 5;
const mapping = new GroupMapping(CLUSTER_API_RULES);
const options = { mapping, shim: { namespace: 'hypershift', name: 'capi-conversion-webhook-shim' } };

/** The CRDs that we hand out ourselves, of groups that have a private name. */
export function ownDefinitions(groups = readdirSync(FOLDER)): CachedModule {
  const standard = groups.filter((group) => mapping.side(group) === 'standard');
  const files = standard.flatMap((group) => readdirSync(`${FOLDER}/${group}`).map((file) => `${group}/${file}`));
  const definitions = new Map(files.map((file) => [file, readFileSync(`${FOLDER}/${file}`, 'utf8')]));
  return { module: 'api/crds', definitions };
}

type Condition = { readonly type: string; readonly status: string };

/** A CRD and its private copy, or why the server accepts neither. */
interface Pair {
  readonly file: string;
  readonly names: readonly string[];
  readonly refusal: string;
}

/** The refusal of the server for a CRD; empty when it accepts it. */
async function create({ client }: Fixture, definition: KubeObject): Promise<string> {
  return client.create(DEFINITIONS, definition).then(
    () => '',
    // The many faults of one schema come in no order.
    (error: Error) => error.message.replace(/(?<= is invalid: ).*/s, '…'),
  );
}

async function createPair(fixture: Fixture, file: string, standard: KubeObject): Promise<Pair> {
  const { definition: privateCrd } = mirrorDefinition(standard, options);
  const names = [standard, privateCrd].map(({ metadata }) => metadata.name ?? '');
  const [refusal, privateRefusal] = [await create(fixture, standard), await create(fixture, privateCrd)];
  // What a server is too old for it refuses in both.
  expect(privateRefusal.replaceAll(names[1] ?? '', names[0] ?? '')).toBe(refusal);
  return { file, names: refusal === '' ? names : [], refusal };
}

/** What the server has made of a CRD. */
async function conditionsOf({ client }: Fixture, name: string): Promise<string[]> {
  const { status } = await client.get(DEFINITIONS, name);
  const { conditions } = (status ?? {}) as { conditions?: readonly Condition[] | null };
  return (conditions ?? []).filter((each) => each.status === 'True').map(({ type }) => type);
}

/** Which of the CRDs are still there. Now and then a busy server forgets one until something of it changes. */
async function leftOf({ client }: Fixture, names: readonly string[]): Promise<string[]> {
  const { items } = await client.list(DEFINITIONS, { metadataOnly: true });
  const there = new Set(items.map(({ metadata }) => metadata.name));
  const left = names.filter((name) => there.has(name));
  if (left.length <= FEW) {
    const value = { metadata: { annotations: { 'example.com/asked': String(performance.now()) } } };
    await inTurns(left, (name) => client.patch(DEFINITIONS, name, { type: 'merge', value }).catch(() => undefined));
  }
  return left;
}

/** Does something with all, a few at a time. */
async function inTurns<T>(all: readonly T[], each: (one: T) => Promise<unknown>): Promise<void> {
  for (let at = 0; at < all.length; at += AT_ONCE) await Promise.all(all.slice(at, at + AT_ONCE).map(each));
}

/** All CRDs of a module and their private copies on one server. */
async function describeModule(fixture: Fixture, definitions: ReadonlyMap<string, string>): Promise<Pair[]> {
  const pairs: Pair[] = [];
  const names = (): string[] => pairs.flatMap((pair) => pair.names);
  try {
    await inTurns([...definitions], async ([file, text]) => {
      for (const { object } of readObjects(text, file))
        pairs.push(await createPair(fixture, file, object as KubeObject));
    });
    await inTurns(names(), async (name) => {
      await expect
        .poll(() => conditionsOf(fixture, name), { timeout: ESTABLISHED_MS, interval: POLL_MS, message: name })
        .toEqual(expect.arrayContaining(['Established', 'NamesAccepted']));
    });
  } finally {
    await inTurns(names(), (name) => fixture.client.delete(DEFINITIONS, name));
    await expect.poll(() => leftOf(fixture, names()), { timeout: GONE_MS, interval: POLL_MS }).toEqual([]);
  }
  return pairs;
}

/** Mirrors every CRD of the modules; `refuses` selects the texts of which the server may refuse both. */
export function describePrivateCrds(
  name: string,
  connect: () => Promise<Transport>,
  modules: readonly CachedModule[],
  refuses: (text: string) => boolean = () => false,
): void {
  describe(`private CRDs on ${name}`, () => {
    for (const { definitions, module } of modules) {
      const title = `${module} is mirrored, and the private CRDs are accepted together with the standard ones`;
      it.skipIf(definitions === undefined)(
        definitions === undefined ? `${title}: not in Go's module cache` : title,
        async () => {
          const fixture = await Fixture.create(await connect());
          const pairs = await describeModule(fixture, definitions ?? new Map<string, string>());
          await fixture.end();
          expect(pairs.length).toBeGreaterThan(0);
          const refused = pairs.filter(({ file, refusal }) => refusal !== '' && !refuses(definitions?.get(file) ?? ''));
          expect(refused).toEqual([]);
        },
        LIMIT_MS,
      );
    }
  });
}
