import { CST, Lexer } from 'yaml';

/** The types of the tokens of a text, one after the other, for readers that refuse a text before they read it. */
export function* yamlTokens(text: string): Generator<string> {
  for (const token of new Lexer().lex(text)) yield CST.tokenType(token) ?? '';
}
