/** Manifests as kubectl reads them: the quick readers first, the one that knows all of YAML for what they leave. */
import { parseJson, pushAll } from '@capstan/meta';
import { jsonTexts } from './json-stream.js';
import { DEPENDENT, firstLine, partsOf } from './parts.js';
import { readQuickly } from './quick-yaml.js';

/** One document of a file. */
export interface ManifestDocument {
  readonly value: unknown;
  /** The text it was read from, and the line of the file on which that begins. */
  readonly text: string;
  readonly firstLine: number;
  /** As counted in the file, from 1 on. */
  readonly document: number;
  /** On which it states something for the first time. */
  readonly line: number;
}

/** What is wrong with a text, and where. */
export class ManifestError extends Error {
  override readonly name = 'ManifestError';
  readonly document: number;
  readonly line: number;

  constructor(message: string, document: number, line: number, cause: unknown) {
    super(message, { cause });
    this.document = document;
    this.line = line;
  }
}

/** The documents of a text that hold something. Rejects with a {@link ManifestError}. */
export async function readDocuments(text: string): Promise<ManifestDocument[]> {
  if (/^\s*\{/.test(text)) {
    const objects = readJsonTexts(text);
    if (objects !== undefined) return objects;
  }
  if (DEPENDENT.test(text)) return readSlowly(text, 0, undefined);
  const documents: ManifestDocument[] = [];
  for (const [index, part] of partsOf(text)
    .filter((each) => each.text.trim() !== '')
    .entries()) {
    const quick = readQuickly(part.text);
    if (quick === undefined) pushAll(documents, await readSlowly(part.text, part.line - 1, index + 1));
    else if (quick.value !== null)
      documents.push({
        value: quick.value,
        text: part.text,
        firstLine: part.line,
        document: index + 1,
        line: firstLine(part),
      });
  }
  return documents;
}

/** A text of JSON alone; undefined where it is not, or has a key twice, about which the other reader complains. */
function readJsonTexts(text: string): ManifestDocument[] | undefined {
  try {
    const parts = jsonTexts(text)?.map((part) => ({ ...part, ...parseJson(part.text) }));
    if (parts === undefined || parts.some(({ duplicates }) => duplicates.length > 0)) return undefined;
    return parts.map(({ line, text: own, value }, index) => ({
      value,
      text: own,
      firstLine: line,
      document: index + 1,
      line,
    }));
  } catch {
    return undefined;
  }
}

const WHERE = /^, document (\d+), line (\d+)(?:: )?/;

/** By the reader that knows all of YAML, which is much to load; what it reports of places is of the part it was given. */
async function readSlowly(text: string, linesBefore: number, own: number | undefined): Promise<ManifestDocument[]> {
  const { MirrorError, readObjects } = await import('@capstan/translate/mirror');
  const placeOf = (where: string): { document: number; line: number } => {
    const [, document, line] = WHERE.exec(where) ?? [];
    return { document: own ?? Number(document), line: Number(line) + linesBefore };
  };
  try {
    const objects = readObjects(text, '', { wholeLists: true });
    return objects.map(({ object, where }) => ({
      value: object,
      // Of several documents that depend on each other none has a text of its own.
      text: objects.length === 1 ? text : '',
      firstLine: linesBefore + 1,
      ...placeOf(where),
    }));
  } catch (error) {
    if (!(error instanceof MirrorError)) throw error;
    const { document, line } = placeOf(error.message);
    throw new ManifestError(error.message.replace(WHERE, ''), document, line, error);
  }
}
