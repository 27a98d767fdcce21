import { GUEST_KUBECONFIG } from './platform.js';
import type { ComponentContainer, ProviderContainer } from './platform.js';

/** Where tokens of the hosted cluster are put, for clouds that believe in them. */
export const TOKEN_FOLDER = '/var/run/secrets/openshift/serviceaccount';
/** Where the program of a platform finds the kubeconfig of the hosted cluster. */
const PROGRAM_FOLDER = '/etc/kubernetes';

/** The account of the hosted cluster that a token is for. */
export interface MintedFor {
  readonly account: string;
  /** Default `kube-system`. */
  readonly namespace?: string | undefined;
}

const COMMAND = ['/usr/bin/control-plane-operator', 'token-minter'];

function argsFor({ account, namespace = 'kube-system' }: MintedFor, kubeconfig: string): readonly string[] {
  return [
    `--service-account-namespace=${namespace}`,
    `--service-account-name=${account}`,
    '--token-audience=openshift',
    `--token-file=${TOKEN_FOLDER}/token`,
    `--kubeconfig=${kubeconfig}`,
  ];
}

/** The sidecar of a component of the control plane that keeps a token for it in {@link TOKEN_FOLDER}. */
export function componentTokenMinter(token: MintedFor): ComponentContainer {
  return {
    name: 'cloud-token-minter',
    image: 'hypershift',
    command: COMMAND,
    args: argsFor(token, GUEST_KUBECONFIG),
    sharedFolders: [TOKEN_FOLDER],
  };
}

/** The sidecar of the controller of a platform that does the same for it. */
export function programTokenMinter(token: MintedFor, name = 'token-minter'): ProviderContainer {
  return {
    name,
    image: { payload: 'hypershift' },
    command: COMMAND,
    args: argsFor(token, `${PROGRAM_FOLDER}/kubeconfig`),
    secrets: { [PROGRAM_FOLDER]: 'service-network-admin-kubeconfig' },
    sharedFolders: [TOKEN_FOLDER],
  };
}
