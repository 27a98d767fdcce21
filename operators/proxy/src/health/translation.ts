/** What was found when an object was read by the standard name of its group. */
export interface TranslationReport {
  readonly ok: boolean;
  /** The group that was asked for. */
  readonly asked: string;
  /** The group that the answer names; absent when there was none. */
  readonly got?: string | undefined;
  readonly version?: string | undefined;
  readonly resource?: string | undefined;
  /** How many objects were looked at: 0 when there are none yet. */
  readonly objects?: number | undefined;
  readonly message: string;
}

/** Reads a path as a client of the proxy does. */
export type Ask = (target: string) => Promise<{ readonly status: number; readonly text: string }>;

interface Discovered {
  readonly name?: string;
  readonly preferredVersion?: { readonly version?: string };
  readonly resources?: readonly { readonly name: string; readonly verbs: readonly string[] }[];
}

interface ListOfObjects {
  readonly apiVersion?: string;
  readonly items?: readonly { readonly apiVersion?: string }[];
}

/**
 * Reads an object through the proxy as its clients do, and reports under which group it came. Who may not read those of all
 * namespaces reads those of its own.
 */
export async function readTranslation(ask: Ask, group: string, namespace: string): Promise<TranslationReport> {
  const problem = (message: string, more: Partial<TranslationReport> = {}): TranslationReport => ({
    ok: false,
    asked: group,
    ...more,
    message,
  });
  try {
    const found = await ask(`/apis/${group}`);
    if (found.status === 404)
      return problem('the server does not serve the group under its private name: install its definitions');
    if (found.status !== 200) return problem(`the group cannot be read: ${found.text.trim()}`);
    const { preferredVersion: { version = '' } = {} } = JSON.parse(found.text) as Discovered;
    const listed = await ask(`/apis/${group}/${version}`);
    if (listed.status !== 200) return problem(`its resources cannot be read: ${listed.text.trim()}`, { version });
    const resource = listable(JSON.parse(listed.text) as Discovered);
    if (resource === undefined) return problem('the group has no resource that can be listed', { version });
    const all = await ask(`/apis/${group}/${version}/${resource}?limit=1`);
    const own = `/apis/${group}/${version}/namespaces/${encodeURIComponent(namespace)}/${resource}?limit=1`;
    const read = all.status === 403 ? await ask(own) : all;
    if (read.status !== 200) return problem(`no object can be read: ${read.text.trim()}`, { version, resource });
    return describeSeen({ group, version, resource }, JSON.parse(read.text) as ListOfObjects);
  } catch (error) {
    return problem(error instanceof Error ? error.message : String(error));
  }
}

/** The resource that everything else hangs on, where it is there. */
function listable({ resources = [] }: Discovered): string | undefined {
  const names = resources
    .filter(({ name, verbs }) => !name.includes('/') && verbs.includes('list'))
    .map(({ name }) => name);
  return names.includes('clusters') ? 'clusters' : names.toSorted()[0];
}

function describeSeen(
  { group, version, resource }: { readonly group: string; readonly version: string; readonly resource: string },
  { apiVersion = '', items = [] }: ListOfObjects,
): TranslationReport {
  const groups = [apiVersion, ...items.map((item) => item.apiVersion ?? apiVersion)].map(
    (text) => text.split('/')[0] ?? '',
  );
  const got = groups.find((name) => name !== group) ?? group;
  const ok = got === group;
  const message = ok ? 'objects come under the standard name' : 'objects come under another name than was asked for';
  return { ok, asked: group, got, version, resource, objects: items.length, message };
}
