import type { UserInfo } from '@capstan/meta';

/** Reads the static token file of kube-apiserver: `token,user,uid,"group1,group2"`, a line each. */
export function readTokenFile(text: string): ReadonlyMap<string, UserInfo> {
  const tokens = new Map<string, UserInfo>();
  for (const line of text.split('\n')) {
    const [token = '', username = '', uid = '', groups = ''] = fieldsOf(line);
    if (token === '' || username === '') continue;
    const named = groups.split(',').filter((group) => group !== '');
    tokens.set(token, { username, ...(uid === '' ? {} : { uid }), groups: [...named, 'system:authenticated'] });
  }
  return tokens;
}

/** The fields of a line of CSV. */
function fieldsOf(line: string): string[] {
  return [...line.matchAll(/(?:^|,)\s*(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, plain]) =>
    (quoted?.replaceAll('""', '"') ?? plain ?? '').trim(),
  );
}
