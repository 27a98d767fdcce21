import type { Module, Rule } from '../model.js';
import { isTestFile } from '../model.js';

/** What ships: it meets input of any size. */
const SHIPPED = /^(?:api|libs|operators|providers|apps)\//;

function shipped(modules: ReadonlyMap<string, Module>): Module[] {
  return [...modules.values()].filter(({ path }) => SHIPPED.test(path) && !isTestFile(path));
}

/** The library's readers: quadratic in keys and aliases, and fatal in texts nested too deep. */
const YAML_READERS = /^yaml:(?:parse|parseDocument|parseAllDocuments|Composer|Parser|import)$/;
/** The one reader; the editor of YAML bodies, which bounds them as well; and a printer that loads the library late. */
const YAML_FILES = /^(?:libs\/meta\/src\/yaml\/|libs\/translate\/src\/yaml\/|apps\/cli\/src\/output\.ts$)/;

/** YAML is read by the one reader that is linear. */
export const boundedYaml: Rule = {
  name: 'yaml',
  check: (repo) =>
    shipped(repo.modules)
      .filter(({ path }) => !YAML_FILES.test(path))
      .flatMap(({ facts, path }) =>
        facts
          .filter(({ kind }) => YAML_READERS.test(kind))
          .map(({ kind, line }) => {
            const message = `reads YAML by ${kind.slice('yaml:'.length)} of the library, in quadratic time; use readYaml of @capstan/meta/yaml`;
            return { rule: 'yaml', path, line, message };
          }),
      ),
};

/** No list becomes the arguments of a call. */
export const spreadCalls: Rule = {
  name: 'spread-calls',
  check: (repo) =>
    shipped(repo.modules).flatMap(({ facts, path }) =>
      facts
        .filter(({ kind }) => kind === 'spread-call')
        .map(({ line }) => {
          const message =
            'spreads a list into the arguments of a call, which over 120,000 elements throws; use pushAll, maxOf or minOf of @capstan/meta, or a loop';
          return { rule: 'spread-calls', path, line, message };
        }),
    ),
};
