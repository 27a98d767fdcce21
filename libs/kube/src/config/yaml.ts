import type { YamlDocument } from '@capstan/meta/yaml';
import { ConfigError } from './fields.js';
import { loadYaml } from './yaml-library.js';

/**
 * What is in a text of YAML or JSON, document by document; empty ones are left out. Rejects with a {@link ConfigError}.
 *
 * @param file What the text is called in messages.
 */
export async function readYamlDocuments(text: string, file: string): Promise<readonly unknown[]> {
  return (await yamlOf(text, file)).flatMap(({ value }) => (value === null ? [] : [value]));
}

/** The documents of a text, empty ones among them. Rejects with a {@link ConfigError}. */
export async function yamlOf(text: string, file: string): Promise<readonly YamlDocument[]> {
  const { YamlError, readYaml } = await loadYaml();
  try {
    return readYaml(text);
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    throw new ConfigError(`not YAML: ${error.message}`, { file }, error);
  }
}
