import { findingLine } from '@capstan/crd-compat';
import type { Finding } from '@capstan/crd-compat';

/** What a requirement has done to a write that does not meet it. */
export type Action = 'Deny' | 'Warn';

/** What one requirement has to say of a write. */
export interface Judged {
  /** As messages call it: its name, and whose it is. */
  readonly requirement: string;
  readonly action: Action;
  readonly about:
    | {
        readonly kind: 'written';
        /** What is found about the definition as it is written. */
        readonly findings: readonly Finding[];
        /** Those of them that are new: all where there was no definition before. */
        readonly fresh: readonly Finding[];
      }
    /** The definition is to be deleted. */
    | { readonly kind: 'deleted' }
    /** What it needs cannot be told, so nobody can say that it is met. */
    | { readonly kind: 'unreadable'; readonly problem: string };
}

/** What becomes of a write. */
export interface Verdict {
  readonly denials: readonly string[];
  readonly warnings: readonly string[];
}

/**
 * New errors are refused, by an action that refuses. What was wrong before is told and let through: who mends one thing
 * must not be held up by another.
 */
function judgeWritten(
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

function judge({ about, action, requirement }: Judged): Verdict {
  const say = (line: string): string => `${requirement}: ${line}`;
  const problems = (lines: readonly string[], remarks: readonly string[] = []): Verdict =>
    action === 'Deny'
      ? { denials: lines.map(say), warnings: remarks.map(say) }
      : { denials: [], warnings: [...lines, ...remarks].map(say) };
  switch (about.kind) {
    case 'deleted':
      return problems(['needs this definition']);
    case 'unreadable':
      return problems([`cannot be understood, so it cannot be said to be met: ${about.problem}`]);
    case 'written': {
      const { errors, remarks } = judgeWritten(about.findings, about.fresh);
      return problems(errors.map(findingLine), remarks);
    }
  }
}

/** What all requirements together say; the order of requirements does not show. */
export function decide(judged: readonly Judged[]): Verdict {
  const verdicts = judged.map(judge);
  const all = (lines: readonly (readonly string[])[]): readonly string[] => [...new Set(lines.flat())].sort();
  return {
    denials: all(verdicts.map(({ denials }) => denials)),
    warnings: all(verdicts.map(({ warnings }) => warnings)),
  };
}
