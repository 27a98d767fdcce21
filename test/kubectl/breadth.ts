import type { Kubectl } from './binaries.js';

/** Set by `npm run test:kubectl -- --all`. */
const IS_ALL = process.env['CAPSTAN_KUBECTL_ALL'] === '1';

/** One client and how many of the scenarios it runs. */
export interface ScopedKubectl {
  readonly kubectl: Kubectl;
  /** Only the smoke subset. */
  readonly smoke: boolean;
}

/** Which clients run every scenario; those between run the smoke subset, unless all are to run all. */
export interface Breadth {
  /** How many of the newest. */
  readonly newest: number;
  readonly oldest?: boolean;
}

/** Decides for each client, newest first, how many scenarios it runs. */
export function withScope(
  kubectls: readonly Kubectl[],
  { newest, oldest = false }: Breadth,
  isAll: boolean = IS_ALL,
): ScopedKubectl[] {
  return kubectls.map((kubectl, index) => {
    const runsAll = index < newest || (oldest && index === kubectls.length - 1);
    return { kubectl, smoke: !isAll && !runsAll };
  });
}
