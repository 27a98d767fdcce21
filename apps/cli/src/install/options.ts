import { LEGACY_SCOPE } from '@capstan/hosting';
import { checkDns1123Label } from '@capstan/meta';
import { UsageError } from '../errors.js';
import type { ClusterOptions } from '../options.js';
import type { ComponentName } from './components.js';
import { COMPONENT_NAMES } from './components.js';

/** Options of `capstan install`. */
export interface InstallOptions extends ClusterOptions {
  readonly component?: readonly (ComponentName | 'all')[] | undefined;
  readonly privateCapiTypes?: boolean | undefined;
  readonly scope?: string | undefined;
  readonly crdsFrom?: readonly string[] | undefined;
  readonly namespace?: string | undefined;
  readonly image: string;
  readonly singleNode?: boolean | undefined;
  readonly serviceMonitor?: boolean | undefined;
  readonly runbookBase?: string | undefined;
  readonly ownCertificate?: boolean | undefined;
  readonly platform?: string | undefined;
  readonly featureGates?: string | undefined;
  readonly releaseVersion?: string | undefined;
  readonly render?: boolean | undefined;
  readonly uninstall?: boolean | undefined;
  readonly purge?: boolean | undefined;
  readonly dryRun?: boolean | undefined;
  readonly wait: boolean;
  readonly timeout: number;
  readonly output?: 'json' | 'yaml' | undefined;
}

/** The components that are meant, in the order of installing. */
export function chosenComponents({
  component = ['hypershift'],
  privateCapiTypes,
}: InstallOptions): readonly ComponentName[] {
  const all = component.includes('all');
  const chosen = all ? COMPONENT_NAMES : component.filter((name) => name !== 'all');
  // On private types the operators bring the shim with them.
  const bringsShim = privateCapiTypes === true && chosen.includes('hypershift');
  return bringsShim ? chosen.filter((name) => name !== 'conversion-shim') : chosen;
}

const HINT = "See 'capstan install --help' for usage.";

/** Refuses options that contradict each other. */
export function checkUsage(options: InstallOptions): void {
  const { crdsFrom, dryRun, namespace, privateCapiTypes, purge, render, uninstall } = options;
  const chosen = chosenComponents(options);
  const refuse = (isWrong: boolean, message: string): void => {
    if (isWrong) throw new UsageError(message, HINT);
  };
  refuse(render === true && uninstall === true, '--render and --uninstall exclude each other');
  refuse(options.output !== undefined && render !== true, '--output needs --render');
  refuse(purge === true && uninstall !== true, '--purge needs --uninstall');
  refuse(dryRun === true && (render === true || uninstall === true), '--dry-run is for installing');
  const places = new Set(chosen.map((name) => (name === 'conversion-shim' ? 'hypershift' : name)));
  refuse(namespace !== undefined && places.size > 1, '--namespace is for one component: each has its own');
  refuse(
    privateCapiTypes === true && !chosen.includes('hypershift'),
    '--private-capi-types is for the component hypershift',
  );
  if (options.scope !== undefined) checkScope(options.scope, options, chosen);
  refuse(crdsFrom !== undefined && privateCapiTypes !== true, '--crds-from needs --private-capi-types');
}

function checkScope(
  scope: string,
  { privateCapiTypes, purge }: InstallOptions,
  chosen: readonly ComponentName[],
): void {
  const refuse = (isWrong: boolean, message: string): void => {
    if (isWrong) throw new UsageError(message, HINT);
  };
  refuse(chosen.length !== 1 || chosen[0] !== 'hypershift', '--scope is for the component hypershift alone');
  refuse(privateCapiTypes === true, '--scope is for an operator on standard types: remove --private-capi-types');
  refuse(purge === true, '--scope and --purge exclude each other: other operators need the CRDs');
  refuse(scope === LEGACY_SCOPE, `--scope ${LEGACY_SCOPE} is the operator that --private-capi-types installs`);
  const problems = checkDns1123Label(scope);
  refuse(
    problems.length > 0,
    `--scope ${JSON.stringify(scope)} must be lower case letters, digits and dashes, such as shard-1`,
  );
}
