import type { Kubectl } from './binaries.js';

/** Set by `npm run test:kubectl -- --all`. */
const IS_ALL = process.env['CAPSTAN_KUBECTL_ALL'] === '1';

/** One client and how much it is told. */
export interface Listener {
  readonly kubectl: Kubectl;
  /** Only the essence. */
  readonly smoke: boolean;
}

/** Which clients hear every scenario; those between hear the essence, unless all are to hear all. */
export interface Breadth {
  /** How many of the newest. */
  readonly newest: number;
  readonly oldest?: boolean;
}

/** Says of each client, newest first, how much it is told. */
export function listeners(
  kubectls: readonly Kubectl[],
  { newest, oldest = false }: Breadth,
  isAll: boolean = IS_ALL,
): Listener[] {
  return kubectls.map((kubectl, index) => {
    const hearsAll = index < newest || (oldest && index === kubectls.length - 1);
    return { kubectl, smoke: !isAll && !hearsAll };
  });
}
