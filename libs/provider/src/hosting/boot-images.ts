import type { JsonObject } from '@capstan/meta';
import type { ReleaseView } from './inputs.js';

/** What the metadata of machine images calls an architecture. */
const STREAM_NAMES: Readonly<Record<string, string>> = { amd64: 'x86_64', arm64: 'aarch64' };

/** The value at a path of object fields; undefined where the path ends early. */
export function fieldAt(value: unknown, ...path: readonly string[]): unknown {
  let found = value;
  for (const name of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return undefined;
    found = (found as JsonObject)[name];
  }
  return found;
}

/** The text at a path; empty text is none. */
export function textAt(value: unknown, ...path: readonly string[]): string | undefined {
  const found = fieldAt(value, ...path);
  return typeof found === 'string' && found !== '' ? found : undefined;
}

/** The machine images of the release for an architecture: `images` and `artifacts` by platform. */
export function bootImagesOf({ bootImages }: Pick<ReleaseView, 'bootImages'>, architecture: string): unknown {
  return fieldAt(bootImages, 'architectures', STREAM_NAMES[architecture] ?? architecture);
}
