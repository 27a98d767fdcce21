/** What tests and benchmarks may use of the tools; nothing that ships imports this. */
export { comparePublished, publishedTitles } from './api-kinds/published.js';
export type { PublishedPair } from './api-kinds/published.js';
export { compareProviderSpecs, providerListNames } from './api-kinds/provider-specs/compare.js';
export type { ProviderListPair } from './api-kinds/provider-specs/compare.js';
export { explainMissingRealKube, locateRealKube, startRealKube } from './real-kube/index.js';
export type { RealKube, RealKubeAssets, StartOptions } from './real-kube/index.js';
export { leaveToWholeRun, telling } from './ci/brief.js';
export type { Telling } from './ci/brief.js';
export type { RealKubeAccess } from './ci/real-access.js';
export { propertySeed } from './ci/seed.js';
export { cachedDefinitions } from './cluster-api/cached-definitions.js';
export type { CachedModule } from './cluster-api/cached-definitions.js';
export { buildPromtool, promtoolPath } from './prometheus/promtool.js';
export { clusterApiDefinitions } from './cluster-api/module.js';
export { canElect, hasOriginal, LEASE_NAME, OriginalManager } from './cluster-api/original-process.js';
export type { OriginalOptions, ServerAccess } from './cluster-api/original-process.js';
export { askOriginal, originalConvertersPath } from './cluster-api/original.js';
export type { OriginalAnswer, OriginalQuestion } from './cluster-api/original.js';
