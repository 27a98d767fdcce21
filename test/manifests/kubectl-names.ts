import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Client } from '@capstan/kube';
import { expect } from 'vitest';
import { findKubectls } from '../kubectl/binaries.js';

const run = promisify(execFile);
const PRIVATE = 'cluster.hypershift.openshift.io';
const STANDARD = 'cluster.x-k8s.io';

/** What install prints about names, as a user reads it. */
export function readNote(printed: string): {
  readonly typed: string;
  readonly lists: string;
  readonly instead: string;
  /** Minor version of kubectl before which that may differ. */
  readonly until: number;
} {
  const [, typed = '', lists = '', instead = '', until = ''] =
    /^note: (kubectl get \w+) now lists ([\w.-]+): write ([\w.-]+) for those of the platform.*; kubectl before 1\.(\d+) may go on/mu.exec(
      printed,
    ) ?? [];
  return { typed, lists, instead, until: Number(until) };
}

/** Since when kubectl asks for aggregated discovery by its stable version, and for the beta only after it. */
const STABLE_SINCE = 30;

/** Whether a kubectl gets aggregated discovery, which ignores the order of groups; else it reads that of `/apis`. */
async function isAggregated(client: Client, minor: number): Promise<boolean> {
  const accepted = ['v2beta1', ...(minor < STABLE_SINCE ? [] : ['v2'])].map(
    (version) => `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`,
  );
  const accept = [...accepted, 'application/json'].join(',');
  const { headers } = await client.request({ method: 'GET', target: '/apis', accept });
  return String(headers['content-type']).includes('as=APIGroupDiscoveryList');
}

/**
 * Every kubectl of this machine resolves names as install has printed it, where both groups have Machines: one that gets no
 * aggregated discovery goes on listing those of the platform.
 */
export async function resolvesAsPrinted(
  client: Client,
  note: ReturnType<typeof readNote>,
  {
    folder,
    kubeconfig,
    namespace,
  }: { readonly folder: string; readonly kubeconfig: string; readonly namespace: string },
): Promise<void> {
  expect(note).toEqual({
    typed: 'kubectl get machines',
    lists: `machines.${PRIVATE}`,
    instead: `machines.${STANDARD}`,
    until: STABLE_SINCE,
  });
  const [, ...typed] = note.typed.split(' ');
  for (const { minor, path } of findKubectls()) {
    const kubectl = async (...args: readonly string[]): Promise<readonly [number, string]> => {
      const all = ['--kubeconfig', kubeconfig, '-n', namespace, ...args, '-o', 'name'];
      const env = { HOME: `${folder}/kubectl-${minor}`, PATH: process.env['PATH'] ?? '' };
      return [minor, (await run(path, all, { env })).stdout];
    };
    const ofPrivate = [minor, `machine.${PRIVATE}/m\n`];
    const ofStandard = [minor, `machine.${STANDARD}/platform\n`];
    const hasChanged = await isAggregated(client, minor);
    if (!hasChanged) expect(minor).toBeLessThan(note.until);
    expect(await kubectl(...typed)).toEqual(hasChanged ? ofPrivate : ofStandard);
    expect(await kubectl('get', note.lists)).toEqual(ofPrivate);
    expect(await kubectl('get', note.instead)).toEqual(ofStandard);
  }
}
