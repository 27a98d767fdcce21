// Every wait of this folder, in one place, in milliseconds.

/** From an empty build cache kube-apiserver takes about four minutes on two cores; the room is for slower ones. */
export const GO_BUILD_LIMIT_MS = 60 * 60_000;

/** Downloading one module; Kubernetes itself is some 20 MB. */
export const GO_DOWNLOAD_LIMIT_MS = 15 * 60_000;

/** `go version`, `kube-apiserver --version` and the like. */
export const PROBE_LIMIT_MS = 20_000;

/** How often a long build reports that it is still running. */
export const BUILD_HEARTBEAT_MS = 15_000;

/** A second build waits this long for the first to end. */
export const LOCK_WAIT_LIMIT_MS = 2 * GO_BUILD_LIMIT_MS;

export const LOCK_POLL_MS = 1_000;

export const ETCD_READY_LIMIT_MS = 30_000;

/** A cold start takes seconds; the room is for loaded CI machines. */
export const APISERVER_READY_LIMIT_MS = 120_000;

export const READY_POLL_MS = 50;

/** One readiness request; a server that is still starting may accept and not answer. */
export const READY_REQUEST_LIMIT_MS = 5_000;

/**
 * Time between SIGTERM and SIGKILL. An idle kube-apiserver takes a second to end, one with open watches
 * far longer; the data is thrown away, so that is not waited for.
 */
export const STOP_GRACE_MS = 2_000;

/** After SIGKILL only the kernel can be slow. */
export const KILL_LIMIT_MS = 30_000;
