import type { CompatibilityRequirement } from '@capstan/api/apiextensions';
import { ManualClock } from '@capstan/kube/testing';
import type { Informer, InformerHandler } from '@capstan/kube';
import { describe, expect, it } from 'vitest';
import { Requirements } from './requirements.js';

/** An informer that the test fills. */
class FakeInformer {
  hasSynced = true;
  readonly objects = new Map<string, CompatibilityRequirement>();
  readonly store = { get: (name: string) => this.objects.get(name), list: () => this.objects.values() };
  #handler: InformerHandler<CompatibilityRequirement> = {};
  #synced: () => void = () => {};

  addHandler(handler: InformerHandler<CompatibilityRequirement>): void {
    this.#handler = handler;
  }

  whenSynced(): Promise<void> {
    return this.hasSynced ? Promise.resolve() : new Promise((resolve) => (this.#synced = resolve));
  }

  sync(): void {
    this.hasSynced = true;
    this.#synced();
  }

  add(object: CompatibilityRequirement): void {
    this.objects.set(object.metadata.name ?? '', object);
    this.#handler.add?.(object, false);
  }

  remove(object: CompatibilityRequirement): void {
    this.objects.delete(object.metadata.name ?? '');
    this.#handler.delete?.(object, false);
  }
}

const requirement = (generation: number, data = 'nothing'): CompatibilityRequirement =>
  ({
    metadata: { name: 'a', uid: '1', generation },
    spec: {
      compatibilitySchema: {
        customResourceDefinition: { type: 'YAML', data },
        requiredVersions: { defaultSelection: 'StorageOnly' },
      },
    },
  }) as CompatibilityRequirement;

function open(): { fake: FakeInformer; clock: ManualClock; requirements: Requirements } {
  const [fake, clock] = [new FakeInformer(), new ManualClock()];
  const informer = fake as unknown as Informer<CompatibilityRequirement>;
  return { fake, clock, requirements: new Requirements({ informer, clock }) };
}

describe('requirements', () => {
  it('are read once for as long as they stay the same', () => {
    const { requirements } = open();
    const first = requirements.read(requirement(1));
    expect(requirements.read(requirement(1))).toBe(first);
    const second = requirements.read(requirement(2));
    expect(second).not.toBe(first);
    // A request that began before the change still gets its own, and does not push out the newer.
    expect(requirements.read(requirement(1))).not.toBe(second);
    expect(requirements.read(requirement(2))).toBe(second);
  });

  it('are forgotten when they are deleted', () => {
    const { requirements, fake } = open();
    fake.add(requirement(1));
    const first = requirements.read(requirement(1));
    fake.remove(requirement(1));
    expect(requirements.read(requirement(1))).not.toBe(first);
  });

  it('are waited for', async () => {
    const { clock, requirements, fake } = open();
    const waited = requirements.until(() => requirements.get('a') !== undefined, 5000);
    fake.add(requirement(1));
    expect(await waited).toBe(true);
    expect(clock.pending).toBe(0);
  });

  it('are waited for until the informer has synced', async () => {
    const { requirements, fake } = open();
    fake.hasSynced = false;
    const waited = requirements.until(() => true, 5000);
    fake.sync();
    expect(await waited).toBe(true);
  });

  it('are not waited for longer than the limit', async () => {
    const { clock, requirements } = open();
    const waited = requirements.until(() => false, 5000);
    await clock.advance(5000);
    expect(await waited).toBe(false);
  });
});
