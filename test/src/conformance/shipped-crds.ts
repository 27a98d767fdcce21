import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { eventually, SERVER_LIMITS } from '../wait.js';
import type { Backend } from './backend.js';
import { CRDS } from './crds.js';
import type { Session } from './session.js';

const FOLDER = fileURLToPath(new URL('../../../api/crds', import.meta.url));

/** Every file of a CRD, by its path in the folder. */
export function shippedFiles(): readonly string[] {
  return readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.yaml'))
    .toSorted();
}

/** A server that is too old for a function of CEL refuses every rule that calls it. */
const MISSING: Readonly<Record<string, RegExp>> = { 'real-1.30': /\b(?:format\.\w+|isIP|isCIDR)\(/ };

/** Whether a server does not know a function of one of its rules. */
export function isRefused(backend: Backend, file: string): boolean {
  return MISSING[backend.name]?.test(readFileSync(`${FOLDER}/${file}`, 'utf8')) === true;
}

/** The text of a CRD with another group. */
export function inGroup(file: string, group: string): string {
  const theirs = file.slice(0, file.indexOf('/')).replaceAll('.', '\\.');
  const named = new RegExp(`^( +group: |  name: \\w+\\.)${theirs}$`, 'gm');
  return readFileSync(`${FOLDER}/${file}`, 'utf8').replaceAll(named, `$1${group}`);
}

/** Creates a CRD in a group of its own and waits until it is served. */
export async function install(s: Session, file: string, group: string): Promise<void> {
  const created = await s.quiet('POST', CRDS, { raw: inGroup(file, group), type: 'application/yaml' });
  expect([created.status, created.status === 201 ? '' : created.text]).toEqual([201, '']);
  const name = created.object().metadata.name ?? '';
  expect(name.endsWith(`.${group}`)).toBe(true);
  await eventually(
    `${name} being established`,
    async () => {
      const { conditions } = ((await s.quiet('GET', `${CRDS}/${name}`)).object()['status'] ?? {}) as {
        conditions?: { type: string; status: string }[] | null;
      };
      return (conditions ?? []).some(({ type, status }) => type === 'Established' && status === 'True');
    },
    SERVER_LIMITS,
  );
}

/** Removes every CRD of the test. */
export async function removeAll(s: Session): Promise<void> {
  const { items } = (await s.quiet('GET', CRDS)).body as { items: { metadata: { name: string } }[] };
  const ours = items.filter(({ metadata }) => metadata.name.endsWith(`.${s.ns}.example.com`));
  await Promise.all(ours.map(({ metadata }) => s.quiet('DELETE', `${CRDS}/${metadata.name}`)));
}

/** Creates an object once the server has opened its storage. */
export async function create(s: Session, target: string, body: object): Promise<Record<string, unknown>> {
  await eventually(
    `${target} being served`,
    async () => ![404, 429].includes((await s.quiet('GET', target)).status),
    SERVER_LIMITS,
  );
  const created = await s.quiet('POST', target, { body });
  expect([created.status, created.status === 201 ? '' : created.text]).toEqual([201, '']);
  return created.object();
}
