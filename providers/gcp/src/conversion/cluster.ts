/** What GCPMachines leave to their GCPCluster. */
import { addError, addWarning, getAt, setAt } from '@capstan/convert';
import type { Path, Scope } from '@capstan/convert';
import type { MachineContext, MachineRule } from '@capstan/convert/machine-api';
import { goQuote, stringifyJson } from '@capstan/meta';

const PROJECT: Path = ['spec', 'project'];
const HOST_PROJECT: Path = ['spec', 'network', 'hostProject'];
const OWN: Path = ['projectID'];

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** The project of the cluster; `undefined` when not known. */
export function projectOf({ infrastructureCluster }: MachineContext): string | undefined {
  return text(getAt(infrastructureCluster, PROJECT));
}

/** The message where a conversion cannot do without the project. */
export const NO_PROJECT = 'spec.project of the infrastructure cluster is needed, and not given';

function compareHost(scope: Scope<MachineContext>): void {
  const { infrastructureCluster: cluster } = scope.run.context;
  const found = getAt(scope.source, OWN) ?? '';
  if (cluster === undefined) {
    if (found !== '')
      addWarning(
        scope,
        OWN,
        'cannot be compared with spec.network.hostProject of the infrastructure cluster, which is not given',
        'ClusterUnknown',
      );
    return;
  }
  const host = text(getAt(cluster, HOST_PROJECT));
  const own = projectOf(scope.run.context);
  if (found === (host ?? '') || (found === '' ? own : found) === (host ?? own)) return;
  const actual = found === '' ? 'is not set' : `is ${stringifyJson(found)}`;
  const other = host === undefined ? 'nothing' : goQuote(host);
  addError(
    scope,
    OWN,
    `${actual}, but spec.network.hostProject of the infrastructure cluster is ${other}`,
    'ClusterMismatch',
  );
}

/** The project that the network of an interface is in: the machine's own unless the cluster has another. */
export const networkProject: MachineRule = {
  claims: { left: [{ path: 'projectID', fate: 'derived' }], right: [] },
  convert: (scope) => {
    if (scope.run.to === 'left') {
      const host = text(getAt(scope.run.context.infrastructureCluster, HOST_PROJECT));
      if (host !== undefined) setAt(scope.target, OWN, host);
    } else if (scope.run.from === 'left') compareHost(scope);
  },
};
