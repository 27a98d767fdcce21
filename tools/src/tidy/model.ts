/** What a rule found. */
export interface Finding {
  readonly rule: string;
  readonly path: string;
  /** Counted from 1; absent when the finding is about the whole file. */
  readonly line?: number;
  /** What is wrong and what to do instead. */
  readonly message: string;
}

/** Where something counted by a ratchet stands. */
export interface Place {
  readonly path: string;
  /** Counted from 1; absent when it is the whole file or folder. */
  readonly line?: number;
  /** What it is, where the path does not show it. */
  readonly note?: string;
}

/** One import, re-export or dynamic import. */
export interface ImportEdge {
  readonly specifier: string;
  readonly line: number;
  /** Erased by the compiler, so it cannot take part in a cycle at run time. */
  readonly typeOnly: boolean;
}

/** Something in the code that a rule may object to, found in the syntax tree and not in strings or comments. */
export interface CodeFact {
  /** `bare-error`, `export-all`, `ambient:<what>`, `uses:<name>`, `yaml:<name>`, `raw-write`, or `spread-call`. */
  readonly kind: string;
  readonly line: number;
}

/** A TypeScript file, parsed. */
export interface Module {
  readonly path: string;
  readonly imports: readonly ImportEdge[];
  readonly facts: readonly CodeFact[];
  readonly lines: number;
}

/** A workspace package. */
export interface Package {
  readonly name: string;
  /** Path from the root, without a slash at the end. */
  readonly dir: string;
  readonly dependencies: ReadonlySet<string>;
  /** `exports` with the folder as base: `.` or `./sub` to the source file's path. */
  readonly exports: ReadonlyMap<string, string>;
}

/** The files of a checkout as the rules see them. */
export interface Repo {
  /** Path from the root, with `/`, to content; binary files are absent. */
  readonly files: ReadonlyMap<string, string>;
  readonly modules: ReadonlyMap<string, Module>;
  readonly packages: readonly Package[];
  /** Every folder that holds something, for documents that name one. */
  readonly folders: ReadonlySet<string>;
  /** Scripts of the root package.json by name. */
  readonly scripts: ReadonlyMap<string, string>;
  readonly ratchet: Ratchet;
}

/** Counts of old sins by rule and package: they may fall, never rise. */
export type Ratchet = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** One rule: a pure function, so that a test can hand it a repository of two files. */
export interface Rule {
  readonly name: string;
  readonly check: (repo: Repo) => Finding[];
}

/** Whether the file is a test or serves tests alone. */
export function isTestFile(path: string): boolean {
  return /\.(?:test|fixture)\.ts$|(?:^|\/)(?:testing|fixture)[\w-]*(?:\.ts$|\/)/.test(path) || path.startsWith('test/');
}

/** The package whose folder holds the file. */
export function packageOf(repo: Repo, path: string): Package | undefined {
  return repo.packages.find((each) => path.startsWith(`${each.dir}/`));
}
