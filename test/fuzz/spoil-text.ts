import { Buffer } from 'node:buffer';
import type { Random } from '@capstan/meta';
import { chance, pick } from './spoil.js';

/** Deeper than the server reads. */
const TOO_DEEP = 10_050;

type TextSpoiler = (random: Random, text: string) => string | Uint8Array;

const someWhere = (random: Random, text: string): number => random.below(text.length + 1);

function insert(text: string, position: number, what: string): string {
  return text.slice(0, position) + what + text.slice(position);
}

const SPOILERS: readonly TextSpoiler[] = [
  (random, text) => text.slice(0, someWhere(random, text)),
  (random, text) => insert(text, someWhere(random, text), pick(random, [...'{}[],:"\\ \n\t0-eE+.tfn#&*!|>%@`\u0000'])),
  (random, text) => {
    const position = someWhere(random, text);
    return text.slice(0, position) + text.slice(position + 1 + random.below(3));
  },
  (random, text) => `${text}${pick(random, ['}', ' {}', ']', 'x', '\n---\n{}', '\u0000', '\n\n'])}`,
  (random, text) => {
    const bytes = Buffer.from(text);
    const quote = bytes.indexOf('"', random.below(Math.max(1, bytes.length - 1)));
    const position = quote === -1 ? 0 : quote + 1;
    const bad = pick(random, [[0xff], [0xc3, 0x28], [0xed, 0xa0, 0x80], [0xf8, 0x88], [0xe2, 0x82], [0xc0, 0x80]]);
    return Buffer.concat([bytes.subarray(0, position), Buffer.from(bad), bytes.subarray(position)]);
  },
  (random, text) => {
    const members = [...text.matchAll(/"[A-Za-z]+":("[^"\\]*"|\d+|true|false)/g)];
    if (members.length === 0) return text;
    const member = pick(random, members);
    return insert(text, member.index, `${member[0]},`);
  },
  (random, text) =>
    text.replace(/"[a-z]+":/i, (key) => pick(random, [key.replace('"', '"\\u0061'), key.toUpperCase()])),
  (random, text) =>
    text.replace(/"metadata":\{/, (head) => {
      const open = chance(random, 50) ? '[' : '{"a":';
      const close = open === '[' ? ']' : '}';
      return `${head}"annotations":${open.repeat(TOO_DEEP)}1${close.repeat(TOO_DEEP)},`;
    }),
  (random, text) => pick(random, ['', 'null', '[]', '""', '1', '{}', '[{}]', 'true', ' ', text.repeat(2)]),
];

/** The text, wrong as a text. */
export function spoilText(random: Random, text: string): string | Uint8Array {
  return pick(random, SPOILERS)(random, text);
}
