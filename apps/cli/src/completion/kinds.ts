/** Names that a script cannot hold, because they are in a cluster, a file or a library. */
export type CompletedKind = 'contexts' | 'hostedclusters' | 'namespaces' | 'nodepools' | 'rules';

/** First arguments of commands, by the path below the program. */
export const ARGUMENT_KINDS: Readonly<Record<string, CompletedKind>> = {
  'crds explain': 'rules',
  'destroy cluster': 'hostedclusters',
  'destroy nodepool': 'nodepools',
  'dump cluster': 'hostedclusters',
  'get kubeconfig': 'hostedclusters',
  'migration first': 'hostedclusters',
  'migration plan': 'hostedclusters',
  'migration retry': 'hostedclusters',
  'migration rollback': 'hostedclusters',
  'migration status': 'hostedclusters',
  'migration verify': 'hostedclusters',
};

/** Values of options, wherever they are. */
export const OPTION_KINDS: Readonly<Record<string, CompletedKind>> = {
  '--cluster-name': 'hostedclusters',
  '--context': 'contexts',
  '--namespace': 'namespaces',
  '--operator-namespace': 'namespaces',
};
