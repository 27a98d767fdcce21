import { createHash } from 'node:crypto';

/** What file systems allow a name to have. */
const MAX_BYTES = 255;
const DIGEST_CHARACTERS = 32;
/** Devices to Windows, with whatever extension. */
const RESERVED = /^(?:aux|com[0-9]|con|lpt[0-9]|nul|prn)(?=\.|$)/;
/** Between what is left of a name that was cut and its digest; `%` is otherwise followed by two hexadecimal digits. */
const CUT = '%sha-';

/**
 * The one way from a name that a server or an input file gave to the name of a file. The names of Kubernetes stay as they
 * are. All else becomes `%xx` as in URLs: what is special to a path or to a file system, and upper case, since some file
 * systems take `A` for `a`. Different names so give different files on every file system, and none leads elsewhere.
 */
export function fileNameOf(name: string, extension = ''): string {
  const safe = encoded(name);
  const isWhole = !/\p{Surrogate}/u.test(name) && safe.length + extension.length <= MAX_BYTES;
  if (isWhole) return `${safe}${extension}`;
  const digest = createHash('sha256').update(Buffer.from(name, 'utf16le')).digest('hex').slice(0, DIGEST_CHARACTERS);
  const kept = safe.slice(0, MAX_BYTES - CUT.length - digest.length - extension.length);
  return `${kept}${CUT}${digest}${extension}`;
}

/** The name that a file was named after, unless that was too long to be kept whole. */
export function nameOfFile(fileName: string): string {
  return fileName === EMPTY ? '' : decodeURIComponent(fileName);
}

const EMPTY = '%empty';

function encoded(name: string): string {
  if (name === '') return EMPTY;
  return (
    [...name]
      .map((each) => (/[a-z0-9._-]/.test(each) ? each : escaped(each)))
      .join('')
      // Hidden files, `.` and `..`; and what Windows drops.
      .replace(/^\.|\.$/g, escaped)
      .replace(RESERVED, (device) => `${escaped(device.slice(0, 1))}${device.slice(1)}`)
  );
}

function escaped(character: string): string {
  return [...Buffer.from(character)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
}
