/** One parameter of a query, as it was written and as it is read. */
interface Parameter {
  readonly raw: string;
  readonly key: string;
  readonly value: string;
}

function readQuery(query: string): Parameter[] {
  return query.split('&').map((raw) => {
    const at = raw.indexOf('=');
    return { raw, key: decode(at < 0 ? raw : raw.slice(0, at)), value: at < 0 ? '' : decode(raw.slice(at + 1)) };
  });
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

/** Whether a query asks for a watch: anything but a plain no is yes. */
export function asksForWatch(query: string): boolean {
  if (query === '') return false;
  const value = readQuery(query).find(({ key }) => key === 'watch')?.value;
  return value !== undefined && value !== '0' && value.toLowerCase() !== 'false';
}

/** Whether a query can hold a field selector: as it is, or with its name written in another way. */
const mayNameField = (query: string): boolean => query.includes('fieldSelector') || query.includes('%');

/** Renames one value that a field is compared with. */
export type FieldChange = (field: string, value: string) => string;

/** A query with the values of its field selectors renamed; every other byte stays. */
export function swapQuery(query: string, change: FieldChange): string {
  if (!mayNameField(query)) return query;
  return readQuery(query)
    .map(({ raw, key, value }) => {
      if (key !== 'fieldSelector') return raw;
      const swapped = swapFieldSelector(value, change);
      return swapped === value ? raw : `fieldSelector=${encodeURIComponent(swapped)}`;
    })
    .join('&');
}

const TERM = /^((?:[^\\=!]|\\.)*?)(!=|==|=)(.*)$/s;

/** `a=b,c!=d`, with backslashes before commas, equals signs and backslashes of values. */
export function swapFieldSelector(selector: string, change: FieldChange): string {
  return splitTerms(selector)
    .map((term) => {
      const [, field, operator, value] = TERM.exec(term) ?? [];
      if (field === undefined || operator === undefined || value === undefined) return term;
      const plain = value.replaceAll(/\\(.)/gs, '$1');
      const swapped = change(field.trim(), plain);
      return swapped === plain ? term : `${field}${operator}${swapped.replaceAll(/[\\,=]/g, String.raw`\$&`)}`;
    })
    .join(',');
}

function splitTerms(selector: string): string[] {
  return selector.match(/(?:[^\\,]|\\.|\\$)+|(?<=,)(?=,|$)|^(?=,)/gs) ?? [selector];
}

/** The names that a selector pins its objects to, as clients wrote them. */
export function pinnedNames(query: string): string[] {
  const names: string[] = [];
  for (const { key, value } of readQuery(query)) {
    if (key !== 'fieldSelector') continue;
    for (const term of splitTerms(value)) {
      const [, field, operator, name] = TERM.exec(term) ?? [];
      if (field?.trim() === 'metadata.name' && operator !== '!=') names.push((name ?? '').replaceAll(/\\(.)/gs, '$1'));
    }
  }
  return names;
}
