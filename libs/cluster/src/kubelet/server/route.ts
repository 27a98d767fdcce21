import type { ContainerTarget } from '../streams.js';
import type { ForwardTarget } from './port-forward.js';

/** What a path of the kubelet leads to. */
export type KubeletRoute =
  | { readonly type: 'health' | 'unknown' }
  | { readonly type: 'logs'; readonly target: ContainerTarget; readonly query: URLSearchParams }
  | { readonly type: 'exec' | 'attach'; readonly target: ContainerTarget; readonly query: URLSearchParams }
  | { readonly type: 'port-forward'; readonly target: ForwardTarget };

const CONTAINER_PATH = /^\/(containerLogs|exec|attach)\/([^/]+)\/([^/]+)\/(?:[^/]+\/)?([^/]+)$/;
const PORT_FORWARD_PATH = /^\/portForward\/([^/]+)\/([^/]+)(?:\/[^/]+)?$/;

/** Reads path and query. A uid between pod and container is allowed, and not looked at. */
export function readRoute(url: string): KubeletRoute {
  try {
    return routeOf(new URL(url, 'https://kubelet'));
  } catch {
    // Neither a path nor an encoding we know.
    return { type: 'unknown' };
  }
}

function routeOf({ pathname, searchParams: query }: URL): KubeletRoute {
  if (pathname === '/healthz') return { type: 'health' };
  const [, root, ...names] = (CONTAINER_PATH.exec(pathname) ?? []).map(decodeURIComponent);
  const [namespace = '', pod = '', container = ''] = names;
  if (root === 'containerLogs') return { type: 'logs', target: { namespace, pod, container }, query };
  if (root === 'exec' || root === 'attach') return { type: root, target: { namespace, pod, container }, query };
  return forwardRoute(pathname);
}

function forwardRoute(pathname: string): KubeletRoute {
  const [, namespace, pod] = (PORT_FORWARD_PATH.exec(pathname) ?? []).map(decodeURIComponent);
  if (namespace === undefined || pod === undefined) return { type: 'unknown' };
  return { type: 'port-forward', target: { namespace, pod } };
}
