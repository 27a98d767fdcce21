import { ConfigError } from './fields.js';
import { loadYaml } from './yaml-library.js';

/**
 * What is in a text of YAML or JSON, document by document; empty ones are left out. Rejects with a {@link ConfigError}.
 *
 * @param file What the text is called in messages.
 */
export async function readYamlDocuments(text: string, file: string): Promise<readonly unknown[]> {
  const { parseAllDocuments } = await loadYaml();
  const values: unknown[] = [];
  for (const document of parseAllDocuments(text, { prettyErrors: true })) {
    const [problem] = document.errors;
    if (problem !== undefined) throw new ConfigError(`not YAML: ${problem.message}`, { file }, problem);
    const value: unknown = document.toJS();
    if (value !== null && value !== undefined) values.push(value);
  }
  return values;
}
