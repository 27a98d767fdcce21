import { ReleaseError } from '../errors.js';

/** An image as users name it, taken apart. */
export interface ImageReference {
  /** `quay.io`, `127.0.0.1:5000` */
  readonly registry: string;
  /** `openshift-release-dev/ocp-release` */
  readonly repository: string;
  readonly tag?: string | undefined;
  /** `sha256:…` */
  readonly digest?: string | undefined;
}

const DEFAULT_REGISTRY = 'docker.io';
const PART = '[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*';
/** Only a first part with a dot or a port, or localhost, is a registry. */
const REGISTRY = '(?:localhost|[^/@:]*\\.[^/@]*|[^/@]*:[^/@]*|\\[[0-9a-fA-F:]+\\](?::\\d+)?)';
const REFERENCE = new RegExp(
  `^(?:(${REGISTRY})/)?(${PART}(?:/${PART})*)(?::(\\w[\\w.-]{0,127}))?(?:@(sha256:[0-9a-f]{64}))?$`,
);
/** The longest name a registry takes. */
const MOST_CHARACTERS = 255;

/** Reads `registry/name:tag@digest`; a missing registry is Docker's, a missing tag is `latest`. */
export function parseReference(text: string): ImageReference {
  const [, registry = DEFAULT_REGISTRY, name = '', tag, digest] = REFERENCE.exec(text) ?? [];
  if (name === '' || name.length > MOST_CHARACTERS)
    throw new ReleaseError(
      'InvalidReference',
      `${JSON.stringify(text)} is not the name of an image; write registry/name:tag or registry/name@sha256:…`,
    );
  const repository = registry === DEFAULT_REGISTRY && !name.includes('/') ? `library/${name}` : name;
  return { registry, repository, tag: tag ?? (digest === undefined ? 'latest' : undefined), digest };
}

/** The image of a reference by digest. */
export function byDigest({ registry, repository }: ImageReference, digest: string): string {
  return `${registry}/${repository}@${digest}`;
}

/** `from=to`: prefixes of images that are kept elsewhere, the longest that fits first. */
export function overridden(image: string, overrides: ReadonlyMap<string, string>): string {
  const prefixes = [...overrides.keys()].filter(
    (each) => image === each || (/^[/:@]/.test(image.slice(each.length)) && image.startsWith(each)),
  );
  const longest = prefixes.toSorted((a, b) => b.length - a.length)[0];
  return longest === undefined ? image : `${overrides.get(longest) ?? ''}${image.slice(longest.length)}`;
}
