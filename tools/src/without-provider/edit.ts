/** Where a platform is listed outside of its folder: the registry, and the files that list folders for npm and the compiler. */
const MENTIONS = ['apps/cli/src/platforms.ts', 'apps/cli/package.json', 'apps/cli/tsconfig.json', 'tsconfig.json'];

/** The files of a checkout without a provider: without its folder, its line of the registry, and its manifests' lines. */
export function withoutProvider(files: ReadonlyMap<string, string>, provider: string): Map<string, string> {
  const left = new Map([...files].filter(([path]) => !path.startsWith(`providers/${provider}/`)));
  for (const path of MENTIONS) {
    const text = left.get(path);
    if (text !== undefined)
      left.set(path, path.endsWith('.json') ? withoutEntry(text, provider) : withoutLine(text, provider));
  }
  return left;
}

function withoutLine(text: string, provider: string): string {
  const isIts = new RegExp(`@capstan/provider-${provider}'`);
  return text
    .split('\n')
    .filter((line) => !isIts.test(line))
    .join('\n');
}

interface Manifest {
  dependencies?: Record<string, string>;
  references?: { path: string }[];
}

function withoutEntry(text: string, provider: string): string {
  const manifest = JSON.parse(text) as Manifest;
  delete manifest.dependencies?.[`@capstan/provider-${provider}`];
  if (manifest.references !== undefined)
    manifest.references = manifest.references.filter(({ path }) => !path.endsWith(`providers/${provider}`));
  return `${JSON.stringify(manifest, null, 2)}\n`;
}
