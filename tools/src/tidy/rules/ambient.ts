import type { Rule } from '../model.js';
import { isTestFile } from '../model.js';

/** Folders that take time, chance and the machine as arguments, so that a simulation can own them. */
const pureFolders = ['api/src/', 'libs/meta/src/', 'libs/apiserver/src/'];

/** The front ends inside them: the only places where a core meets a socket, a timer or a file. */
const frontEnds = ['libs/apiserver/src/http/', 'libs/apiserver/src/webhook/https/'];

/** Uses that were looked at and found to depend on nothing ambient. */
const permitted: ReadonlyMap<string, string> = new Map([
  // Asks whether a time zone exists; formats nothing.
  ['libs/apiserver/src/builtin/batch/cron-job.ts', 'Intl.DateTimeFormat'],
]);

const advice: readonly (readonly [RegExp, string])[] = [
  [/^(?:Date\.now|new Date\(\))$/, 'take a Clock and ask its now()'],
  [/^(?:performance|process\.hrtime|process\.uptime)/, 'take a Clock and ask its monotonic()'],
  [/^set(?:Timeout|Interval|Immediate)|nextTick|queueMicrotask|timers/, 'take a Clock and use its after()'],
  [/random|getRandomValues|^(?:node:)?crypto$/i, 'take a Random'],
  [/[lL]ocale|^Intl/, 'compare code units or bytes: a locale changes the answer from machine to machine'],
  [/^fetch$/, 'take a Transport'],
];

function adviceFor(what: string): string {
  return advice.find(([pattern]) => pattern.test(what))?.[1] ?? 'leave it to the front end or the caller';
}

/** The pure cores touch nothing ambient. */
export const ambientUse: Rule = {
  name: 'ambient',
  check: (repo) =>
    [...repo.modules.values()]
      .filter(({ path }) => pureFolders.some((each) => path.startsWith(each)))
      .filter(({ path }) => !isTestFile(path) && !frontEnds.some((each) => path.startsWith(each)))
      .flatMap((module) =>
        module.facts
          .filter((fact) => fact.kind.startsWith('ambient:') && fact.kind !== `ambient:${permitted.get(module.path)}`)
          .map((fact) => {
            const what = fact.kind.slice('ambient:'.length);
            const message = `${what} in a pure core; ${adviceFor(what)}`;
            return { rule: 'ambient', path: module.path, line: fact.line, message };
          }),
      ),
};
