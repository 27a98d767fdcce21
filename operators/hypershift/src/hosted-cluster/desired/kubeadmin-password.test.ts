import type { KubeObject } from '@capstan/meta';
import { expect, it } from 'vitest';
import { kubeadminPassword } from './kubeadmin-password.js';

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const secretWith = (data: Readonly<Record<string, string>>): KubeObject =>
  ({ metadata: { name: 'kubeadmin-password' }, data }) as unknown as KubeObject;
const bad = (problem: string): object => ({ problem: `Secret ns/p: its password ${problem}` });
const CHARACTERS = bad('has other characters than printable ASCII without spaces');

it.each<[string, string, object]>([
  ['as the control plane makes it', 'aaaaa-bbbbb-ccccc-ddddd', { password: base64('aaaaa-bbbbb-ccccc-ddddd') }],
  ['of the greatest length', 'p'.repeat(72), { password: base64('p'.repeat(72)) }],
  [
    'with every printable character',
    '!"#$%&()*+,/:;<=>?@[]^_`{|}~',
    { password: base64('!"#$%&()*+,/:;<=>?@[]^_`{|}~') },
  ],
  ['longer than what is compared', 'p'.repeat(73), bad('is longer than 72 characters')],
  ['of a megabyte', 'p'.repeat(1_000_000), bad('is longer than 72 characters')],
  ['with a newline', 'good\n', CHARACTERS],
  ['with a command for terminals', '\u001b[2Jgood', CHARACTERS],
  ['with a space', 'a b', CHARACTERS],
  ['with a NUL', 'a\0', CHARACTERS],
  ['with letters that look like others', 'p\u0430ss', CHARACTERS],
  ['that is empty', '', { problem: 'Secret ns/p has no key password' }],
])('checks a password %s', (_, password, expected) => {
  expect(kubeadminPassword(secretWith({ password: base64(password) }), 'Secret ns/p')).toEqual(expected);
});

it('takes nothing but the password', () => {
  const secret = secretWith({ password: base64('good'), kubeconfig: base64('evil'), 'tls.key': base64('key') });
  expect(kubeadminPassword(secret, 'Secret ns/p')).toEqual({ password: base64('good') });
  expect(kubeadminPassword(secretWith({ 'tls.key': base64('key') }), 'Secret ns/p')).toEqual({
    problem: 'Secret ns/p has no key password',
  });
  expect(kubeadminPassword({ metadata: {} } as KubeObject, 'Secret ns/p')).toEqual({
    problem: 'Secret ns/p has no key password',
  });
});
