import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HostingPlatform } from '@capstan/provider';
import type { HostingExamples } from '@capstan/provider/testing';

/** What one would say to `create` for a platform: its examples, with files in a folder. */
export async function createArguments(
  { create, key }: HostingPlatform,
  folder: string,
): Promise<{
  readonly cluster: readonly string[];
  readonly pool: readonly string[];
}> {
  const specifier = `@capstan/provider-${key}/testing`;
  const { examples } = (await import(/* @vite-ignore */ specifier)) as { examples: HostingExamples };
  const typed = (flags: readonly { readonly name: string; readonly isFile?: boolean | undefined }[]): string[] =>
    flags.flatMap(({ isFile, name }) => {
      const value = examples.createFlags[name];
      if (value === undefined) return [];
      const file = join(folder, `${key}-${name}`);
      if (isFile === true) writeFileSync(file, value);
      return [`--${name}`, isFile === true ? file : value];
    });
  return { cluster: typed([...create.clusterFlags, ...create.nodePoolFlags]), pool: typed(create.nodePoolFlags) };
}
