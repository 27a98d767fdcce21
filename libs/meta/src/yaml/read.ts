import type { Document, Tags } from 'yaml';
import { Composer, LineCounter, Parser } from 'yaml';
import type { Breach } from './bounds.js';
import { depthBreach, documentBreach } from './bounds.js';
import { YamlError } from './errors.js';

/** One document of a text. */
export interface YamlDocument {
  /** Null when the document is empty. */
  readonly value: unknown;
  /** Its place among all documents of the text, empty ones among them; counted from 1. */
  readonly number: number;
  /** Where its value begins, counted from 1. */
  readonly line: number;
  /** The text of its value, with the comments behind it. */
  readonly source: string;
}

/** How a text is read. */
export interface ReadYamlOptions {
  /** As kubectl reads a manifest: `yes` and `on` are booleans, integers that no number holds are bigints. */
  readonly isManifest?: boolean;
}

/** Tags of YAML 1.1 whose values kubectl reads as plain texts, maps and lists. */
const UNREAD: ReadonlySet<string> = new Set(['timestamp', 'omap', 'pairs', 'set', 'binary']);

function manifestTags(tags: Tags): Tags {
  return tags.filter(
    (tag) => typeof tag === 'string' || !(UNREAD.has(tag.tag.replace(/^.*:/, '')) || tag.format === 'TIME'),
  );
}

const MANIFEST = { schema: 'yaml-1.1', customTags: manifestTags, intAsBigInt: true } as const;

/**
 * The documents of a text of YAML or JSON, in time proportional to its length; throws a {@link YamlError} at the first
 * fault. The one way to read YAML that others wrote: the library's own functions are quadratic in keys and aliases.
 */
export function readYaml(text: string, { isManifest = false }: ReadYamlOptions = {}): YamlDocument[] {
  const lines = new LineCounter();
  const place = (document: number, offset: number): { document: number; line: number; column: number } => {
    const { col, line } = lines.linePos(offset);
    return { document, line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const refuse = ({ offset, reason }: Breach, document: number): YamlError =>
    new YamlError(reason, place(document, offset));
  const tokens = [...new Parser(lines.addNewLine).parse(text)];
  const tooDeep = depthBreach(tokens);
  if (tooDeep !== undefined) throw refuse(tooDeep, 1);
  // The library would write out every error with its lines, which takes minutes where there are many.
  const composer = new Composer({ ...(isManifest ? MANIFEST : {}), prettyErrors: false, uniqueKeys: false });
  const found: YamlDocument[] = [];
  for (const document of composer.compose(tokens, false, text.length) as Iterable<Document>) {
    const number = found.length + 1;
    const [error] = document.errors;
    if (error !== undefined) throw refuse({ reason: error.message, offset: error.pos[0] }, number);
    const breach = documentBreach(document);
    if (breach !== undefined) throw refuse(breach, number);
    const [from = 0, , to = 0] = document.contents?.range ?? [];
    const value = valueOf(document, (reason) => refuse({ reason, offset: from }, number));
    found.push({ value, number, line: place(number, from).line, source: text.slice(from, to) });
  }
  return found;
}

function valueOf(document: Document, refuse: (reason: string) => YamlError): unknown {
  try {
    // How far aliases reach is checked above.
    const value: unknown = document.toJS({ maxAliasCount: -1 });
    return value ?? null;
  } catch (error) {
    // A merge of what is no map.
    throw refuse(error instanceof Error ? error.message : String(error));
  }
}
