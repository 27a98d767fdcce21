/** Findings as the message of a condition or of an admission answer. */
import type { Finding } from '../report.js';

/** How long the message of a condition may be. */
export const conditionMessageLimit = 32_768;

/** A finding as one line. */
export function findingLine({ version, path, message, rule, proof }: Finding): string {
  const where = version === undefined ? path : `${version} ${path}`;
  const doubt = proof === 'cannot be proved' ? ' (no example could be found, so safety cannot be proved)' : '';
  return `${where}: ${message}${doubt} [${rule}]`;
}

/** Lines sorted as given, without repetitions, cut at the limit with a last line that counts those left out. */
export function joinLines(lines: readonly string[], limit: number = conditionMessageLimit): string {
  const distinct = [...new Set(lines)];
  const whole = distinct.join('\n');
  if (whole.length <= limit) return whole;
  const rest = (count: number): string => `… and ${count} more`;
  const room = limit - rest(distinct.length).length - 1;
  const kept: string[] = [];
  let length = 0;
  for (const line of distinct) {
    if (length + line.length + 1 > room) break;
    kept.push(line);
    length += line.length + 1;
  }
  if (kept.length === 0) return `${(distinct[0] ?? '').slice(0, Math.max(0, limit - 1))}…`.slice(0, limit);
  return [...kept, rest(distinct.length - kept.length)].join('\n');
}

/** The message of a condition: errors before warnings, cut to what a condition may hold. */
export function conditionMessage(findings: readonly Finding[], limit: number = conditionMessageLimit): string {
  const errors = findings.filter(({ severity }) => severity === 'error');
  const warnings = findings.filter(({ severity }) => severity === 'warning');
  return joinLines([...errors, ...warnings].map(findingLine), limit);
}
