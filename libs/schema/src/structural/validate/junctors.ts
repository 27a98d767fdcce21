/** `anyOf`, `oneOf`, `allOf` and `not`. */
import { goQuote } from '@capstan/meta';
import type { Findings } from './findings.js';

/** Something that checks a value and reports to the findings. */
export interface ValueCheck {
  check(value: unknown, path: string, out: Findings): void;
}

/** The alternatives of one schema node. */
export interface Junctors {
  readonly anyOf: readonly ValueCheck[];
  readonly oneOf: readonly ValueCheck[];
  readonly allOf: readonly ValueCheck[];
  readonly not: ValueCheck | undefined;
}

function run(check: ValueCheck, value: unknown, path: string, out: Findings): Findings {
  const findings = out.fork();
  check.check(value, path, findings);
  return findings;
}

/** The failure that came further; of equals the earlier one. */
function further(best: Findings | undefined, next: Findings): Findings {
  return best === undefined || next.matches > best.matches ? next : best;
}

function checkAnyOf(checks: readonly ValueCheck[], value: unknown, path: string, out: Findings): void {
  let best: Findings | undefined;
  for (const check of checks) {
    const result = run(check, value, path, out);
    if (result.errors.length === 0) {
      out.absorb(result);
      return;
    }
    best = further(best, result);
  }
  out.general(`${goQuote(path)} must validate at least one schema (anyOf)`);
  if (best !== undefined) out.absorb(best);
}

function checkOneOf(checks: readonly ValueCheck[], value: unknown, path: string, out: Findings): void {
  let best: Findings | undefined;
  let passed: Findings | undefined;
  let count = 0;
  for (const check of checks) {
    const result = run(check, value, path, out);
    if (result.errors.length === 0) {
      count++;
      passed ??= result;
    } else if (count === 0) {
      best = further(best, result);
    }
  }
  if (count === 1 && passed !== undefined) {
    out.absorb(passed);
    return;
  }
  const found = count === 0 ? 'Found none valid' : `Found ${count} valid alternatives`;
  out.general(`${goQuote(path)} must validate one and only one schema (oneOf). ${found}`);
  if (count === 0 && best !== undefined) out.absorb(best);
}

function checkAllOf(checks: readonly ValueCheck[], value: unknown, path: string, out: Findings): void {
  let passed = 0;
  for (const check of checks) {
    const before = out.errors.length;
    check.check(value, path, out);
    if (out.errors.length === before) passed++;
  }
  if (passed === checks.length) return;
  const none = passed === 0 ? '. None validated' : '';
  out.general(`${goQuote(path)} must validate all the schemas (allOf)${none}`);
}

/** Checks a value against all junctors of a node, in the server's order. */
export function checkJunctors(junctors: Junctors, value: unknown, path: string, out: Findings): void {
  if (junctors.anyOf.length > 0) checkAnyOf(junctors.anyOf, value, path, out);
  if (junctors.oneOf.length > 0) checkOneOf(junctors.oneOf, value, path, out);
  if (junctors.allOf.length > 0) checkAllOf(junctors.allOf, value, path, out);
  if (junctors.not !== undefined && run(junctors.not, value, path, out).errors.length === 0) {
    out.general(`${goQuote(path)} must not validate the schema (not)`);
  }
}
