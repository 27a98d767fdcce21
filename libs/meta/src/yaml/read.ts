import type { Document } from 'yaml';
import { Composer, LineCounter, Parser } from 'yaml';
import type { Breach } from './bounds.js';
import { depthBreach, documentBreach } from './bounds.js';
import { YamlError } from './errors.js';
import { reindent } from './reindent.js';
import { kubernetesTags } from './tags.js';

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
  /** As kubectl reads a manifest: `yes` and `on` are booleans, integers that no number holds are bigints, keys are texts. */
  readonly isManifest?: boolean;
}

const MANIFEST = {
  schema: 'yaml-1.1',
  customTags: kubernetesTags,
  resolveKnownTags: false,
  strict: false,
  logLevel: 'error',
} as const;
/** What the Go reader of Kubernetes refuses wherever it stands. */
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u0084\u0086-\u009f\ufffe\uffff]/;

/**
 * The documents of a text of YAML or JSON, in time proportional to its length; throws a {@link YamlError} at the first
 * fault. The one way to read YAML that others wrote: the library's own functions are quadratic in keys and aliases.
 */
export function readYaml(text: string, { isManifest = false }: ReadYamlOptions = {}): YamlDocument[] {
  return isManifest ? readManifest(text) : parse(text, false);
}

/** As YAML 1.2, or else with the lines that only Kubernetes reads indented further: places stay in their lines. */
function readManifest(text: string): YamlDocument[] {
  const control = CONTROL.exec(text);
  if (control !== null) {
    const lines = text.slice(0, control.index).split('\n');
    const code = control[0].charCodeAt(0).toString(16).padStart(4, '0');
    const place = { document: 1, line: lines.length, column: (lines.at(-1) ?? '').length + 1 };
    throw new YamlError(`control character \\u${code} is not allowed`, place);
  }
  try {
    return parse(text, true);
  } catch (error) {
    const other = reindent(text);
    if (other === text) throw error;
    try {
      return parse(other, true);
    } catch {
      throw error;
    }
  }
}

function parse(text: string, isManifest: boolean): YamlDocument[] {
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
    const breach = documentBreach(document, isManifest);
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
