import { CLUSTER_API_RULES, GroupMapping } from '@capstan/translate';
import type { AuditedRequest } from './running-up.js';

const VERBS: Readonly<Record<string, string>> = {
  created: 'create',
  updated: 'update',
  patched: 'patch',
  deleted: 'delete',
};
const WRITES: ReadonlySet<string> = new Set(Object.values(VERBS));
const mapping = new GroupMapping(CLUSTER_API_RULES);

/** Writes by verb and path, with how often each occurs. */
type Writes = ReadonlyMap<string, number>;

function counted(texts: Iterable<string>): Writes {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}

/** The path by its standard groups: controllers behind the proxy log those, the server receives the private ones. */
function standardPath(path: string): string {
  const [, apis, group = ''] = path.split('/');
  return apis === 'apis' && mapping.side(group) === 'private' ? path.replace(group, mapping.swap(group)) : path;
}

/** What an operator has logged of its writes. */
export function loggedWrites(log: string): Writes {
  const lines = [...log.matchAll(/ object (created|updated|patched|deleted) (\{.*\})$/gm)];
  return counted(
    lines.map(([, what = '', fields = '']) => {
      const { path } = JSON.parse(fields) as { readonly path: string };
      return `${VERBS[what] ?? what} ${standardPath(path)}`;
    }),
  );
}

/** What the audit log has of writes that a user agent sent and the server accepted. */
export function auditedWrites(events: readonly AuditedRequest[], agent: RegExp): Writes {
  const own = events.filter(
    ({ requestURI, responseStatus, userAgent = '', verb }) =>
      WRITES.has(verb) &&
      agent.test(userAgent) &&
      (responseStatus?.code ?? 500) < 400 &&
      !/[?&]dryRun=|reviews(?:\?|$)/.test(requestURI),
  );
  return counted(own.map(({ requestURI, verb }) => `${verb} ${standardPath(requestURI.split('?')[0] ?? '')}`));
}

/** Those that occur more often here than there. */
export function missing(here: Writes, there: Writes): string[] {
  return [...here].filter(([write, times]) => times > (there.get(write) ?? 0)).map(([write]) => write);
}
