import { importGraph } from '../graph.js';
import type { Place, Repo } from '../model.js';
import { isTestFile } from '../model.js';

/** Folders of reconcilers in another idiom, and why. */
export const OTHER_IDIOMS: ReadonlyMap<string, string> = new Map([
  ['operators/hypershift/src/migration', 'a list of steps, see docs/decisions/migration-steps.md'],
]);

/**
 * Children that the folder of a reconciler lacks: `decide.ts` with a test that imports it, and `gather.ts` where a
 * `controller.ts` makes it the folder of a kind. A stranger who knows one reconciler finds everything in the next.
 */
export function missingChildren(repo: Repo): Place[] {
  const graph = importGraph(repo, false);
  const tested = new Set([...graph].filter(([path]) => isTestFile(path)).flatMap(([, targets]) => targets));
  const places: Place[] = [];
  for (const path of repo.modules.keys()) {
    if (!/^operators\/[^/]+\/src\/.*\/reconcile\.ts$/.test(path)) continue;
    const folder = path.slice(0, -'/reconcile.ts'.length);
    if (OTHER_IDIOMS.has(folder)) continue;
    const has = (name: string): boolean => repo.modules.has(`${folder}/${name}`);
    if (!has('decide.ts')) places.push({ path: folder, note: 'has no decide.ts' });
    else if (!tested.has(`${folder}/decide.ts`))
      places.push({ path: folder, note: 'has a decide.ts that no test imports' });
    if (has('controller.ts') && !has('gather.ts')) places.push({ path: folder, note: 'has no gather.ts' });
  }
  return places;
}
