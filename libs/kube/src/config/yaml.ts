import { ConfigError } from './fields.js';
import { repeatedKey } from './repeated-key.js';
import { loadYaml } from './yaml-library.js';

/**
 * What is in a text of YAML or JSON, document by document; empty ones are left out. Rejects with a {@link ConfigError}.
 *
 * @param file What the text is called in messages.
 */
export async function readYamlDocuments(text: string, file: string): Promise<readonly unknown[]> {
  const yaml = await loadYaml();
  const lines = new yaml.LineCounter();
  const values: unknown[] = [];
  for (const document of yaml.parseAllDocuments(text, { prettyErrors: true, lineCounter: lines, uniqueKeys: false })) {
    const [problem] = document.errors;
    if (problem !== undefined) throw new ConfigError(`not YAML: ${problem.message}`, { file }, problem);
    const repeated = repeatedKey(document, yaml);
    if (repeated !== undefined) {
      const { col, line } = lines.linePos(repeated.range?.[0] ?? 0);
      throw new ConfigError(`not YAML: Map keys must be unique at line ${line}, column ${col}`, { file });
    }
    const value: unknown = document.toJS();
    if (value !== null && value !== undefined) values.push(value);
  }
  return values;
}
