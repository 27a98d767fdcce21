/** One PEM block as Go's decoder sees it. */
export interface PemBlock {
  readonly type: string;
  readonly hasHeaders: boolean;
  readonly der: Uint8Array;
}

const BEGIN = '-----BEGIN ';
const END = '\n-----END ';
const DASHES = '-----';
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** The PEM blocks of a text, in order. What is no block is passed over, as Go does. */
export function* pemBlocks(text: string): Generator<PemBlock> {
  for (let from = 0; ;) {
    const first = nextBegin(text, from);
    if (first < 0) return;
    const end = text.indexOf(END, first);
    if (end < 0) return;
    // The last beginning before the end, so that no text is looked at twice.
    const begin = Math.max(first, text.lastIndexOf(`\n${BEGIN}`, end) + 1);
    const tailEnd = lineEndAfter(text, end + 1);
    const block = blockBetween(text, begin, end, tailEnd);
    if (block !== undefined) yield block;
    from = tailEnd;
  }
}

/** The block from its first line to its last, which begins behind `end`; undefined when the two do not fit. */
function blockBetween(text: string, begin: number, end: number, tailEnd: number): PemBlock | undefined {
  // The newline before the last line may be the one that ends the first: an empty block.
  const lineEnd = lineEndAfter(text, begin);
  const line = text.slice(begin + BEGIN.length, lineEnd).trimEnd();
  if (!line.endsWith(DASHES)) return undefined;
  const type = line.slice(0, -DASHES.length);
  const isClosed = text.slice(end + END.length, tailEnd).trimEnd() === `${type}${DASHES}`;
  return isClosed ? blockOf(type, text.slice(lineEnd + 1, end)) : undefined;
}

function blockOf(type: string, body: string): PemBlock | undefined {
  let rest = body;
  let hasHeaders = false;
  for (let line = firstLine(rest); line.includes(':'); line = firstLine(rest)) {
    hasHeaders = true;
    rest = rest.slice(line.length + 1);
  }
  const base64 = rest.replace(/[\r\n\t ]/g, '');
  if (base64.length % 4 !== 0 || !BASE64.test(base64)) return undefined;
  return { type, hasHeaders, der: Uint8Array.from(Buffer.from(base64, 'base64')) };
}

function firstLine(text: string): string {
  return text.slice(0, lineEndAfter(text, 0));
}

function lineEndAfter(text: string, from: number): number {
  const at = text.indexOf('\n', from);
  return at < 0 ? text.length : at;
}

/** Where the next first line of a block is: at the beginning of a line. */
function nextBegin(text: string, from: number): number {
  if (from === 0 && text.startsWith(BEGIN)) return 0;
  const at = text.indexOf(`\n${BEGIN}`, from);
  return at < 0 ? -1 : at + 1;
}
