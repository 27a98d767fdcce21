import { flatten } from './tree.js';
import type { CompletionNode, CompletionOption } from './tree.js';

/** Text within single quotes and square brackets or after a colon of an _arguments spec. */
function spec(text: string): string {
  return text.replaceAll("'", "'\\''").replaceAll('[', '\\[').replaceAll(']', '\\]').replaceAll(':', '\\:');
}

function optionSpec(option: CompletionOption): string {
  const [first = '', second] = option.flags;
  const flags = second === undefined ? first : `(${first} ${second})'{${first},${second}}'`;
  const action = option.isFile ? '_files' : option.choices.length > 0 ? `(${option.choices.join(' ')})` : '';
  const value = option.takesValue ? `:value:${action}` : '';
  return `'${flags}[${spec(option.description)}]${value}'`;
}

function functionName(node: CompletionNode): string {
  return `_${node.path.replaceAll(' ', '_')}`;
}

function nodeFunction(node: CompletionNode): string {
  const specs = node.options.map(optionSpec);
  if (node.argumentChoices.length > 0) specs.push(`'1:argument:(${node.argumentChoices.join(' ')})'`);
  if (node.children.length === 0) {
    return `${functionName(node)}() {\n  _arguments -s ${specs.join(' \\\n    ')}\n}`;
  }
  const described = node.children.map(({ name, description }) => `    '${name}:${spec(description)}'`);
  const cases = node.children.map((child) => `    ${child.name}) ${functionName(child)} ;;`);
  return `${functionName(node)}() {
  local line state
  local -a commands=(
${described.join('\n')}
  )
  _arguments -C -s ${[...specs, "'1:command:->command'", "'*::arguments:->arguments'"].join(' \\\n    ')}
  case $state in
  command) _describe command commands ;;
  arguments)
    case $line[1] in
${cases.join('\n')}
    esac
    ;;
  esac
}`;
}

/** A completion script for zsh. */
export function zshCompletion(root: CompletionNode): string {
  const functions = flatten(root).map(nodeFunction).join('\n\n');
  return `#compdef ${root.name}
# Load it: source <(${root.name} completion zsh)

${functions}

if [ "$funcstack[1]" = '_${root.name}' ]; then
  _${root.name} "$@"
else
  compdef _${root.name} ${root.name}
fi
`;
}
