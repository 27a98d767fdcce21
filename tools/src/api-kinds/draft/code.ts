/** Code that can still be written on one line or on several. */
export type Code =
  | string
  | { readonly call: string; readonly args: readonly Code[] }
  | { readonly entries: readonly (readonly [key: string, value: Code])[] }
  | { readonly items: readonly Code[] };

const WIDTH = 120;

/** Writes code, on one line where it fits. */
export function print(code: Code, indent = 0, used = 0): string {
  const flat = printFlat(code);
  if (indent + used + flat.length <= WIDTH) return flat;
  return printBroken(code, indent);
}

function printFlat(code: Code): string {
  if (typeof code === 'string') return code;
  if ('call' in code) return `${code.call}(${code.args.map(printFlat).join(', ')})`;
  if ('items' in code) return `[${code.items.map(printFlat).join(', ')}]`;
  if (code.entries.length === 0) return '{}';
  return `{ ${code.entries.map(([key, value]) => `${key}: ${printFlat(value)}`).join(', ')} }`;
}

function printBroken(code: Code, indent: number): string {
  if (typeof code === 'string') return code;
  const inner = indent + 2;
  const pad = ' '.repeat(inner);
  const end = `\n${' '.repeat(indent)}`;
  if ('call' in code) {
    const [only] = code.args;
    // One argument keeps the brackets together: `object({`.
    if (code.args.length === 1 && only !== undefined)
      return `${code.call}(${print(only, indent, code.call.length + 3)})`;
    return `${code.call}(\n${code.args.map((each) => `${pad}${print(each, inner, 1)},\n`).join('')}${end.slice(1)})`;
  }
  if ('items' in code) {
    return `[\n${code.items.map((each) => `${pad}${print(each, inner, 1)},\n`).join('')}${end.slice(1)}]`;
  }
  const lines = code.entries.map(([key, value]) => `${pad}${key}: ${print(value, inner, key.length + 3)},\n`);
  return `{\n${lines.join('')}${end.slice(1)}}`;
}

/** A JSON value as code. */
export function literal(value: unknown): Code {
  if (typeof value === 'string') return quoted(value);
  if (Array.isArray(value)) return { items: value.map(literal) };
  if (typeof value === 'object' && value !== null) {
    return { entries: Object.entries(value).map(([key, each]) => [propertyName(key), literal(each)] as const) };
  }
  return String(value);
}

/** A string as code. */
export function quoted(text: string): string {
  const json = JSON.stringify(text);
  if (!text.includes("'")) return `'${json.slice(1, -1).replaceAll('\\"', '"')}'`;
  return text.includes('"') ? `'${json.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'` : json;
}

/** The name of a property as code. */
export function propertyName(key: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : quoted(key);
}
