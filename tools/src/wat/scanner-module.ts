/** The source file that carries assembled code. */
export function scannerModule(code: Uint8Array): string {
  const lines = Buffer.from(code)
    .toString('base64')
    .match(/.{1,100}/g)
    ?.map((line) => `  '${line}',`);
  return `/** \`scanner.wat\`, assembled by \`npm run generate:scanner\`. */
export const SCANNER_CODE: string = [
${lines?.join('\n')}
].join('');
`;
}
