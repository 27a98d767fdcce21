import type { Finding, Rule } from '../model.js';

/** Where every dependency has its reason. */
const REASONS_PATH = 'docs/decisions/dependencies.md';

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

function complaint(name: string, version: string, reasons: readonly string[]): string | undefined {
  // An alias (`npm:name@1.2.3`) is known by the version behind it.
  const exact = version.replace(/^npm:.*@/, '');
  if (!/^\d+\.\d+\.\d+[\w.-]*$/.test(exact)) return `${name} is asked for as ${version}; pin one exact version`;
  const named = reasons.some((line) => line.includes(name) && line.includes(exact));
  return named
    ? undefined
    : `${name} ${exact} has no line in ${REASONS_PATH} with the reason for it and against its rival`;
}

/** Dependencies are pinned exactly, each with its reason. */
export const dependencyReasons: Rule = {
  name: 'dependencies',
  check: (repo) => {
    const reasons = (repo.files.get(REASONS_PATH) ?? '').split('\n').filter((line) => line.startsWith('|'));
    const findings: Finding[] = [];
    for (const [path, text] of repo.files) {
      if (!/(?:^|\/)package\.json$/.test(path)) continue;
      const { dependencies = {}, devDependencies = {} } = JSON.parse(text) as Manifest;
      for (const [name, version] of Object.entries({ ...devDependencies, ...dependencies })) {
        const own = repo.packages.some((each) => each.name === name);
        const message = own ? undefined : complaint(name, version, reasons);
        if (message !== undefined) findings.push({ rule: 'dependencies', path, message });
      }
    }
    return findings;
  },
};
