import { defineOperator, Manager } from '@capstan/kube';
import type { FlagKinds, OperatorDefinition } from '@capstan/kube';
import type { ReleaseProvider } from '@capstan/release';
import {
  autoscalerOperator,
  clusterApiOperatorWith,
  imageController,
  infrastructureOperator,
  machineApproverOperator,
} from '@capstan/upstream';
import type { Cloud, CloudPlatform, InfrastructureSettings } from '@capstan/upstream';
import { clusterVersionOperator } from './cluster-version-operator.js';
import type { HostedGuests } from './hosted-guests.js';
import { ignitionServer } from './ignition-server.js';
import type { IgnitionServers } from './ignition.js';
import { kubeApiserver } from './kube-apiserver.js';
import { kubeControllerManager } from './kube-controller-manager.js';
import { kubeScheduler } from './kube-scheduler.js';

export interface HostedDependencies {
  readonly cloud: Cloud;
  readonly guests: HostedGuests;
  readonly ignition: IgnitionServers;
  readonly releases: ReleaseProvider;
  readonly infrastructure?: InfrastructureSettings | undefined;
  /** Lets Cluster API reconcile one object at most once a second. Default false. */
  readonly isPaced?: boolean | undefined;
  /** Whether pods of hosted clusters are made, placed and counted, as their users expect. Default false. */
  readonly runsPods?: boolean | undefined;
  /** After how long Cluster API tries again to reach a cluster. Default: as upstream. */
  readonly retryConnectMs?: number | undefined;
}

/** An operator with any flags, which only its own definition knows. */
export type AnyOperator = OperatorDefinition<FlagKinds>;

/** The images by which providers of machines are known: component of the payload → platform. */
const PROVIDERS: Readonly<Record<string, CloudPlatform>> = {
  'agent-cluster-api-controllers': 'agent',
  'aws-cluster-api-controllers': 'aws',
  'azure-cluster-api-controllers': 'azure',
  'gcp-cluster-api-controllers': 'gcp',
  'harbour-cluster-api-controllers': 'harbour',
  'ibmcloud-cluster-api-controllers': 'powervs',
  'kubevirt-cluster-api-controllers': 'kubevirt',
  'openstack-cluster-api-controllers': 'openstack',
};

/** Operators of hosted clusters: by the name of their container, or else by their image. */
export interface HostedComponents {
  readonly byContainer: Readonly<Record<string, AnyOperator>>;
  /** By the last part of the repository. */
  readonly byImage: Readonly<Record<string, AnyOperator>>;
}

/** What the containers of hosted control planes do; those not named here only run. */
export function hostedComponents(dependencies: HostedDependencies): HostedComponents {
  const { cloud, guests, ignition, infrastructure, isPaced, releases, retryConnectMs, runsPods = false } = dependencies;
  const providers = Object.entries(PROVIDERS).map(([image, platform]): [string, AnyOperator] => [
    image,
    anyOperator(infrastructureOperator(cloud, { ...infrastructure, platform })),
  ]);
  return {
    byContainer: {
      'cluster-autoscaler': anyOperator(autoscalerOperator),
      'cluster-version-operator': anyOperator(clusterVersionOperator(releases)),
      'ignition-server': anyOperator(ignitionServer({ servers: ignition, releases })),
      'kube-apiserver': anyOperator(kubeApiserver(guests)),
      'kube-controller-manager': anyOperator(kubeControllerManager(runsPods)),
      'machine-approver': anyOperator(machineApproverOperator),
      ...(runsPods ? { 'kube-scheduler': anyOperator(kubeScheduler) } : {}),
    },
    byImage: {
      'openstack-resource-controller': anyOperator(imageController),
      'cluster-capi-controllers': anyOperator(clusterApiOperatorWith({ isPaced, retryConnectMs })),
      ...Object.fromEntries(providers),
    },
  };
}

/** The operator of a container; undefined when it only runs. */
export function operatorOf(
  components: HostedComponents,
  { image, name }: { readonly image: string; readonly name: string },
): AnyOperator | undefined {
  const [repository = ''] = image.split('@');
  const component = repository.split('/').at(-1)?.split(':')[0] ?? '';
  return lookUp(components.byContainer, name) ?? lookUp(components.byImage, component);
}

function lookUp<T>(table: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}

/** Drops the type of the flags; the operator reads them by its own definition. */
export function anyOperator<K extends FlagKinds>(operator: OperatorDefinition<K>): AnyOperator {
  return operator as unknown as AnyOperator;
}

/** An operator that runs and does nothing. */
export function idleOperator(name: string): AnyOperator {
  return anyOperator(
    defineOperator({ name, flags: {}, build: ({ options }) => new Manager({ ...options, leaderElection: undefined }) }),
  );
}
