/** One parameter of a query, decoded. */
export type QueryParameter = [name: string, value: string];

/** A query as it was read. */
export interface ReadQuery {
  /** What kube-apiserver reads: parameters that Go cannot read are missing. */
  readonly parameters: readonly QueryParameter[];
  /** Why another reader may see other parameters than kube-apiserver does; undefined when none can. */
  readonly fault: string | undefined;
}

/** Go reads none of the parameters of a query that has more. */
export const MAX_QUERY_PARAMETERS = 10_000;

/** Names and values that every reader takes as they are written. */
const PLAIN = /^(?:[\w.~-]+(?:=[\w.~:,@!*'()$/=-]*)?(?:&(?=.)|$))*$/;

/** Whether a query can be read in one way only, and needs no decoding. */
export const isPlainQuery = (query: string): boolean => PLAIN.test(query);

/**
 * Reads the query of a request target as Go's net/url does, and so kube-apiserver: a parameter with a semicolon or a bad
 * escape is left out, and no others are.
 */
export function readQuery(query: string): ReadQuery {
  const pieces = query === '' ? [] : query.split('&');
  if (pieces.length > MAX_QUERY_PARAMETERS)
    return { parameters: [], fault: `it has more than ${MAX_QUERY_PARAMETERS} parameters` };
  if (isPlainQuery(query)) return { parameters: pieces.map(cut), fault: undefined };
  const parameters: QueryParameter[] = [];
  let fault: string | undefined;
  for (const piece of pieces) {
    if (piece === '') continue;
    const read = readParameter(piece);
    if (read.parameter !== undefined) parameters.push(read.parameter);
    fault ??= read.fault;
  }
  return { parameters, fault };
}

interface ReadParameter {
  readonly parameter?: QueryParameter;
  readonly fault?: string | undefined;
}

function readParameter(piece: string): ReadParameter {
  if (piece.includes(';')) return { fault: 'it has a semicolon: write %3B' };
  const [name, value] = cut(piece);
  if (BAD_ESCAPE.test(piece)) return { fault: 'it has a percent sign without two hexadecimal digits: write %25' };
  const parameter: QueryParameter = [decode(name), decode(value)];
  return { parameter, fault: faultOf(piece, parameter) };
}

function cut(piece: string): QueryParameter {
  const at = piece.indexOf('=');
  return at < 0 ? [piece, ''] : [piece.slice(0, at), piece.slice(at + 1)];
}

const BAD_ESCAPE = /%(?![0-9A-Fa-f]{2})/;
const PRINTABLE = /^[\x21-\x7e]*$/;

function faultOf(piece: string, [name, value]: QueryParameter): string | undefined {
  if (name === '') return 'it has a parameter without a name';
  if (name.includes('\0') || value.includes('\0')) return 'it has a NUL character';
  if (!PRINTABLE.test(piece)) return 'it has characters other than printable ASCII: encode them';
  if (!isUtf8(piece)) return 'it is not UTF-8';
  return undefined;
}

function isUtf8(piece: string): boolean {
  try {
    decodeURIComponent(piece);
    return true;
  } catch {
    return false;
  }
}

/** Bytes that are no UTF-8 become replacement characters. */
function decode(text: string): string {
  if (!text.includes('%') && !text.includes('+')) return text;
  const spaced = text.replaceAll('+', ' ');
  try {
    return decodeURIComponent(spaced);
  } catch {
    return new URLSearchParams(`x=${text.replaceAll('&', '%26')}`).get('x') ?? spaced;
  }
}
