import type { CompatibilityRequirement } from '@capstan/api/apiextensions';
import { AdmissionUnavailable } from '@capstan/kube';
import type { Client } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import { describe, expect, it } from 'vitest';
import { Freshness } from './freshness.js';
import type { Requirements } from './requirements.js';

const requirement = (name: string, uid: string, generation: number): CompatibilityRequirement =>
  ({ metadata: { name, uid, generation } }) as CompatibilityRequirement;

/** What a replica knows, and when it learns more. */
class Known {
  readonly #by = new Map<string, CompatibilityRequirement>();
  #resume: () => void = () => {};

  learn(...requirements: readonly CompatibilityRequirement[]): void {
    for (const each of requirements) this.#by.set(each.metadata.name ?? '', each);
    this.#resume();
  }

  get(name: string): CompatibilityRequirement | undefined {
    return this.#by.get(name);
  }

  async until(isSo: () => boolean): Promise<boolean> {
    if (!isSo()) await new Promise<void>((resolve) => (this.#resume = resolve));
    return isSo();
  }
}

function freshness(known: Known, list: () => Promise<{ items: readonly KubeObject[] }>): Freshness {
  return new Freshness({ list } as unknown as Client, known as unknown as Requirements);
}

const { signal } = new AbortController();

describe('a replica', () => {
  it('answers at once when it knows all requirements, and leaves out deleted ones', async () => {
    const known = new Known();
    known.learn(requirement('a', '1', 2), requirement('gone', '9', 1));
    const list = (): Promise<{ items: KubeObject[] }> => Promise.resolve({ items: [requirement('a', '1', 2)] });
    expect([...(await freshness(known, list).present(signal))]).toEqual(['1']);
  });

  it.each<[string, CompatibilityRequirement | undefined]>([
    ['it has not observed yet', undefined],
    ['it knows in an older generation', requirement('a', '1', 1)],
    ['was deleted and recreated', requirement('a', '0', 5)],
  ])('waits for a requirement that %s', async (_title, before) => {
    const known = new Known();
    if (before !== undefined) known.learn(before);
    let isDone = false;
    const list = (): Promise<{ items: KubeObject[] }> => Promise.resolve({ items: [requirement('a', '1', 2)] });
    const present = freshness(known, list)
      .present(signal)
      .then((uids) => {
        isDone = true;
        return uids;
      });
    await new Promise((resolve) => setImmediate(resolve));
    expect(isDone).toBe(false);
    known.learn(requirement('a', '1', 2));
    expect([...(await present)]).toEqual(['1']);
  });

  it('fails when its cache does not catch up in time', async () => {
    const late = { get: () => undefined, until: () => Promise.resolve(false) } as unknown as Known;
    const list = (): Promise<{ items: KubeObject[] }> => Promise.resolve({ items: [requirement('a', '1', 2)] });
    await expect(freshness(late, list).present(signal)).rejects.toEqual(
      new AdmissionUnavailable('CRD Compatibility Checker: this replica does not know all requirements yet; try again'),
    );
  });

  it('fails when it cannot list the requirements', async () => {
    await expect(
      freshness(new Known(), () => Promise.reject(new TypeError('cut off'))).present(signal),
    ).rejects.toEqual(new AdmissionUnavailable('CRD Compatibility Checker: the requirements cannot be read: cut off'));
  });
});
