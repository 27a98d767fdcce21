/** Stand-ins of upstream controllers, and of the clouds they ask for instances. */
export { autoscalerOperator, clusterAutoscaler } from './autoscaler/operator.js';
export type { AutoscalerOptions } from './autoscaler/operator.js';
export { settingsOf as autoscalerSettings } from './autoscaler/flags.js';
export type { AutoscalerSettings } from './autoscaler/flags.js';
export {
  API_CLIENT_SIGNER,
  CLIENT_SIGNER,
  hasCondition,
  NODE_BOOTSTRAPPER,
  requestPemOf,
  SERVING_SIGNER,
  SIGNING_REQUESTS,
  withCondition,
} from './signing-requests.js';
export type { SigningRequest } from './signing-requests.js';
export { clockCarry, cloudClient } from './cloud/client.js';
export type { CloudApi } from './cloud/client.js';
export { Cloud } from './cloud/cloud.js';
export type { CloudEvent, CloudOperation, CloudOptions, CloudState, CloudTimings, Refusal } from './cloud/cloud.js';
export { CloudError, CallRefused } from './cloud/errors.js';
export type { CloudErrorCode } from './cloud/errors.js';
export { isLiving, OWNER_TAG } from './cloud/instance.js';
export { instanceIdOf } from './cloud/identity.js';
export type { CloudPlatform, Instance, InstanceAddress, InstanceRequest, InstanceState } from './cloud/instance.js';
export { noticesOf } from './cloud/notices.js';
export type { CloudNotices } from './cloud/notices.js';
export { clusterApiManager } from './cluster-api/manager.js';
export type { ClusterApiOptions } from './cluster-api/manager.js';
export type { ConnectGuest } from './cluster-api/guest-clusters.js';
export { clusterApiOperator, clusterApiOperatorWith } from './cluster-api/operator.js';
export { conversionOperator } from './conversion.js';
export { IMAGES } from './images.js';
export { infrastructureDefinitions, openDefinition } from './infrastructure/crds.js';
export { imageController } from './infrastructure/image-controller.js';
export type { Contract } from './infrastructure/objects.js';
export { PLATFORMS } from './infrastructure/platforms.table.js';
export type { InfrastructurePlatform } from './infrastructure/platforms.table.js';
export { infrastructureOperator, infrastructureProvider } from './infrastructure/provider.js';
export type { InfrastructureProviderOptions, InfrastructureSettings } from './infrastructure/provider.js';
export { machineApiManager } from './machine-api/manager.js';
export type { MachineApiOptions } from './machine-api/manager.js';
export { machineApiOperator } from './machine-api/operator.js';
export { machineApprover, machineApproverOperator } from './machine-approver/approver.js';
export type { MachineApi, MachineApproverOptions } from './machine-approver/approver.js';
