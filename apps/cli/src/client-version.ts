import { readFileSync } from 'node:fs';

let known: string | undefined;

/** The version of this package. */
export function clientVersion(): string {
  if (known === undefined) {
    // The same distance from the sources and from the build.
    const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
      version: string;
    };
    known = manifest.version;
  }
  return known;
}
