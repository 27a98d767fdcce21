/** The infrastructures that instances can be had from. */
export type CloudPlatform =
  | 'agent'
  | 'aws'
  | 'azure'
  | 'gcp'
  | 'kubevirt'
  | 'metal3'
  | 'nutanix'
  | 'openstack'
  | 'powervs'
  | 'vsphere';
export type InstanceState = 'pending' | 'running' | 'stopping' | 'stopped' | 'terminated';
export interface InstanceRequest {
  readonly platform: CloudPlatform;
  readonly token: string;
  readonly name: string;
  readonly type: string;
  readonly image: string;
  readonly region: string;
  readonly zone: string;
  readonly account?: string | undefined;
  readonly group?: string | undefined;
  readonly tags: Readonly<Record<string, string>>;
  readonly userData: string;
}
export interface Instance extends InstanceRequest {
  readonly id: string;
  readonly providerId: string;
  readonly state: InstanceState;
  readonly addresses: readonly { readonly type: string; readonly address: string }[];
}
export interface CloudApi {
  create(request: InstanceRequest): Promise<Instance>;
  get(id: string): Promise<Instance | undefined>;
  list(platform: CloudPlatform, tags: Readonly<Record<string, string>>): Promise<readonly Instance[]>;
  terminate(id: string): Promise<void>;
}
export type CloudErrorCode =
  | 'IdempotencyMismatch'
  | 'InsufficientCapacity'
  | 'InvalidParameter'
  | 'NotFound'
  | 'QuotaExceeded'
  | 'Throttled'
  | 'Unavailable';
export class CloudError extends Error {
  readonly code: CloudErrorCode;
  constructor(code: CloudErrorCode, message: string) {
    super(message);
    this.code = code;
  }
  get isTerminal(): boolean {
    return this.code === 'IdempotencyMismatch' || this.code === 'InvalidParameter';
  }
}
