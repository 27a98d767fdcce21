/** Drafts the field lists of provider specs from the Go structs that their authors publish. */
import { moduleDirectories } from '../../builtin-types/modules.js';
import { goModules } from '../../builtin-types/packages.js';
import { fieldsOfStruct } from './go-fields.js';
import { packageReader } from './packages.js';
import type { ProviderSource } from './sources.js';

/** The lists of a platform by their names; or why there are none: its module cannot be had here. */
export interface ProviderLists {
  readonly source: ProviderSource;
  readonly lists: ReadonlyMap<string, readonly string[]>;
  readonly missing?: string;
}

/** Where a module lies that Go's proxy does not have: its path to a directory. */
export type Checkouts = ReadonlyMap<string, string>;

/** Reads the lists of every source. */
export async function readProviderLists(
  sources: readonly ProviderSource[],
  checkouts: Checkouts = new Map(),
): Promise<ProviderLists[]> {
  const shared = await moduleDirectories(goModules);
  const modules = new Map<string, Promise<Map<string, string>>>();
  const results: ProviderLists[] = [];
  for (const source of sources) {
    const path = source.module.replace(/@.*$/, '');
    const checkout = checkouts.get(path);
    const found =
      checkout === undefined
        ? (modules.get(source.module) ?? moduleDirectories([source.module]))
        : Promise.resolve(new Map([[path, checkout]]));
    modules.set(source.module, found);
    let own: Map<string, string>;
    try {
      own = await found;
    } catch (error) {
      // Not every proxy has every module.
      results.push({ source, lists: new Map(), missing: error instanceof Error ? error.message : String(error) });
      continue;
    }
    results.push({ source, lists: await listsOf(source, path, new Map([...shared, ...own])) });
  }
  return results;
}

async function listsOf(
  source: ProviderSource,
  modulePath: string,
  directories: ReadonlyMap<string, string>,
): Promise<Map<string, readonly string[]>> {
  const read = packageReader(directories);
  const lists = new Map<string, readonly string[]>();
  for (const { constant, directory, type } of source.structs)
    lists.set(constant, await fieldsOfStruct(read, `${modulePath}/${directory}`, type));
  return lists;
}

/** The TypeScript file with the lists of a platform. */
export function providerFile({ source, lists }: ProviderLists): string {
  const parts = source.structs.map(({ constant, meaning }) => {
    const lines = (lists.get(constant) ?? []).map((line) => `  '${line}',\n`);
    const fits = lines.length === 1;
    const value = fits ? `[${lines[0]?.trim().slice(0, -1) ?? ''}]` : `[\n${lines.join('')}]`;
    return `\n/** ${meaning} */\nexport const ${constant}: readonly string[] = ${value};\n`;
  });
  return `// Drafted by tools/src/api-kinds/provider-specs from ${source.module}; not edited by hand.\n${parts.join('')}`;
}

/** The index of all platforms. */
export function providerIndex(sources: readonly ProviderSource[]): string {
  const lines = sources.map(({ platform, structs }) => {
    const names = structs.map((each) => each.constant).join(', ');
    return `export { ${names} } from './${platform}.js';\n`;
  });
  return `/** The platform part of machines, as configured and as observed: the fields below \`providerSpec.value\` and \`providerStatus\`. */\n${lines.join('')}`;
}
