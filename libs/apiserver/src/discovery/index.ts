export { DiscoveryIndex, defaultStorage, type DiscoveryOptions, type DiscoveryResponse } from './discovery-index.js';
export {
  storageVersionHash,
  type AggregatedVersion,
  type Freshness,
  type ServedGroup,
  type ServedVersion,
} from './documents.js';
export { negotiateDiscovery, type DiscoveryShape } from './negotiate-discovery.js';
export { AGGREGATOR_GROUP, defaultRegistration, groupPriority, isBuiltinGroup, versionPriority } from './priorities.js';
export { apiServiceName, type Registration } from './registrations.js';
