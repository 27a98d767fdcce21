/** Who acts on machines: the controllers of both APIs, the operator between them, and what stands for nodes. */
import type { ApiServer } from '@capstan/apiserver';
import { CLUSTER_API_NAMESPACE, machineApiSyncOperator } from '@capstan/machine-api';
import { PROGRAM_NAME } from '@capstan/machine-api/manifests';
import type { UserInfo } from '@capstan/meta';
import type { ConversionPlatforms } from '@capstan/provider';
import { collectorProcess, MACHINE_API_NAMESPACE, machineNodes, operatorProcess } from '@capstan/simulation';
import type { ProcessDefinition, Simulation } from '@capstan/simulation';
import { clusterApiOperator, infrastructureOperator, machineApiOperator } from '@capstan/upstream';
import type { Cloud } from '@capstan/upstream';
import { SERVER } from './snapshot.js';

const ADMIN = { username: 'admin', groups: ['system:masters', 'system:authenticated'] };
/** The group of administrators. */
export const ADMINS = ['system:masters'];

/** An account, and besides its own permissions those of an administrator. */
export function accountOf(namespace: string, name: string, groups: readonly string[] = []): UserInfo {
  const own = ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'];
  return { username: `system:serviceaccount:${namespace}:${name}`, groups: [...own, ...groups] };
}

/** The name of the operator's process. */
export const OPERATOR = 'machine-api-sync-controller';

/** How processes differ from those of a cluster as it should be. */
export interface ProcessSettings {
  /** Machine API acts on machines whatever their authority: as a release did that did not know of it. */
  readonly isUnfiltered?: boolean | undefined;
  /** Flags of the operator. Default: the feature gate is on. */
  readonly operatorArgs?: readonly string[] | undefined;
}

/** The operator, with nothing but its own permissions. */
export function operatorOf(
  platforms: ConversionPlatforms,
  { operatorArgs = ['--feature-gates=MachineAPIMigration=true'] }: ProcessSettings = {},
): ProcessDefinition {
  return operatorProcess(machineApiSyncOperator({ platforms }), {
    name: OPERATOR,
    args: operatorArgs,
    namespace: CLUSTER_API_NAMESPACE,
    user: accountOf(CLUSTER_API_NAMESPACE, PROGRAM_NAME),
  });
}

/** Everyone else. */
export function controllersOf(
  simulation: Simulation,
  cloud: Cloud,
  { isUnfiltered = false }: ProcessSettings = {},
): readonly ProcessDefinition[] {
  const server = { handle: (request: Parameters<ApiServer['handle']>[0]) => simulation.server.handle(request) };
  const tokens = new Map([['admin', ADMIN]]);
  const servers = { find: (url: string) => (url === SERVER ? { ...server, tokens } : undefined) };
  return [
    operatorProcess(machineApiOperator(cloud, isUnfiltered ? { hasAuthority: 'ignored' } : {}), {
      args: ['--sync-period=2m', `--cluster-api-namespace=${CLUSTER_API_NAMESPACE}`],
      namespace: MACHINE_API_NAMESPACE,
      user: accountOf(MACHINE_API_NAMESPACE, 'machine-api-controllers', ADMINS),
    }),
    operatorProcess(clusterApiOperator, {
      servers: servers as never,
      namespace: CLUSTER_API_NAMESPACE,
      user: accountOf(CLUSTER_API_NAMESPACE, 'capi-controller-manager', ADMINS),
    }),
    operatorProcess(infrastructureOperator(cloud), {
      args: ['--platform=aws', `--namespace=${CLUSTER_API_NAMESPACE}`],
      user: accountOf(CLUSTER_API_NAMESPACE, 'capa-controller-manager', ADMINS),
    }),
    machineNodes(cloud),
    collectorProcess(),
  ];
}
