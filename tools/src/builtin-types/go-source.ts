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
  /** The lines of a struct that declare a field without a tag; absent when there are none. */
  readonly untagged?: readonly string[];
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

const COMMENT = /^\s*\/\//;
const TYPE = /^type (\w+) (= )?(.+)$/;
const FIELD = /^\t(?:(\w+)\s+)?(\*?[\w.[\]*{}]+)\s+`([^`]*)`/;
const CONSTANT = /^(?:const |\t)(\w+)\s+(?:[\w.]+\s+)?=\s+"((?:[^"\\]|\\.)*)"/;
const IMPORT = /^(?:import |\t)(?:(\w+) )?"([^"]+)"/;
const TAG = /(\w+):"((?:[^"\\]|\\.)*)"/g;

/** Parses one file. */
export function parseGoFile(source: string): GoFile {
  const file = { imports: new Map<string, string>(), constants: new Map<string, string>(), types: [] as GoType[] };
  const lines = source.replace(/\/\*[\s\S]*?\*\//g, '').split('\n');
  let comments: string[] = [];
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i] ?? '';
    if (COMMENT.test(line)) {
      comments.push(line);
      continue;
    }
    if (TYPE.test(line)) {
      const end = line.endsWith(' struct {') ? lines.indexOf('}', i) : i;
      const type = parseType(line, lines.slice(i + 1, end), comments);
      if (type !== undefined) file.types.push(type);
      i = end;
    } else if (line.startsWith('import ')) {
      const end = line.endsWith('(') ? lines.indexOf(')', i) : i;
      for (const each of lines.slice(i, end + 1)) readImport(each, file.imports);
      i = end;
    } else readConstant(line, file.constants);
    comments = [];
  }
  return file;
}

function readConstant(line: string, constants: Map<string, string>): void {
  const [, name, value] = CONSTANT.exec(line) ?? [];
  if (name !== undefined && value !== undefined) constants.set(name, value);
}

function readImport(line: string, imports: Map<string, string>): void {
  const [, name, path] = IMPORT.exec(line) ?? [];
  if (path !== undefined) imports.set(name ?? path.slice(path.lastIndexOf('/') + 1), path);
}

function parseType(line: string, body: readonly string[], comments: readonly string[]): GoType | undefined {
  const [, name = '', equals, rest = ''] = TYPE.exec(line) ?? [];
  const markers = readMarkers(comments);
  const target = rest.replace(/\s*\/\/.*$/, '');
  if (target === 'struct{}') return { name, markers, alias: false, fields: [] };
  if (target !== 'struct {') return { name, markers, alias: equals !== undefined, target };
  const fields = parseFields(body);
  // A struct that has fields, but none with a tag, never travels; an empty one may.
  const untagged = body.filter((each) => /^\t[\w*]/.test(each) && !FIELD.test(each)).map((each) => each.trim());
  if (fields.length === 0 && untagged.length > 0) return undefined;
  return { name, markers, alias: false, fields, ...(untagged.length > 0 ? { untagged } : {}) };
}

function parseFields(lines: readonly string[]): GoField[] {
  const fields: GoField[] = [];
  let comments: string[] = [];
  for (const line of lines) {
    if (COMMENT.test(line)) {
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
