import { varint } from './snappy.js';

/** Records of LevelDB's logs do not reach over the end of these. */
const BLOCK = 32_768;
/** A checksum, the length and which part of a record it is. */
const HEADER = 7;
const [FULL, LAST] = [1, 4];

/** What an entry of a manifest begins with. */
const TAG = { comparator: 1, compactPointer: 5, deletedFile: 6, newFile: 7 } as const;

/** The numbers of the tables that a manifest of LevelDB names; others in the folder are left over, and may be half. */
export function liveTables(manifest: Buffer): Set<number> {
  const live = new Set<number>();
  for (const record of records(manifest)) readEdit(record, live);
  return live;
}

function* records(file: Buffer): Generator<Buffer> {
  let parts: Buffer[] = [];
  for (let at = 0; at + HEADER <= file.length;) {
    const left = BLOCK - (at % BLOCK);
    const [length, type] = [file.readUInt16LE(at + 4), file[at + 6] ?? 0];
    if (left < HEADER || type === 0) {
      at += left;
      continue;
    }
    parts.push(file.subarray(at + HEADER, at + HEADER + length));
    at += HEADER + length;
    if (type !== FULL && type !== LAST) continue;
    yield Buffer.concat(parts);
    parts = [];
  }
}

/** Reads a change of the set of tables, entry by entry. */
function readEdit(edit: Buffer, live: Set<number>): void {
  let at = 0;
  const number = (): number => {
    const [value, end] = varint(edit, at);
    at = end;
    return value;
  };
  const skipText = (): void => {
    const length = number();
    at += length;
  };
  while (at < edit.length) {
    const tag = number();
    if (tag === TAG.comparator) skipText();
    // Of the others the first number is the level, or all there is.
    else number();
    if (tag === TAG.compactPointer) skipText();
    if (tag === TAG.deletedFile) live.delete(number());
    if (tag !== TAG.newFile) continue;
    live.add(number());
    // Its size and its bounds.
    number();
    skipText();
    skipText();
  }
}
