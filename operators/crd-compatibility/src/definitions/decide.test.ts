import type { Finding } from '@capstan/crd-compat';
import { describe, expect, it } from 'vitest';
import { decide } from './decide.js';
import type { CheckedRequirement } from './decide.js';

function finding(path: string, more: Partial<Finding> = {}): Finding {
  return { rule: 'field-removed', severity: 'error', version: 'v1', path, message: `${path} was removed`, ...more };
}

/** A write of a CRD with these findings, all of them new unless some are given. */
function written(findings: readonly Finding[], fresh: readonly Finding[] = findings): CheckedRequirement['about'] {
  return { kind: 'written', findings, fresh };
}

const old = finding('spec.a');
const fewer = finding('spec.a', { live: 4 });
const wider = finding('spec.b', { rule: 'enum-extended', severity: 'warning', message: 'more is allowed' });
const line = (path: string, message = `${path} was removed`, rule = 'field-removed'): string =>
  `v1 ${path}: ${message} [${rule}]`;
const checked = (
  about: CheckedRequirement['about'],
  action: CheckedRequirement['action'] = 'Deny',
  requirement = 'requirement "r" of o',
): CheckedRequirement => ({
  requirement,
  action,
  about,
});

describe('a write', () => {
  it.each<[string, readonly CheckedRequirement[], readonly string[], readonly string[]]>([
    ['that nobody has a say in is allowed', [], [], []],
    ['that meets all is allowed', [checked(written([]))], [], []],
    [
      'that breaks is denied, with every error',
      [checked(written([old, finding('spec.c'), wider]))],
      [`requirement "r" of o: ${line('spec.a')}`, `requirement "r" of o: ${line('spec.c')}`],
      [`requirement "r" of o: ${line('spec.b', 'more is allowed', 'enum-extended')}`],
    ],
    [
      'that breaks a requirement which only warns is allowed with warnings',
      [checked(written([old]), 'Warn')],
      [],
      [`requirement "r" of o: ${line('spec.a')}`],
    ],
    [
      'that is as bad as before is allowed with warnings, and old warnings are not repeated',
      [checked(written([old, wider], []))],
      [],
      [`requirement "r" of o: not met before either: ${line('spec.a')}`],
    ],
    [
      'that makes one thing worse is denied for that one',
      [checked(written([fewer, finding('spec.c')], [fewer]))],
      [`requirement "r" of o: ${line('spec.a')}`],
      [`requirement "r" of o: not met before either: ${line('spec.c')}`],
    ],
    ['that deletes is denied', [checked({ kind: 'deleted' })], ['requirement "r" of o: needs this CRD'], []],
    ['that deletes is warned of', [checked({ kind: 'deleted' }, 'Warn')], [], ['requirement "r" of o: needs this CRD']],
    [
      'about which a requirement is invalid is denied',
      [checked({ kind: 'unreadable', problem: 'no YAML' })],
      ['requirement "r" of o: cannot be parsed, so it cannot be checked: no YAML'],
      [],
    ],
    [
      'that breaks several reports all of them, in a stable order, each line once',
      [
        checked(written([old]), 'Deny', 'requirement "z"'),
        checked({ kind: 'deleted' }, 'Deny', 'requirement "a"'),
        checked({ kind: 'deleted' }, 'Deny', 'requirement "a"'),
      ],
      ['requirement "a": needs this CRD', `requirement "z": ${line('spec.a')}`],
      [],
    ],
  ])('%s', (_title, all, denials, warnings) => {
    expect(decide(all)).toEqual({ denials, warnings });
    expect(decide([...all].reverse())).toEqual({ denials, warnings });
  });
});
