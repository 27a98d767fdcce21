import type { Controller, Manager, Predicate, Request, Source } from '@capstan/kube';
import { errorText } from '@capstan/kube';
import { ApiError } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import type { GroupMapping } from '@capstan/translate';
import { CONFIG_MAPS, DEFINITIONS, SECRETS } from '../kinds.js';
import { PRIVATE_CRDS_CONFIG_MAP } from './record.js';
import { CrdRestorer } from './restore.js';
import type { RestoreOptions } from './restore.js';

/** All of them: names of CRDs have a dot. */
const ALL: Request = { namespace: '', name: 'all' };
const LOOK_AGAIN_MS = 600_000;
/** Between two looks at one: another client that changes it back must not be answered at once. */
const MIN_GAP_MS = 2_000;
const ONCE: Source = {
  name: 'start',
  start: (emit) => {
    emit({ type: 'generic', object: { apiVersion: 'v1', kind: 'Start', metadata: { name: ALL.name } } });
    return Promise.resolve();
  },
};

const isNotNew: Predicate = ({ type }) => type !== 'create';

export interface PrivateCrdsOptions extends RestoreOptions {
  readonly mapping: GroupMapping;
}

/** Restores private CRDs whenever one of them, their record or the CA of the shim changes. */
export function addPrivateCrdsController(manager: Manager, options: PrivateCrdsOptions): Controller {
  const { crds, mapping, namespace } = options;
  const restorer = new CrdRestorer(options);
  const isNamed = ({ metadata }: KubeObject, name: string): boolean =>
    metadata.name === name && metadata.namespace === namespace;
  return (
    manager
      .controller({
        name: 'PrivateCrds',
        maxConcurrent: 1,
        minGapMs: MIN_GAP_MS,
        reconcile: async ({ name }, { signal }) => {
          await restorer.restore(name === ALL.name ? undefined : name, { signal });
          return name === ALL.name ? { requeueAfterMs: LOOK_AGAIN_MS } : undefined;
        },
      })
      .from(ONCE, () => [ALL])
      // The first look is at all of them.
      .watches<KubeObject>(DEFINITIONS, (crd) => privateNameOf(crd, mapping), { predicates: [isNotNew] })
      .watches<KubeObject>(CONFIG_MAPS, (object) => (isNamed(object, PRIVATE_CRDS_CONFIG_MAP) ? [ALL] : []))
      .watches<KubeObject>(SECRETS, (object) => (isNamed(object, crds.shimSecret) ? [ALL] : []))
  );
}

/** The cache is filled through the proxy, which shows private CRDs, and no others, under their standard names. */
function privateNameOf({ metadata: { name = '' } }: KubeObject, mapping: GroupMapping): Request[] {
  const group = name.slice(name.indexOf('.') + 1);
  if (mapping.side(group) !== 'standard') return [];
  return [{ namespace: '', name: mapping.swapAfterDot(name) }];
}

/** Before anything is read: caches wait for ever where a CRD is missing or its versions are not converted. */
export async function restoreAtStart(options: RestoreOptions): Promise<void> {
  try {
    await new CrdRestorer(options).restore(undefined);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    options.logger.warn('Private CRDs cannot be checked', { problem: errorText(error) });
  }
}
