import type { Document, Node } from 'yaml';
import { Composer, LineCounter, Parser } from 'yaml';
import { reindent } from './reindent.js';

interface Composed {
  readonly document: Document | undefined;
  readonly lines: LineCounter;
}

function compose(text: string): Composed {
  const lines = new LineCounter();
  const composer = new Composer({ prettyErrors: false, uniqueKeys: false, strict: false, logLevel: 'silent' });
  const tokens = new Parser(lines.addNewLine).parse(text);
  const [document] = composer.compose(tokens, false, text.length) as Iterable<Document>;
  return { document, lines };
}

/**
 * Finds the lines of members in the first document of a text that was read before, so that it is known to be sound: the
 * line, from 1 on, of the last member on a way that is there.
 */
export function yamlLines(text: string): (steps: readonly (string | number)[]) => number | undefined {
  const first = compose(text);
  // Lines that only Kubernetes reads are indented further, which leaves places in their lines.
  const { document, lines } = (first.document?.errors.length ?? 0) > 0 ? compose(reindent(text)) : first;
  return (steps) => {
    let line: number | undefined;
    let at: unknown = document?.contents;
    for (const step of steps) {
      const { items } = Object(at) as { readonly items?: readonly unknown[] };
      const pair = items?.find((each) => keyOf(each) === step) as { key: Node; value: unknown } | undefined;
      const found = typeof step === 'number' ? (items?.[step] as Node | undefined) : pair?.key;
      if (found?.range == null) break;
      line = lines.linePos(found.range[0]).line;
      at = typeof step === 'number' ? found : pair?.value;
    }
    return line;
  };
}

function keyOf(pair: unknown): unknown {
  const { key } = Object(pair) as { readonly key?: { readonly value?: unknown } };
  return key?.value;
}
