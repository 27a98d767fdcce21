import type { UserInfo } from '@capstan/meta';

/** The user as reviews show one: what there is none of is left out. */
export function userFields({ username, uid, groups, extra }: UserInfo): object {
  const entries = Object.entries(extra ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    ...(username === '' ? {} : { username }),
    ...(uid === undefined || uid === '' ? {} : { uid }),
    ...(groups.length === 0 ? {} : { groups }),
    ...(entries.length === 0 ? {} : { extra: Object.fromEntries(entries) }),
  };
}
