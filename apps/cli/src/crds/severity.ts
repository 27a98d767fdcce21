/** Severities that a user sets in place of those of the catalogue. */
import { readFile } from 'node:fs/promises';
import { explain, rules } from '@capstan/crd-compat';
import type { Checked, CompatibilityReport, Finding } from '@capstan/crd-compat';
import { UsageError } from '../errors.js';
import { unusable } from '../files.js';
import { suggestion } from '../suggest.js';
import { parsed } from './read.js';

const SEVERITIES = ['error', 'warning', 'off'] as const;

/** What a finding of a rule counts as; `off` leaves it out. */
export type RuleSeverity = (typeof SEVERITIES)[number];
/** Severities by rule; those of the catalogue hold where there is none. */
export type RuleSeverities = ReadonlyMap<string, RuleSeverity>;

function isSeverity(text: unknown): text is RuleSeverity {
  return SEVERITIES.includes(text as RuleSeverity);
}

/** One setting, checked; `where` names the option or file it comes from. */
function setting(rule: string, severity: unknown, where: string): [string, RuleSeverity] {
  if (explain(rule) === undefined) {
    const meant = suggestion(rule, rules.keys());
    throw new UsageError(
      `${where}: there is no rule ${JSON.stringify(rule)}`,
      meant === undefined ? "see 'capstan crd explain' for all rules" : `did you mean ${meant}?`,
    );
  }
  if (!isSeverity(severity))
    throw new UsageError(
      `${where}: ${rule} cannot be ${JSON.stringify(severity)}`,
      `set it to ${SEVERITIES.slice(0, -1).join(', ')} or ${SEVERITIES.at(-1) ?? ''}`,
    );
  return [rule, severity];
}

/** Reads `--rule RULE=SEVERITY`, as often as it is given, and the file of `--config`, which gives way to the former. */
export async function readSeverities(flags: readonly string[], config: string | undefined): Promise<RuleSeverities> {
  const fromFile = config === undefined ? [] : await readConfig(config);
  const fromFlags = flags.map((flag) => {
    const at = flag.indexOf('=');
    if (at < 1) throw new UsageError(`--rule ${flag} does not set a rule`, 'write it as --rule field-removed=warning');
    return setting(flag.slice(0, at), flag.slice(at + 1), '--rule');
  });
  return new Map([...fromFile, ...fromFlags]);
}

async function readConfig(path: string): Promise<[string, RuleSeverity][]> {
  const hint = 'name a YAML file such as "rules: {field-removed: warning}" with --config';
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    throw unusable('configuration', path, error, hint);
  }
  const [first, ...more] = await parsed(text, path);
  const { rules: settings, ...others } = Object(first?.object ?? {}) as Record<string, unknown>;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined || more.length > 0 || typeof settings !== 'object' || settings === null)
    throw new UsageError(
      unknown === undefined ? `${path} sets no rules` : `${path}: there is no setting ${JSON.stringify(unknown)}`,
      hint,
    );
  return Object.entries(settings).map(([rule, value]) =>
    // `off` without quotes is a boolean to readers of YAML 1.1.
    setting(rule, value === false ? 'off' : (value as unknown), path),
  );
}

/** The results as they count with other severities. */
export function withSeverities(checked: readonly Checked[], severities: RuleSeverities): readonly Checked[] {
  if (severities.size === 0) return checked;
  return checked.map((each) => ({ ...each, report: adjusted(each.report, severities) }));
}

function adjusted({ findings }: CompatibilityReport, severities: RuleSeverities): CompatibilityReport {
  const kept = findings.flatMap((finding) => {
    const severity = severities.get(finding.rule) ?? finding.severity;
    if (severity === 'off') return [];
    return [severity === finding.severity ? finding : withSeverity(finding, severity)];
  });
  const errors = kept.filter(({ severity }) => severity === 'error');
  const warnings = kept.filter(({ severity }) => severity === 'warning');
  const verdict = errors.length > 0 ? 'Incompatible' : warnings.length > 0 ? 'CompatibleWithWarnings' : 'Compatible';
  return { verdict, findings: [...errors, ...warnings] };
}

/** A proof is looked for when it is asked for: a plain copy would ask for all of them. */
function withSeverity(finding: Finding, severity: Finding['severity']): Finding {
  const own = Object.getOwnPropertyDescriptors(finding);
  return Object.defineProperties({}, { ...own, severity: { value: severity, enumerable: true } }) as Finding;
}
