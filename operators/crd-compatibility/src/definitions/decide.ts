import { findingLine } from '@capstan/crd-compat';
import type { Finding } from '@capstan/crd-compat';

/** How a requirement answers a write that does not meet it. */
export type Action = 'Deny' | 'Warn';

/** One requirement, checked against a write. */
export interface CheckedRequirement {
  /** Name and owner of the requirement, as messages show them. */
  readonly requirement: string;
  readonly action: Action;
  readonly about:
    | {
        readonly kind: 'written';
        /** What is found about the CRD as it is written. */
        readonly findings: readonly Finding[];
        /** Those of them that are new: all where there was no CRD before. */
        readonly fresh: readonly Finding[];
      }
    /** The CRD is to be deleted. */
    | { readonly kind: 'deleted' }
    /** It cannot be parsed, so whether it is met is unknown. */
    | { readonly kind: 'unreadable'; readonly problem: string };
}

/** The messages that deny a write, and those that warn about it. */
export interface Verdict {
  readonly denials: readonly string[];
  readonly warnings: readonly string[];
}

/**
 * New errors are denied when the action denies. Earlier errors are reported and allowed: fixing one of them must not
 * be blocked by another.
 */
function splitFindings(
  findings: readonly Finding[],
  news: readonly Finding[],
): {
  readonly errors: readonly Finding[];
  readonly remarks: readonly string[];
} {
  const fresh = new Set(news);
  const errors = news.filter(({ severity }) => severity === 'error');
  const remarks = findings.flatMap((finding) => {
    if (finding.severity === 'warning') return fresh.has(finding) ? [findingLine(finding)] : [];
    return fresh.has(finding) ? [] : [`not met before either: ${findingLine(finding)}`];
  });
  return { errors, remarks };
}

function verdictOf({ about, action, requirement }: CheckedRequirement): Verdict {
  const withName = (line: string): string => `${requirement}: ${line}`;
  const problems = (lines: readonly string[], remarks: readonly string[] = []): Verdict =>
    action === 'Deny'
      ? { denials: lines.map(withName), warnings: remarks.map(withName) }
      : { denials: [], warnings: [...lines, ...remarks].map(withName) };
  switch (about.kind) {
    case 'deleted':
      return problems(['needs this CRD']);
    case 'unreadable':
      return problems([`cannot be parsed, so it cannot be checked: ${about.problem}`]);
    case 'written': {
      const { errors, remarks } = splitFindings(about.findings, about.fresh);
      return problems(errors.map(findingLine), remarks);
    }
  }
}

/** The verdict of all requirements together; it does not depend on their order. */
export function decide(checked: readonly CheckedRequirement[]): Verdict {
  const verdicts = checked.map(verdictOf);
  const all = (lines: readonly (readonly string[])[]): readonly string[] => [...new Set(lines.flat())].sort();
  return {
    denials: all(verdicts.map(({ denials }) => denials)),
    warnings: all(verdicts.map(({ warnings }) => warnings)),
  };
}
