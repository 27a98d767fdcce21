import { kubeconfigJson, UntrustedConfigError, untrustedKubeconfig } from '@capstan/kube';
import type { UntrustedKubeconfig } from '@capstan/kube';

/** What the PKI of a control plane issues kubeconfigs of its administrator from; undefined where that is not known yet. */
export interface Issued {
  /** Where the API server is reached: `https://host:port`. */
  readonly server: string | undefined;
  /** Of the CA `root-ca`. */
  readonly caPem: string | undefined;
  /** The token file of kube-apiserver; undefined where its administrators have certificates alone. */
  readonly tokens: string | undefined;
}

/**
 * The kubeconfig that a Secret of the control plane namespace holds, rewritten from what it comes down to: a client
 * that may write that Secret must not lead the users of the cluster to another server, nor hand them anything besides.
 */
export async function adminKubeconfig(
  text: string,
  origin: string,
  issued: Issued,
): Promise<{ readonly kubeconfig: string } | { readonly problem: string }> {
  let read: UntrustedKubeconfig;
  try {
    read = await untrustedKubeconfig(text, { origin });
  } catch (error) {
    if (!(error instanceof UntrustedConfigError)) throw error;
    return { problem: error.message };
  }
  const field = differing(read, issued);
  if (field !== undefined) return { problem: `${origin}: its ${field} is not that of the control plane` };
  const { caPem, clientCert, server, token } = read;
  return { kubeconfig: kubeconfigJson({ server, caPem, clientCert, token, name: 'cluster', userName: 'admin' }) };
}

/** What of a kubeconfig the control plane would not issue. */
function differing(read: UntrustedKubeconfig, { caPem, server, tokens }: Issued): string | undefined {
  if (server === undefined || read.server !== originOf(server)) return 'server';
  if (caPem === undefined || read.caPem?.trim() !== caPem.trim()) return 'certificate-authority-data';
  if (read.serverName !== undefined) return 'tls-server-name';
  if (read.token === undefined && read.clientCert === undefined) return 'user';
  if (read.token !== undefined && tokens !== undefined && !hasToken(tokens, read.token)) return 'token';
  return undefined;
}

/** The URL without the default port. */
function originOf(server: string): string | undefined {
  return URL.canParse(server) ? new URL(server).origin : undefined;
}

function hasToken(tokens: string, token: string): boolean {
  return tokens.split('\n').some((line) => line.startsWith(`${token},system:admin,`));
}
