import { Recent } from '@capstan/meta';

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
const CONFIGURATION_PATH = '/etc/machine-config-daemon/currentconfig';
/** How often one configuration may point to another. */
const MOST_HOPS = 4;

/** The configuration of a machine, in addition to the cluster it joins. */
export interface MachineConfiguration {
  /** Hash of the configuration. */
  readonly config: string;
  /** `4.22.0` */
  readonly release: string;
  /** `v1.35.2` */
  readonly kubelet: string;
  /** Machines of its pool are replaced, so that nothing on it waits to be reconfigured. Default false. */
  readonly isReplaced?: boolean | undefined;
}

/** What an instance is to do, according to its user data. */
export interface Bootstrap {
  readonly kubeconfig: string;
  /** Absent where nothing but the cluster is parsed. */
  readonly configuration?: MachineConfiguration | undefined;
}

/** User data that makes an instance join the cluster of a kubeconfig. */
export function bootstrapUserData(kubeconfig: string, configuration?: MachineConfiguration): string {
  const file = (path: string, text: string): object => ({
    path,
    mode: 0o600,
    overwrite: true,
    contents: { source: `data:;base64,${Buffer.from(text).toString('base64')}` },
  });
  const files = [file(KUBECONFIG_PATH, kubeconfig)];
  if (configuration !== undefined) files.push(file(CONFIGURATION_PATH, JSON.stringify(configuration)));
  return JSON.stringify({ ignition: { version: '3.2.0' }, storage: { files } });
}

/** All machines of a pool have the same user data. */
const MOST_READ = 256;
const read = new Recent<string, ParsedConfig>(MOST_READ);

/** The parsed contents of one configuration. */
interface ParsedConfig {
  readonly bootstrap: Bootstrap | undefined;
  readonly pointers: readonly IgnitionSource[];
}

function readOnce(text: string): ParsedConfig {
  const known = read.get(text);
  if (known !== undefined) return known;
  const config = parse(text);
  const kubeconfig = fileOf(config, KUBECONFIG_PATH);
  const bootstrap = kubeconfig === undefined ? undefined : { kubeconfig, configuration: configurationOf(config) };
  const parsed = { bootstrap, pointers: pointers(config) };
  read.set(text, parsed);
  return parsed;
}

/** The bootstrap data in user data, or in what it points to; undefined when it names no cluster. */
export async function bootstrapOf(
  userData: string,
  fetchIgnition?: FetchIgnition,
  hops = MOST_HOPS,
): Promise<Bootstrap | undefined> {
  const parsed = readOnce(userData);
  if (parsed.bootstrap !== undefined) return parsed.bootstrap;
  if (hops === 0) return undefined;
  for (const { httpHeaders = [], source = '' } of parsed.pointers) {
    const headers = Object.fromEntries(httpHeaders.map(({ name, value }) => [name.toLowerCase(), value]));
    const text = dataOf(source) ?? (await fetchIgnition?.(source, headers));
    const found = text === undefined ? undefined : await bootstrapOf(text, fetchIgnition, hops - 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The kubeconfig among that. */
export async function bootstrapKubeconfig(
  userData: string,
  fetchIgnition?: FetchIgnition,
): Promise<string | undefined> {
  return (await bootstrapOf(userData, fetchIgnition))?.kubeconfig;
}

function fileOf({ storage }: IgnitionConfig, wanted: string): string | undefined {
  return dataOf(storage?.files?.find(({ path }) => path === wanted)?.contents?.source);
}

function configurationOf(config: IgnitionConfig): MachineConfiguration | undefined {
  const text = fileOf(config, CONFIGURATION_PATH);
  return text === undefined ? undefined : (JSON.parse(text) as MachineConfiguration);
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
