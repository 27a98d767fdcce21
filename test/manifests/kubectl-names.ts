import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
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
} {
  const [, typed = '', lists = '', instead = ''] =
    /^note: (kubectl get \w+) now lists ([\w.-]+): write ([\w.-]+) for those of the platform/mu.exec(printed) ?? [];
  return { typed, lists, instead };
}

/** Every kubectl of this machine resolves names as install has printed it, where both groups have Machines. */
export async function resolvesAsPrinted(
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
    expect(await kubectl(...typed)).toEqual(ofPrivate);
    expect(await kubectl('get', note.lists)).toEqual(ofPrivate);
    expect(await kubectl('get', note.instead)).toEqual(ofStandard);
  }
}
