/** Provider IDs: region, zone, service instance and instance. */

/** The service instance is caught. */
export const PROVIDER_ID = /^ibmpowervs:\/\/[^/]+\/[^/]+\/([^/]+)\/[^/]+$/;
