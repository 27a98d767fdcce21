import { goQuote, trimEndOf } from '@capstan/meta';

/** Where something of a volume ends up, and what it is of. */
export interface PathOf {
  readonly path: string;
  readonly source: string;
}

/** A file or folder, and those who put something there, by when they came. */
interface Folder {
  readonly inside: Map<string, Folder>;
  readonly here: number[];
}

/** More warnings than these are longer than what is shown of all warnings together. */
const MAX_REPORTED = 128;

/** The paths of a volume, of which one may hide another. Each is looked up by its parts, however many there are. */
export class OverlappingPaths {
  readonly #root: Folder = { inside: new Map(), here: [] };
  readonly #paths: PathOf[] = [];
  #reported = 0;

  /** Takes one more; gives its pairs with those before it of which one hides the other. */
  add({ path: given, source }: PathOf): string[] {
    const path = { path: trimEndOf(given, '/'), source };
    if (path.path === '' || this.#reported >= MAX_REPORTED) return [];
    const overlapping = this.#place(path);
    this.#reported += overlapping.length;
    return overlapping.map((other) => `${shown(path)} with ${shown(other)}`);
  }

  #place(path: PathOf): PathOf[] {
    const found: number[] = [];
    let folder = this.#root;
    for (const part of path.path.split('/')) {
      let next = folder.inside.get(part);
      if (next === undefined) folder.inside.set(part, (next = { inside: new Map(), here: [] }));
      for (const index of next.here) found.push(index);
      folder = next;
    }
    addInside(folder, found);
    folder.here.push(this.#paths.length);
    this.#paths.push(path);
    const first = found.sort((a, b) => a - b).slice(0, MAX_REPORTED - this.#reported);
    return first.flatMap((index) => this.#paths[index] ?? []);
  }
}

/** All below a folder; paths may have any number of parts, so without recursion. */
function addInside(folder: Folder, found: number[]): void {
  const open = [...folder.inside.values()];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const index of next.here) found.push(index);
    for (const each of next.inside.values()) open.push(each);
  }
}

function shown({ path, source }: PathOf): string {
  return source === '' ? goQuote(path) : `${goQuote(path)} (${source})`;
}
