import { KUBERNETES_MODULE } from './versions.js';

export interface WrappedModule {
  readonly module: string;
  readonly version: string;
  /** The text of the go.mod the module was published with. */
  readonly goMod: string;
}

/**
 * The go.mod of a throwaway module that depends on the wanted one.
 *
 * Kubernetes keeps its staging modules in its own tree and declares that with
 * `replace … => ./staging/…`; Go ignores the replace lines of a dependency, so
 * the wrapper repeats them, pointing at the same modules as published. The
 * `go` and `godebug` lines are carried over because the main module's decide
 * Go's runtime defaults (TLS, HTTP/2 …), and the main module is now ours.
 */
export function wrapperGoMod(wrapped: WrappedModule): string {
  const lines = wrapped.goMod.split('\n').map((line) => line.trim());
  const goLine = lines.find((line) => /^go \d/.test(line));
  if (goLine === undefined) {
    throw new Error(`the go.mod of ${wrapped.module} ${wrapped.version} has no go line`);
  }
  const godebug = lines.filter((line) => /^godebug \w+=/.test(line));
  const staging = stagingModules(wrapped.goMod);
  const replace = staging.map((module) => `replace ${module} => ${module} ${stagingVersion(wrapped.version)}`);
  return [
    'module capstan.invalid/real-kube',
    '',
    goLine,
    '',
    ...godebug,
    ...(godebug.length > 0 ? [''] : []),
    `require ${wrapped.module} ${wrapped.version}`,
    '',
    ...replace,
    '',
  ].join('\n');
}

/** The modules that a go.mod takes from ./staging, in its own order. */
export function stagingModules(goMod: string): string[] {
  const found = goMod.matchAll(/^\s*(?:replace\s+)?(\S+)\s+=>\s+\.\/staging\/\S+/gm);
  return Array.from(found, (match) => match[1] ?? '');
}

/** Kubernetes v1.Y.Z publishes its staging modules as v0.Y.Z. */
export function stagingVersion(kubeVersion: string): string {
  if (!/^v1\.\d+\.\d+/.test(kubeVersion)) {
    throw new Error(`not a Kubernetes version: ${kubeVersion}`);
  }
  return kubeVersion.replace(/^v1\./, 'v0.');
}

/**
 * Linker flags that make the binary name its version as a released one does.
 * Kubernetes reads it in two packages and sets both in its own build. The
 * commit is not part of a published module, hence "archive" and no hash.
 */
export function kubeLinkerFlags(version: string, publishedAt: string): string {
  const [major = '', minor = ''] = version.replace(/^v/, '').split('.');
  const values = {
    gitVersion: version,
    gitMajor: major,
    gitMinor: minor,
    gitCommit: 'unknown',
    gitTreeState: 'archive',
    buildDate: publishedAt,
  };
  const packages = ['k8s.io/component-base/version', 'k8s.io/client-go/pkg/version'];
  const sets = packages.flatMap((pkg) => Object.entries(values).map(([key, value]) => `-X ${pkg}.${key}=${value}`));
  return ['-s -w', ...sets].join(' ');
}

export function kubeCommandPackage(command: string): string {
  return `${KUBERNETES_MODULE}/cmd/${command}`;
}
