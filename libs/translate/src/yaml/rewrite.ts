import { isUtf8 } from 'node:buffer';
import type { Document } from 'yaml';
import type { BodyRewriter } from '../body.js';
import { BODY_LIMIT, WholeBody } from '../body.js';
import { TranslationError } from '../errors.js';
import type { GroupMapping } from '../groups/mapping.js';
import type { Shape } from '../json/shape.js';
import { readDocuments } from './documents.js';
import type { Splice } from './splice.js';
import { spliced } from './splice.js';
import { Visitor } from './visitor.js';

/** Beginnings of texts in two bytes per character, which servers read too. */
const WIDE = [Buffer.of(0xfe, 0xff), Buffer.of(0xff, 0xfe)];
/** Line ends to servers and letters to us: what is a comment to one would be a member to the other. */
const FOREIGN_LINE_ENDS = /[\u0085\u2028\u2029]/;
/** What a group can be written with that does not look like it: escapes, and tags that say how to read a value. */
const DISGUISES = ['\\', '!'];

/**
 * Changes strings of YAML documents at the places of a shape, and leaves every other byte of the source alone. What is
 * no YAML is left alone too: refusing it is for the server. Throws a TranslationError for what is ambiguous.
 */
export function rewriteYaml(bytes: Uint8Array, shape: Shape): Uint8Array {
  return rewrite(bytes, shape, () => undefined);
}

function rewrite(bytes: Uint8Array, shape: Shape, onUnreadable: (why: string) => void): Uint8Array {
  if (bytes.length > BODY_LIMIT) throw new TranslationError('TOO_LARGE', `limit is ${BODY_LIMIT}`);
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (WIDE.some((mark) => buffer.subarray(0, 2).equals(mark)))
    throw new TranslationError('UNSUPPORTED', 'YAML in UTF-16 is not translated; send UTF-8');
  if (!isUtf8(buffer)) return bytes;
  const source = buffer.toString('utf8');
  if (FOREIGN_LINE_ENDS.test(source))
    throw new TranslationError('UNSUPPORTED', 'YAML with line ends other than LF and CRLF is not translated');
  const documents = readDocuments(source);
  const [fault] = documents[0]?.errors ?? [];
  if (fault !== undefined) onUnreadable(fault.message.split('\n', 1)[0] ?? '');
  const splices = splicesIn(source, documents, shape);
  return splices.length === 0 ? bytes : Buffer.from(spliced(source, splices));
}

function splicesIn(source: string, documents: readonly Document[], shape: Shape): readonly Splice[] {
  // A server reads the first document, whatever is wrong with those after it.
  return documents.flatMap(({ errors, contents }) =>
    errors.length > 0 ? [] : new Visitor(source, contents).splices(contents, shape),
  );
}

/**
 * Rewriters of YAML bodies, as a translator of requests takes them. Servers read some YAML that we cannot: if it names
 * a group it is refused, for it must not get there as it is.
 */
export function yamlBodies(mapping: GroupMapping): (shape: Shape) => BodyRewriter {
  const needles = mapping.needles.map((needle) => Buffer.from(needle));
  return (shape) =>
    new WholeBody((bytes) => {
      const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      const isNamed = needles.some((needle) => buffer.includes(needle));
      const isWide = WIDE.some((mark) => buffer.subarray(0, 2).equals(mark));
      if (!isNamed && !isWide && !DISGUISES.some((sign) => buffer.includes(sign))) return bytes;
      return rewrite(bytes, shape, (why) => {
        if (isNamed) throw new TranslationError('MALFORMED', `the YAML names a group and cannot be read: ${why}`);
      });
    });
}
