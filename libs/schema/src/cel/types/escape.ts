/** How Kubernetes turns property names into CEL identifiers and back. */

const reserved = new Set(
  (
    'true false null in as break const continue else for function if import let loop package namespace return ' +
    'var void while'
  ).split(' '),
);

const plain = /^[a-zA-Z0-9_]*$/;
const special = /__|[-./]/g;
const escaped = /__[^_]+__/g;

const forward: Readonly<Record<string, string>> = {
  __: '__underscores__',
  '.': '__dot__',
  '-': '__dash__',
  '/': '__slash__',
};

/** The identifier a rule writes for a property, or undefined when the property cannot be reached from CEL. */
export function escapeIdentifier(name: string): string | undefined {
  if (name === '' || /^\d/.test(name)) return undefined;
  if (reserved.has(name)) return `__${name}__`;
  if (plain.test(name) && !name.includes('__')) return name;
  if (!/^[a-zA-Z0-9_./-]*$/.test(name)) return undefined;
  return name.replace(special, (part) => forward[part] ?? part);
}

/** The property an identifier stands for, or undefined when its escapes are malformed. */
export function unescapeIdentifier(identifier: string): string | undefined {
  if (!identifier.includes('__')) return identifier;
  let valid = true;
  const name = identifier.replace(escaped, (part) => {
    const content = part.slice(2, -2);
    if (content === 'underscores') return '__';
    if (content === 'dot') return '.';
    if (content === 'dash') return '-';
    if (content === 'slash') return '/';
    // A keyword is escaped only as a whole name.
    if (!reserved.has(content) || part.length !== identifier.length) valid = false;
    return content;
  });
  return valid ? name : undefined;
}
