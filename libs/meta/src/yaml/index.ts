export { YamlError } from './errors.js';
export { yamlLines } from './lines.js';
export { readYaml } from './read.js';
export type { ReadYamlOptions, YamlDocument } from './read.js';
export { yamlTokens } from './tokens.js';
