import type { Random } from '@capstan/meta';

const TOKEN_BYTES = 24;
const BOOTSTRAPPER = 'system:serviceaccount:openshift-machine-config-operator:node-bootstrapper';

/** Who is known to the API server of a hosted cluster by a token from the start. */
const ACCOUNTS = {
  admin: { user: 'system:admin', groups: ['system:masters'] },
  bootstrap: {
    user: BOOTSTRAPPER,
    groups: ['system:serviceaccounts', 'system:serviceaccounts:openshift-machine-config-operator'],
  },
} as const;

/** The tokens of the administrator and of nodes that are to join. */
export interface Tokens {
  readonly admin: string;
  readonly bootstrap: string;
}

/** A token that nobody guesses. */
export function newToken(random: Random): string {
  return Buffer.from(random.bytes(TOKEN_BYTES)).toString('base64url');
}

/** The token file of kube-apiserver: `token,user,uid,"group1,group2"`. */
export function tokenFile(tokens: Tokens): string {
  const line = (
    token: string,
    { groups, user }: { readonly user: string; readonly groups: readonly string[] },
  ): string => `${token},${user},${user},"${groups.join(',')}"\n`;
  return line(tokens.admin, ACCOUNTS.admin) + line(tokens.bootstrap, ACCOUNTS.bootstrap);
}

/** The tokens in such a file; undefined when one is missing. */
export function readTokens(text: string): Tokens | undefined {
  const lines = text.split('\n').map((line) => line.split(','));
  const of = (user: string): string | undefined => lines.find((fields) => fields[1] === user)?.[0];
  const [admin, bootstrap] = [of(ACCOUNTS.admin.user), of(ACCOUNTS.bootstrap.user)];
  return admin === undefined || bootstrap === undefined ? undefined : { admin, bootstrap };
}

const LETTERS = 'abcdefghijkmnopqrstuvwxyzABCDEFGHIJKLMNPQRSTUVWXYZ23456789';

/** A password as installers make it: four groups of five. */
export function newPassword(random: Random): string {
  const letter = (): string => LETTERS.charAt(random.below(LETTERS.length));
  const group = (): string => Array.from({ length: 5 }, letter).join('');
  return Array.from({ length: 4 }, group).join('-');
}
