/** The infrastructures that instances can be had from; `harbour` is no real one, but that of the tests of core. */
export type CloudPlatform =
  | 'agent'
  | 'aws'
  | 'azure'
  | 'gcp'
  | 'harbour'
  | 'kubevirt'
  | 'metal3'
  | 'nutanix'
  | 'openstack'
  | 'powervs'
  | 'vsphere';

/** The tag of an instance with the uid of the object that it was created for. */
export const OWNER_TAG = 'capstan/owner-uid';

/** Where an instance is in its life. */
export type InstanceState = 'pending' | 'running' | 'stopping' | 'stopped' | 'terminated';

/** An address, with its type as Nodes and Machines write it. */
export interface InstanceAddress {
  readonly type: 'ExternalDNS' | 'ExternalIP' | 'Hostname' | 'InternalDNS' | 'InternalIP';
  readonly address: string;
}

/** What a caller asks for when it creates an instance. */
export interface InstanceRequest {
  readonly platform: CloudPlatform;
  /** The same token again gives the same instance, never a second one. */
  readonly token: string;
  readonly name: string;
  readonly type: string;
  readonly image: string;
  readonly region: string;
  readonly zone: string;
  /** Subscription, project or service instance, where the platform has such a thing. */
  readonly account?: string | undefined;
  /** Resource group, folder or namespace, where the platform has such a thing. */
  readonly group?: string | undefined;
  readonly tags: Readonly<Record<string, string>>;
  /** The user data that the instance reads at its first boot. */
  readonly userData: string;
}

/** A machine in a cloud. */
export interface Instance extends InstanceRequest {
  readonly id: string;
  /** As a Node names it. */
  readonly providerId: string;
  readonly state: InstanceState;
  readonly addresses: readonly InstanceAddress[];
  /** The name its Node has. */
  readonly hostname: string;
  /** Who asked for it. */
  readonly caller: string;
  /** Milliseconds since the epoch. */
  readonly launchedAt: number;
}

/** Whether there is still something to pay for. */
export function isLiving({ state }: Pick<Instance, 'state'>): boolean {
  return state !== 'terminated';
}
