import { MirrorError, readObjects } from '@capstan/translate/mirror';
import { CliError } from '../errors.js';
import type { Read } from './model.js';
import { DEPENDENT, firstLine, partsOf } from '../yaml/parts.js';
import { readQuickly } from '../yaml/quick-yaml.js';

/** The objects of a text in YAML: several documents, lists not yet taken apart. */
export function readYaml(text: string, file: string, onPart: () => void = () => undefined): Read[] {
  if (DEPENDENT.test(text)) return slowly(text, file, 0, undefined);
  const parts = partsOf(text).filter((part) => part.text.trim() !== '');
  const isOne = parts.length === 1;
  return parts.flatMap((part, index) => {
    onPart();
    const quick = readQuickly(part.text);
    const document = isOne ? undefined : index + 1;
    if (quick === undefined) return slowly(part.text, file, part.line - 1, document);
    if (quick.value === null) return [];
    return [{ value: quick.value, place: { file, document, line: isOne ? undefined : firstLine(part) } }];
  });
}

const WHERE = /, document (\d+), line (\d+)/;

/** Parsed by the complete YAML parser; line numbers in its errors are relative to the given part. */
function slowly(text: string, file: string, linesBefore: number, document: number | undefined): Read[] {
  try {
    const objects = readObjects(text, '', { wholeLists: true });
    return objects.map(({ object, where }) => {
      const [, number, line] = WHERE.exec(where) ?? [];
      const own = document ?? (objects.length === 1 ? undefined : Number(number));
      const at = own === undefined ? undefined : Number(line) + linesBefore;
      return { value: object, place: { file, document: own, line: at } };
    });
  } catch (error) {
    if (!(error instanceof MirrorError)) throw error;
    const message = error.message.replace(WHERE, (_, number: string, line: string) => {
      const shown = document ?? Number(number);
      return `${file}${shown > 1 || document !== undefined ? `, document ${shown}` : ''}, line ${Number(line) + linesBefore}`;
    });
    throw new CliError(message, 'fix the YAML at that line', { cause: error });
  }
}
