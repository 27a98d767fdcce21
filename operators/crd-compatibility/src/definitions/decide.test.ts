import type { Finding } from '@capstan/crd-compat';
import { describe, expect, it } from 'vitest';
import { decide } from './decide.js';
import type { Judged } from './decide.js';

function finding(path: string, more: Partial<Finding> = {}): Finding {
  return { rule: 'field-removed', severity: 'error', version: 'v1', path, message: `${path} is gone`, ...more };
}

/** A write of a definition with these findings, all of them new unless some are given. */
function written(findings: readonly Finding[], fresh: readonly Finding[] = findings): Judged['about'] {
  return { kind: 'written', findings, fresh };
}

const old = finding('spec.a');
const fewer = finding('spec.a', { live: 4 });
const wider = finding('spec.b', { rule: 'enum-extended', severity: 'warning', message: 'more is allowed' });
const line = (path: string, said = `${path} is gone`, rule = 'field-removed'): string =>
  `v1 ${path}: ${said} [${rule}]`;
const judged = (
  about: Judged['about'],
  action: Judged['action'] = 'Deny',
  requirement = 'requirement "r" of o',
): Judged => ({
  requirement,
  action,
  about,
});

describe('a write', () => {
  it.each<[string, readonly Judged[], readonly string[], readonly string[]]>([
    ['that nobody has a say in is allowed', [], [], []],
    ['that meets all is allowed', [judged(written([]))], [], []],
    [
      'that breaks is denied, with every error',
      [judged(written([old, finding('spec.c'), wider]))],
      [`requirement "r" of o: ${line('spec.a')}`, `requirement "r" of o: ${line('spec.c')}`],
      [`requirement "r" of o: ${line('spec.b', 'more is allowed', 'enum-extended')}`],
    ],
    [
      'that breaks somebody who only warns is allowed with warnings',
      [judged(written([old]), 'Warn')],
      [],
      [`requirement "r" of o: ${line('spec.a')}`],
    ],
    [
      'that is as bad as before is allowed with warnings, and told no old warning again',
      [judged(written([old, wider], []))],
      [],
      [`requirement "r" of o: not met before either: ${line('spec.a')}`],
    ],
    [
      'that makes one thing worse is denied for that one',
      [judged(written([fewer, finding('spec.c')], [fewer]))],
      [`requirement "r" of o: ${line('spec.a')}`],
      [`requirement "r" of o: not met before either: ${line('spec.c')}`],
    ],
    ['that deletes is denied', [judged({ kind: 'deleted' })], ['requirement "r" of o: needs this definition'], []],
    [
      'that deletes is warned of',
      [judged({ kind: 'deleted' }, 'Warn')],
      [],
      ['requirement "r" of o: needs this definition'],
    ],
    [
      'about which a requirement cannot be understood is denied',
      [judged({ kind: 'unreadable', problem: 'no YAML' })],
      ['requirement "r" of o: cannot be understood, so it cannot be said to be met: no YAML'],
      [],
    ],
    [
      'that breaks several is told of all, in one order, each line once',
      [
        judged(written([old]), 'Deny', 'requirement "z"'),
        judged({ kind: 'deleted' }, 'Deny', 'requirement "a"'),
        judged({ kind: 'deleted' }, 'Deny', 'requirement "a"'),
      ],
      ['requirement "a": needs this definition', `requirement "z": ${line('spec.a')}`],
      [],
    ],
  ])('%s', (_title, all, denials, warnings) => {
    expect(decide(all)).toEqual({ denials, warnings });
    expect(decide([...all].reverse())).toEqual({ denials, warnings });
  });
});
