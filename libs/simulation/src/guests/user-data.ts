interface IgnitionFile {
  readonly path?: string;
  readonly contents?: { readonly source?: string };
}

interface IgnitionSource {
  readonly source?: string;
  readonly httpHeaders?: readonly { readonly name: string; readonly value: string }[];
}

interface IgnitionConfig {
  readonly ignition?: {
    readonly version?: string;
    readonly config?: { readonly merge?: readonly IgnitionSource[]; readonly replace?: IgnitionSource };
  };
  readonly storage?: { readonly files?: readonly IgnitionFile[] };
}

/** Fetches a configuration that user data only points to. */
export type FetchIgnition = (url: string, headers: Readonly<Record<string, string>>) => Promise<string>;

const KUBECONFIG_PATH = '/etc/kubernetes/kubeconfig';
/** How often one configuration may point to another. */
const MOST_HOPS = 4;

/** User data that makes an instance join the cluster of a kubeconfig. */
export function bootstrapUserData(kubeconfig: string): string {
  const source = `data:;base64,${Buffer.from(kubeconfig).toString('base64')}`;
  const files = [{ path: KUBECONFIG_PATH, mode: 0o600, overwrite: true, contents: { source } }];
  return JSON.stringify({ ignition: { version: '3.2.0' }, storage: { files } });
}

/** The bootstrap kubeconfig that user data carries, itself or behind what it points to; undefined when there is none. */
export async function bootstrapKubeconfig(
  userData: string,
  fetchIgnition?: FetchIgnition,
  hops = MOST_HOPS,
): Promise<string | undefined> {
  const config = parse(userData);
  const inline = inlineKubeconfig(config);
  if (inline !== undefined || hops === 0) return inline;
  for (const { httpHeaders = [], source = '' } of pointers(config)) {
    const headers = Object.fromEntries(httpHeaders.map(({ name, value }) => [name.toLowerCase(), value]));
    const text = dataOf(source) ?? (await fetchIgnition?.(source, headers));
    const found = text === undefined ? undefined : await bootstrapKubeconfig(text, fetchIgnition, hops - 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

function inlineKubeconfig({ storage }: IgnitionConfig): string | undefined {
  return dataOf(storage?.files?.find(({ path }) => path === KUBECONFIG_PATH)?.contents?.source);
}

/** Where the rest of a configuration is to be found. */
function pointers({ ignition }: IgnitionConfig): readonly IgnitionSource[] {
  const { merge = [], replace } = ignition?.config ?? {};
  return replace === undefined ? merge : [...merge, replace];
}

function parse(text: string): IgnitionConfig {
  try {
    return JSON.parse(text) as IgnitionConfig;
  } catch {
    // Cloud-init and scripts are for machines that join nothing we know.
    return {};
  }
}

/** What a data URL holds. */
function dataOf(url = ''): string | undefined {
  const match = /^data:[^,]*?(;base64)?,(.*)$/s.exec(url);
  if (match === null) return undefined;
  const [, isBase64, body = ''] = match;
  return isBase64 === undefined ? decodeURIComponent(body) : Buffer.from(body, 'base64').toString('utf8');
}
