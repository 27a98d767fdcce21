import type { ManagerOptions } from '@capstan/kube';
import { translate } from '@capstan/translate';
import type { GroupMapping } from '@capstan/translate';
import { cloudClient, clusterApiManager, infrastructureProvider, noticesOf } from '@capstan/upstream';
import type { CloudPlatform, Contract } from '@capstan/upstream';
import type { ProcessContext, ProcessDefinition } from '../../engine/process.js';
import { translatedTransport } from '../../runtime/translated-transport.js';
import type { MachineControllers } from './controllers.js';
import type { MachinesCopy } from './machines-copy.js';

/** Whose machines are acted on, and through which groups. */
export interface MachineProcessOptions {
  readonly controllers: MachineControllers;
  readonly machines: MachinesCopy;
  readonly mapping: GroupMapping;
  /** Of the control plane. */
  readonly namespace: string;
}

/** Deployments of a control plane whose programs have stand-ins. */
export const CLUSTER_API_DEPLOYMENT = 'cluster-api';
export const PROVIDER_DEPLOYMENT = 'capi-provider';

/**
 * What runs in the pods of a Deployment: the stand-ins of Cluster API that the simulation has. With a sidecar they reach
 * the private groups, as there, through the translation of the proxy.
 */
export function machineProcesses(
  deployment: string,
  hasSidecar: boolean,
  options: MachineProcessOptions,
): readonly ProcessDefinition[] {
  const { core, platforms } = options.controllers;
  if (core === undefined) return [];
  if (deployment === CLUSTER_API_DEPLOYMENT) return [clusterApi(hasSidecar, options)];
  if (deployment === PROVIDER_DEPLOYMENT) return platforms.map((each) => provider(each, core, hasSidecar, options));
  return [];
}

function providerName(platform: CloudPlatform): string {
  return `${PROVIDER_DEPLOYMENT}/${platform}`;
}

function managerOptions(context: ProcessContext, hasSidecar: boolean, mapping: GroupMapping): ManagerOptions {
  const { clock, logger, random } = context;
  const transport = hasSidecar ? translatedTransport(context.transport, translate(mapping)) : context.transport;
  return { transport, clock, random, logger };
}

function clusterApi(hasSidecar: boolean, { machines, mapping, namespace }: MachineProcessOptions): ProcessDefinition {
  return {
    name: CLUSTER_API_DEPLOYMENT,
    start: async (context) => {
      const manager = clusterApiManager({
        ...managerOptions(context, hasSidecar, mapping),
        namespace,
        isPaced: true,
        // The kubeconfig of a copy has no credentials in it: there is one hosted cluster, and this is it.
        connectGuest: () => context.connect({ prefix: '/hosted-cluster', server: machines.guest }),
      });
      await manager.run(context.signal);
    },
  };
}

function provider(
  platform: CloudPlatform,
  coreVersion: Contract,
  hasSidecar: boolean,
  { machines, mapping, namespace }: MachineProcessOptions,
): ProcessDefinition {
  const name = providerName(platform);
  return {
    name,
    start: async (context) => {
      const manager = infrastructureProvider({
        ...managerOptions(context, hasSidecar, mapping),
        client: { userAgent: PROVIDER_DEPLOYMENT },
        cache: { selectionOf: () => ({ namespace }) },
        platform,
        coreVersion,
        cloud: cloudClient(machines.cloud, name, context.carry),
        notices: noticesOf(machines.cloud),
      });
      await manager.run(context.signal);
    },
  };
}
