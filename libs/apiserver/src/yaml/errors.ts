/** A text that is no YAML, in the words of the reader the real server has. */
export class YamlSyntaxError extends Error {
  override readonly name = 'YamlSyntaxError';
}
