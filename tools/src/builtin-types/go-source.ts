/**
 * Reads the declarations of gofmt-formatted Go type files. It knows only the Go that API type files are written in:
 * one field per line, tags in back quotes, no anonymous structs. Comments are read for `+marker` lines alone.
 */

/** A field of a struct, as declared. */
export interface GoField {
  /** Undefined for an embedded struct. */
  readonly name: string | undefined;
  readonly type: string;
  readonly tags: ReadonlyMap<string, string>;
  /** Marker name to its values, in order: `listMapKey` → `['port', 'protocol']`; a bare marker has the value ''. */
  readonly markers: ReadonlyMap<string, readonly string[]>;
}

/** A type declaration. */
export interface GoType {
  readonly name: string;
  readonly markers: ReadonlyMap<string, readonly string[]>;
  /** Of a struct. */
  readonly fields?: readonly GoField[];
  /** Of any other type: what it is declared as. */
  readonly target?: string;
  /** `type A = B`: the very same type, under a second name. */
  readonly alias: boolean;
}

/** The declarations of one file. */
export interface GoFile {
  /** Local package name to import path. */
  readonly imports: ReadonlyMap<string, string>;
  readonly types: readonly GoType[];
  /** String constants by name. */
  readonly constants: ReadonlyMap<string, string>;
}

const TYPE = /^type (\w+) (= )?(.+)$/;
const FIELD = /^\t(?:(\w+)\s+)?(\*?[\w.[\]*{}]+)\s+`([^`]*)`/;
const CONSTANT = /^(?:const |\t)(\w+)\s+(?:[\w.]+\s+)?=\s+"((?:[^"\\]|\\.)*)"/;
const IMPORT = /^(?:import |\t)(?:(\w+) )?"([^"]+)"/;
const TAG = /(\w+):"((?:[^"\\]|\\.)*)"/g;

/** Parses one file. */
export function parseGoFile(source: string): GoFile {
  const imports = new Map<string, string>();
  const constants = new Map<string, string>();
  const types: GoType[] = [];
  const lines = source.replace(/\/\*[\s\S]*?\*\//g, '').split('\n');
  let comments: string[] = [];
  let inImports = false;
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i] ?? '';
    if (/^\s*\/\//.test(line)) {
      comments.push(line);
      continue;
    }
    const declaration = TYPE.exec(line);
    if (declaration !== null) {
      const [, name = '', equals, rest = ''] = declaration;
      const markers = readMarkers(comments);
      const target = rest.replace(/\s*\/\/.*$/, '');
      if (target === 'struct {') {
        const end = lines.indexOf('}', i);
        types.push({ name, markers, alias: false, fields: parseFields(lines.slice(i + 1, end)) });
        i = end;
      } else if (target === 'struct{}') types.push({ name, markers, alias: false, fields: [] });
      else types.push({ name, markers, alias: equals !== undefined, target });
    } else {
      if (line.startsWith('import')) inImports = true;
      const imported = inImports ? IMPORT.exec(line) : null;
      const path = imported?.[2];
      if (path !== undefined) imports.set(imported?.[1] ?? path.slice(path.lastIndexOf('/') + 1), path);
      if (inImports && (line.startsWith(')') || /^import "|^import \w+ "/.test(line))) inImports = false;
      const constant = CONSTANT.exec(line);
      if (constant?.[1] !== undefined) constants.set(constant[1], constant[2] ?? '');
    }
    comments = [];
  }
  return { imports, types, constants };
}

function parseFields(lines: readonly string[]): GoField[] {
  const fields: GoField[] = [];
  let comments: string[] = [];
  for (const line of lines) {
    if (/^\s*\/\//.test(line)) {
      comments.push(line);
      continue;
    }
    const match = FIELD.exec(line);
    if (match !== null) {
      const [, name, type = '', tags = ''] = match;
      fields.push({ name, type, tags: readTags(tags), markers: readMarkers(comments) });
    }
    comments = [];
  }
  return fields;
}

function readTags(text: string): Map<string, string> {
  return new Map([...text.matchAll(TAG)].map((match) => [match[1] ?? '', match[2] ?? '']));
}

function readMarkers(comments: readonly string[]): Map<string, string[]> {
  const markers = new Map<string, string[]>();
  for (const comment of comments) {
    const match = /^\s*\/\/\s*\+([^=\s]+)(?:=(.*))?$/.exec(comment);
    if (match?.[1] === undefined) continue;
    const values = markers.get(match[1]) ?? [];
    values.push(match[2]?.trim() ?? '');
    markers.set(match[1], values);
  }
  return markers;
}
