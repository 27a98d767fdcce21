const own = (name: string): string => `hypershift.openshift.io/${name}`;

/** `true`: the Cluster API objects of this HostedCluster are in the private groups. */
export const PRIVATE_CAPI_TYPES_ANNOTATION: string = own('private-capi-types');
/** The value of the scope annotation of HostedClusters that the operator on standard types reconciles. */
export const LEGACY_SCOPE = 'legacy';
/** The lock: while it is there, no operator reconciles the HostedCluster. */
export const MIGRATION_IN_PROGRESS_ANNOTATION: string = own('migration-in-progress');
/** Why the last migration failed; the cluster is not migrated again before it is removed. */
export const MIGRATION_FAILED_ANNOTATION: string = own('migration-failed');
/** What exactly went wrong: the message that goes with the reason. */
export const MIGRATION_FAILURE_ANNOTATION: string = own('migration-failure-message');
/** Whose lock it is and since when: a lock without it is another client's. */
export const MIGRATION_JOURNAL_ANNOTATION: string = own('migration-journal');
/** A migration has succeeded, and is still to be reported: what of it the lock has taken along. */
export const MIGRATION_ENDED_ANNOTATION: string = own('migration-ended');
/** On the Deployment of the legacy operator: RFC 3339; until then it is not deleted, though no HostedCluster needs it. */
export const KEEP_UNTIL_ANNOTATION: string = own('keep-until');
/** On a Deployment that the migration has scaled down: how many replicas it had. */
export const MIGRATION_REPLICAS_ANNOTATION: string = own('migration-replicas');
/** On an object that the migration has paused. */
export const MIGRATION_PAUSED_ANNOTATION: string = own('migration-paused');
/** On a private Cluster: every object is copied and everything they own re-pointed. */
export const MIGRATION_COPIED_ANNOTATION: string = own('migration-copied');
/** The ConfigMap in a control plane namespace that holds the baseline. */
export const MIGRATION_BASELINE = 'private-capi-migration';
/** The ConfigMap next to it with what the originals were when they were copied. */
export const MIGRATION_COPIES = 'private-capi-migration-copies';
/** The image of the control plane operator before the migration changed it, as JSON; see `cpo-image`. */
export const MIGRATION_OPERATOR_IMAGE_ANNOTATION: string = own('migration-cpo-image');

/** `true` in the environment of a control plane operator: the Cluster API objects it uses are in the private groups. */
export const PRIVATE_CAPI_TYPES_ENV = 'PRIVATE_CAPI_TYPES';
/** In the environment of a control plane operator: the image of the API proxy that it adds to its components. */
export const PROXY_IMAGE_ENV = 'PROXY_IMAGE';
/** In the environment of a control plane operator: `true` or `false`, whether nodes know native sidecars. */
export const PROXY_NATIVE_ENV = 'PROXY_NATIVE';
/** `true` on an image of the control plane operator that knows {@link PRIVATE_CAPI_TYPES_ENV}. */
export const PRIVATE_CAPI_TYPES_LABEL = 'io.openshift.hypershift.private-capi-types';
