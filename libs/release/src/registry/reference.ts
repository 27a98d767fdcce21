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
const REPOSITORY = /^[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*)*$/;
const TAG = /^\w[\w.-]{0,127}$/;
const DIGEST = /^sha256:[0-9a-f]{64}$/;
/** The longest name a registry takes. */
const MOST_CHARACTERS = 255;

/** Reads `registry/name:tag@digest`; a missing registry is Docker's, a missing tag is `latest`. */
export function parseReference(text: string): ImageReference {
  const [beforeDigest = '', digest, ...more] = text.split('@');
  const slash = beforeDigest.indexOf('/');
  const first = slash === -1 ? '' : beforeDigest.slice(0, slash);
  // As everywhere: only a name with a dot or a port, or localhost, is a registry.
  const hasRegistry = first.includes('.') || first.includes(':') || first === 'localhost';
  const rest = hasRegistry ? beforeDigest.slice(slash + 1) : beforeDigest;
  const colon = rest.lastIndexOf(':');
  const name = colon === -1 ? rest : rest.slice(0, colon);
  const tag = colon === -1 ? undefined : rest.slice(colon + 1);
  const isWrong =
    more.length > 0 ||
    name.length > MOST_CHARACTERS ||
    !REPOSITORY.test(name) ||
    (tag !== undefined && !TAG.test(tag)) ||
    (digest !== undefined && !DIGEST.test(digest));
  if (isWrong)
    throw new ReleaseError(
      'InvalidReference',
      `${JSON.stringify(text)} is not the name of an image; write registry/name:tag or registry/name@sha256:…`,
    );
  const repository = hasRegistry || name.includes('/') ? name : `library/${name}`;
  const fallback = digest === undefined ? 'latest' : undefined;
  return { registry: hasRegistry ? first : DEFAULT_REGISTRY, repository, tag: tag ?? fallback, digest };
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
