/** The file of a source, as a code host knows it; undefined for clusters and standard input. */
export function fileOf(source: string): string | undefined {
  if (source === 'standard input' || source === 'the cluster' || source.startsWith('kube://')) return undefined;
  return source.replace(/^git:\/\/[^:]*:/, '').replace(/^\.\//, '');
}
