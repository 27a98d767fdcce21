import { ReleaseError } from '@capstan/release';
import type { ReleasePayload, ReleaseProvider } from '@capstan/release';

/** A registry that has what a test puts there. */
export interface FakeReleases extends ReleaseProvider {
  /** Payloads, and what is answered instead of one: by reference. */
  readonly known: Map<string, ReleasePayload | ReleaseError>;
  /** References that were asked for, in order. */
  readonly asked: string[];
  /** Adds a release of that version under `registry.example.com/release:<version>` and gives the reference. */
  add(version: string, changes?: Partial<ReleasePayload>): string;
}

/** A registry without a network. */
export function fakeReleases(): FakeReleases {
  const known = new Map<string, ReleasePayload | ReleaseError>();
  const asked: string[] = [];
  return {
    known,
    asked,
    add: (version, changes = {}) => {
      const reference = `registry.example.com/release:${version}`;
      const pullSpec = `registry.example.com/release@sha256:${version.replaceAll('.', '')}`;
      known.set(reference, {
        reference,
        pullSpec,
        version,
        kubernetesVersion: '1.35.2',
        architectures: ['amd64', 'arm64'],
        components: [],
        image: (component) => `registry.example.com/${component}@sha256:${version.replaceAll('.', '')}`,
        ...changes,
      });
      return reference;
    },
    lookup: (reference) => {
      asked.push(reference);
      const answer = known.get(reference) ?? new ReleaseError('NotFound', `there is no image ${reference}: push it`);
      return answer instanceof ReleaseError ? Promise.reject(answer) : Promise.resolve(answer);
    },
  };
}
