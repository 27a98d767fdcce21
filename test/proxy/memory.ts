/** Proxies of a control plane on most platforms; each has one pod. */
export const PROXIES = 6;
/** With karpenter-operator, on platforms that have it. */
export const MOST_PROXIES = 7;
/** What all proxies of a control plane may have. */
export const CONTROL_PLANE_LIMIT_BYTES = 400_000_000;
