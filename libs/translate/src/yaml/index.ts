/** Groups in YAML bodies, renamed in the source. */
export { rewriteYaml, yamlBodies } from './rewrite.js';
