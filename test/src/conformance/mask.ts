/** What differs from run to run, replaced by what stays: numbered identities, and words for moments. */
export class Masker {
  readonly #namespace: string;
  readonly #versions = new Map<string, string>();
  readonly #uids = new Map<string, string>();
  /** Moments further from now than this were put there by the test. */
  readonly #now: number;

  constructor(namespace: string, now: number) {
    this.#namespace = namespace;
    this.#now = now;
  }

  /** A JSON value with everything masked; key order is kept. */
  value(value: unknown): unknown {
    if (typeof value === 'string') return this.text(value);
    if (Array.isArray(value)) return value.map((each) => this.value(each));
    // Files of JSON hold no exact integers beyond 2^53.
    if (typeof value === 'bigint') return `{integer ${value}}`;
    if (value === null || typeof value !== 'object') return value;
    const out: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
    for (const [key, each] of Object.entries(value)) {
      out[this.text(key)] = this.#member(key, each, value);
    }
    return out;
  }

  text(text: string): string {
    return (
      text
        // The diffs that real servers show are indented with these or with plain spaces, as each process happens to choose.
        .replaceAll('\u00A0', ' ')
        .replaceAll(this.#namespace, '{ns}')
        .replace(/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g, (uid) =>
          numbered(this.#uids, uid, 'uid'),
        )
        .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, (time, micro?: string) => this.#time(time, micro))
        .replace(/\bgen-[bcdfghjklmnpqrstvwxz2456789]{5}\b/g, 'gen-{5}')
        .replace(/\b10\.0\.0\.\d+\b/g, '{ip}')
        .replace(/\b127\.0\.0\.1:\d{4,5}\b/g, '127.0.0.1:{port}')
    );
  }

  #member(key: string, value: unknown, owner: object): unknown {
    switch (key) {
      case 'metadata':
        return this.#metadata(value, owner);
      case 'message':
        return typeof value === 'string' ? this.#message(value) : this.value(value);
      case 'nodePort':
      case 'healthCheckNodePort':
        return typeof value === 'number' && value >= 30000 ? '{port}' : value;
      // Our own words.
      case 'description':
        return 'columnType' in owner || 'format' in owner ? '{description}' : this.value(value);
      case 'managedFields':
        return Array.isArray(value) && value.every(isEntry) ? this.#managers(value) : this.value(value);
      // In the order of one of Go's maps, which is none.
      case 'causes':
        return Array.isArray(value) && value.every(isConflict)
          ? value.map((each) => this.value(each)).toSorted(byText)
          : this.value(value);
      case 'cells':
        return Array.isArray(value) ? value.map((cell) => this.#cell(cell)) : value;
      default:
        return this.value(value);
    }
  }

  /** The version of a list moves with every write to the server; that of an object changes only when it is written. */
  #metadata(value: unknown, owner: object): unknown {
    const masked = this.value(value);
    if (masked === null || typeof masked !== 'object') return masked;
    const metadata = masked as { resourceVersion?: unknown; continue?: unknown };
    const { resourceVersion } = metadata;
    if (typeof resourceVersion === 'string' && /^[1-9]\d*$/.test(resourceVersion)) {
      metadata.resourceVersion = isObject(owner) ? numbered(this.#versions, resourceVersion, 'rv') : '{revision}';
    }
    if (typeof metadata.continue === 'string' && metadata.continue !== '') metadata.continue = '{continue}';
    return metadata;
  }

  #message(text: string): string {
    return (
      this.text(text)
        .replace(
          /(resource version: |current: |ResourceVersion in the precondition \(|ResourceVersion in record \(|ResourceVersion in object meta: )\d+( \(\d+\))?/g,
          '$1{n}$2',
        )
        // Addresses of the real server's memory.
        .replace(/\(0x[0-9a-f]{6,}\)/g, '({pointer})')
        // Moments, as Go prints its own values; year 1 is none.
        .replace(/time\.Date\((?!1,)\d[^)]*\)/g, '{time}')
        // Messages about patches quote the whole object.
        .replace(/(\\"resourceVersion\\":\\")\d+/g, '$1{n}')
        .replace(/(\bnodePort(?:\\")?:)3\d{4}/g, '$1{port}')
    );
  }

  /**
   * Entries come in the order of their times, which depends on whether a second went by between two writes. That order
   * is checked here, and what is written down has one that no second can change.
   */
  #managers(entries: readonly Entry[]): unknown {
    const order = (a: Entry, b: Entry): number =>
      compare(a.operation, b.operation) || compare(a.time, b.time) || compareNames(a, b);
    const isSorted = entries.every((entry, at) => at === 0 || order(entries[at - 1] ?? entry, entry) <= 0);
    if (!isSorted) return ['{unsorted}', ...entries.map((entry) => this.value(entry))];
    const settled = entries.toSorted((a, b) => compare(a.operation, b.operation) || compareNames(a, b));
    return settled.map((entry) => this.value(entry));
  }

  #time(time: string, micro: string | undefined): string {
    if (Math.abs(Date.parse(time) - this.#now) > 86_400_000) return time;
    return micro === undefined ? '{time}' : micro.length === 7 ? '{microtime}' : '{odd time}';
  }

  #cell(cell: unknown): unknown {
    return typeof cell === 'string' && /^\d+s$/.test(cell) ? '{age}' : this.value(cell);
  }
}

interface Entry {
  readonly operation?: string;
  readonly time?: string;
  readonly manager?: string;
  readonly apiVersion?: string;
  readonly subresource?: string;
}

function isEntry(value: unknown): value is Entry {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

function isConflict(cause: unknown): boolean {
  return (cause as { reason?: unknown } | null)?.reason === 'FieldManagerConflict';
}

function byText(a: unknown, b: unknown): number {
  return compare(JSON.stringify(a), JSON.stringify(b));
}

function compare(a = '', b = ''): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

function compareNames(a: Entry, b: Entry): number {
  return compare(a.manager, b.manager) || compare(a.apiVersion, b.apiVersion) || compare(a.subresource, b.subresource);
}

function isObject(owner: object): boolean {
  if ('items' in owner || 'columnDefinitions' in owner) return false;
  const { metadata } = owner as { metadata?: object };
  return metadata !== undefined && 'uid' in metadata;
}

function numbered(known: Map<string, string>, value: string, prefix: string): string {
  const mask = known.get(value) ?? `{${prefix}${known.size + 1}}`;
  known.set(value, mask);
  return mask;
}
