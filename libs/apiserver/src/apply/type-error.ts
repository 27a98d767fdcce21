/** A value that does not fit its type, with every place where it does not. */

/** One misfit; the path is printed before the text. */
export interface Misfit {
  readonly path: string;
  readonly text: string;
}

function line({ path, text }: Misfit): string {
  return path === '' ? text : `${path}: ${text}`;
}

/** Thrown when a value does not fit its type; the message is the server's. */
export class ApplyTypeError extends Error {
  constructor(misfits: readonly Misfit[]) {
    const lines = misfits.map(line);
    super(lines.length === 1 ? (lines[0] ?? '') : ['errors:', ...lines.map((text) => `  ${text}`)].join('\n'));
  }
}
