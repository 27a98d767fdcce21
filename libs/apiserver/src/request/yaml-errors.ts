/** A text that is no YAML, in the words of the reader the real server has. */
export class YamlSyntaxError extends Error {
  override readonly name = 'YamlSyntaxError';
}

/** What is wrong with aliases and merges is found only when the value is made. */
export function wordedValueError(cause: unknown, text: string): YamlSyntaxError {
  const loop = cause instanceof RangeError ? /&(\S+)\s[^]*\*\1/.exec(text)?.[1] : undefined;
  if (loop !== undefined) return new YamlSyntaxError(`yaml: anchor '${loop}' value contains itself`, { cause });
  const reason = cause instanceof Error ? cause.message : String(cause);
  const alias = /^Unresolved alias .*: (.+)$/.exec(reason)?.[1];
  if (alias !== undefined) return new YamlSyntaxError(`yaml: unknown anchor '${alias}' referenced`, { cause });
  if (reason.startsWith('Merge sources'))
    return new YamlSyntaxError('yaml: map merge requires map or sequence of maps as the value', { cause });
  if (reason.startsWith('Excessive alias')) {
    return new YamlSyntaxError('yaml: document contains excessive aliasing', { cause });
  }
  return new YamlSyntaxError(`yaml: ${reason}`, { cause });
}
