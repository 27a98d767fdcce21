import { PRIVATE_CAPI_TYPES_ENV, PROXY_IMAGE_ENV, PROXY_NATIVE_ENV } from '@capstan/hosting';
import type { OperatorContext } from '@capstan/kube';
import { BadUsage } from '@capstan/kube';

/** Flags besides those of every operator; the names are HyperShift's. */
export const FLAGS = {
  'deployment-name': 'string',
  'enable-ci-debug-output': 'boolean',
  'health-probe-addr': 'string',
  'image-overrides': 'string',
  'metrics-addr': 'string',
  'registry-overrides': 'string',
} as const;

/** The API proxy of components that use Cluster API. */
export interface ProxySettings {
  readonly image: string;
  /** Whether nodes know native sidecars; undefined where the version of the API server decides. */
  readonly native: boolean | undefined;
}

/** The flags and environment of the operator. */
export interface Settings {
  /** The namespace it serves; undefined for all of them. */
  readonly namespace: string | undefined;
  /** Prefixes of images that are kept elsewhere. */
  readonly registryOverrides: ReadonlyMap<string, string>;
  /** Images by the name of a component of the release. */
  readonly imageOverrides: ReadonlyMap<string, string>;
  /** Undefined where Cluster API is in its standard groups. */
  readonly proxy: ProxySettings | undefined;
}

/** Reads flags and environment. Throws {@link BadUsage}. */
export function readSettings({ env, flags }: Pick<OperatorContext<typeof FLAGS>, 'env' | 'flags'>): Settings {
  const namespace = flags.namespace ?? env['MY_NAMESPACE'] ?? '';
  return {
    namespace: namespace === '' ? undefined : namespace,
    registryOverrides: readPairs('registry-overrides', flags['registry-overrides']),
    imageOverrides: readPairs('image-overrides', flags['image-overrides']),
    proxy: readProxy(env),
  };
}

function readProxy(env: OperatorContext<typeof FLAGS>['env']): ProxySettings | undefined {
  if (env[PRIVATE_CAPI_TYPES_ENV] !== 'true') return undefined;
  const { [PROXY_IMAGE_ENV]: image = '', [PROXY_NATIVE_ENV]: native = '' } = env;
  if (image === '')
    throw new BadUsage(`${PRIVATE_CAPI_TYPES_ENV} is true: set ${PROXY_IMAGE_ENV} to the image of the API proxy`);
  if (!['', 'false', 'true'].includes(native))
    throw new BadUsage(`${PROXY_NATIVE_ENV}: "${native}" is not true or false`);
  return { image, native: native === '' ? undefined : native === 'true' };
}

/** `a=b,c=d`; HyperShift also writes a lone `=` for none. */
function readPairs(flag: string, text = ''): ReadonlyMap<string, string> {
  const pairs = text.split(',').filter((pair) => pair !== '' && pair !== '=');
  return new Map(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      if (at < 1 || at === pair.length - 1) throw new BadUsage(`--${flag}: "${pair}" is not of the form name=value`);
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );
}

/** The image where it is kept: by the longest prefix that is kept elsewhere. */
export function overridden(image: string, overrides: ReadonlyMap<string, string>): string {
  const found = [...overrides.keys()]
    .filter(
      (prefix) =>
        image === prefix ||
        image.startsWith(`${prefix}/`) ||
        image.startsWith(`${prefix}@`) ||
        image.startsWith(`${prefix}:`),
    )
    .toSorted((a, b) => b.length - a.length)[0];
  return found === undefined ? image : `${overrides.get(found) ?? found}${image.slice(found.length)}`;
}
