import type { CredentialSource } from './credentials.js';

/** How the server proves itself. */
export interface ServerTrust {
  /** PEM bundle; absent = the system's CAs. */
  readonly caPem?: string | undefined;
  /** The file in which another process renews that bundle; absent when it came from elsewhere than a file. */
  readonly caFile?: string | undefined;
  readonly insecureSkipVerify?: boolean | undefined;
  /** Name checked instead of the host of the URL. */
  readonly serverName?: string | undefined;
}

/** Everything needed to reach one API server as one user. */
export interface Connection {
  /** `https://host:port`, possibly with a path prefix, no trailing slash. */
  readonly server: string;
  readonly trust: ServerTrust;
  /** A proxy all requests go through: `http`, `https` or `socks5`. */
  readonly proxyUrl?: string | undefined;
  readonly credentials: CredentialSource;
  /** The context's namespace; `default` when it names none. */
  readonly namespace: string;
  /** The kubeconfig context, when one was used. */
  readonly context?: string | undefined;
}
