/** What a text allows of the ways to write it in YAML. */
export interface TextTraits {
  readonly hasBreaks: boolean;
  readonly mayBePlain: boolean;
  readonly mayBeSingle: boolean;
  /** Behind a bar, line by line. */
  readonly mayBeBlock: boolean;
}

/** Breaks as the real server's writer knows them. */
const BREAKS = '\\r\\n\\u0085\\u2028\\u2029';
/** All else is written as escapes: beyond 16 bits, tabs, controls, byte order marks. */
const UNPRINTABLE = /[^\n\u0020-\u007e\u00a0-\ud7ff\ue000-\ufefe\uff00-\ufffd]/u;
const HAS_BREAK = new RegExp(`[${BREAKS}]`);
const SPACE_BREAK = new RegExp(` [${BREAKS}]`);
const BREAK_SPACE = new RegExp(`[${BREAKS}] `);
const SPACE_OR_BREAK_AROUND = new RegExp(`^[ ${BREAKS}]|[ ${BREAKS}]$`);
/** What means something else at the beginning of a line, or behind a word. */
const MARKS =
  /^(?:---|\.\.\.|[#,[\]{}&*!|>'"%@`]|[?:](?:[ \t]|$)|-(?:[ \t]|$))|:(?:[ \t]|$)|[ \t\r\n\u0085\u2028\u2029\0]#/;

/** Looks at a text. */
export function studyText(text: string): TextTraits {
  const hasBreaks = HAS_BREAK.test(text);
  const isOdd = SPACE_BREAK.test(text) || UNPRINTABLE.test(text);
  return {
    hasBreaks,
    mayBePlain: !hasBreaks && !isOdd && !SPACE_OR_BREAK_AROUND.test(text) && !MARKS.test(text),
    mayBeSingle: !isOdd && !BREAK_SPACE.test(text),
    mayBeBlock: !isOdd && text !== '' && !text.endsWith(' '),
  };
}

/** Whether a character is written as it is, in double quotes too. */
export function isPrintable(char: string): boolean {
  return !UNPRINTABLE.test(char);
}
