/** `infrastructureRefs` → `InfrastructureRefs`. */
export function pascal(word: string): string {
  const cleaned = word.replace(/[^A-Za-z0-9]+(\w)?/g, (_, letter: string | undefined) => letter?.toUpperCase() ?? '');
  return cleaned.charAt(0).toUpperCase() + cleaned.slice(1);
}

/** `AWSMachine` → `awsMachine`, `ClusterAPI` → `clusterApi`. */
export function camel(word: string): string {
  const [first = '', ...rest] = words(word);
  return first.toLowerCase() + rest.map((each) => each.charAt(0) + each.slice(1).toLowerCase()).join('');
}

/** `AWSMachine` → `aws-machine`. */
export function kebab(word: string): string {
  return words(word).join('-').toLowerCase();
}

/** Names that capitals alone do not split are listed. */
function words(word: string): string[] {
  return word.match(/VSphere|IBM(?=VPC)|[A-Z]+(?![a-z])[0-9]*|[A-Z]?[a-z]+[0-9]*|[0-9]+/g) ?? [word];
}

/** `v1beta1` → `V1Beta1`. */
export function versionSuffix(version: string): string {
  return pascal(version.replace(/(\d)(alpha|beta)/, (_, digit: string, word: string) => digit + pascal(word)));
}

/** The singular of the name of a list. */
export function singular(word: string): string {
  if (/(?:ss|us)$/i.test(word)) return word;
  if (/ies$/i.test(word)) return word.replace(/ies$/, 'y');
  if (/(?:ch|sh|x|ss)es$/i.test(word)) return word.replace(/es$/, '');
  return word.replace(/s$/, '');
}
