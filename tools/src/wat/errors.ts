/** A text that is not of the part of the WebAssembly text format that we assemble. */
export class AssemblyError extends Error {
  override readonly name = 'AssemblyError';
}
