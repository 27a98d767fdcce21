import type { KubeObject } from '@capstan/meta';
import { dataOf } from '../decide.js';

const KEY = 'password';

/** In bytes: the OAuth server compares by bcrypt, which reads no more. */
const LONGEST = 72;
const PRINTABLE = /^[!-~]+$/;

/**
 * The password that a Secret of the control plane namespace holds, and nothing else of it: its name is from a status and its
 * contents are those of any client that may write there, and users print a password on a terminal and put it into other programs.
 */
export function kubeadminPassword(
  secret: KubeObject,
  origin: string,
): { readonly password: string } | { readonly problem: string } {
  const password = dataOf(secret, KEY);
  if (password === undefined || password === '') return { problem: `${origin} has no key ${KEY}` };
  if (password.length > LONGEST) return { problem: `${origin}: its ${KEY} is longer than ${LONGEST} characters` };
  if (!PRINTABLE.test(password))
    return { problem: `${origin}: its ${KEY} has other characters than printable ASCII without spaces` };
  return { password: Buffer.from(password).toString('base64') };
}
