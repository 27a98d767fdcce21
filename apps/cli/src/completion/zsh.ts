import { flatten } from './tree.js';
import type { CompletionNode, CompletionOption } from './tree.js';

/** Text within single quotes and square brackets or after a colon of an _arguments spec. */
function spec(text: string): string {
  return text.replaceAll("'", "'\\''").replaceAll('[', '\\[').replaceAll(']', '\\]').replaceAll(':', '\\:');
}

function optionSpec(root: string, option: CompletionOption): string {
  const [first = '', second] = option.flags;
  const flags = second === undefined ? first : `(${first} ${second})'{${first},${second}}'`;
  const action = option.isFile
    ? '_files'
    : option.kind !== undefined
      ? names(root, option.kind)
      : `(${option.choices.join(' ')})`;
  const value = option.takesValue ? `:value:${action === '()' ? '' : action}` : '';
  return `'${flags}[${spec(option.description)}]${value}'`;
}

/** An action that asks the program itself. */
function names(root: string, kind: string): string {
  return `{_${root}_names ${kind}}`;
}

function functionName(node: CompletionNode): string {
  return `_${node.path.replaceAll(' ', '_')}`;
}

function nodeFunction(root: string, node: CompletionNode): string {
  const specs = node.options.map((option) => optionSpec(root, option));
  if (node.argumentKind !== undefined) specs.push(`'1:name:${names(root, node.argumentKind)}'`);
  if (node.argumentChoices.length > 0) specs.push(`'1:argument:(${node.argumentChoices.join(' ')})'`);
  if (node.children.length === 0) {
    return `${functionName(node)}() {\n  _arguments -s ${specs.join(' \\\n    ')}\n}`;
  }
  const described = node.children.map(({ name, description }) => `    '${name}:${spec(description)}'`);
  const cases = node.children.map(
    (child) => `    ${[child.name, ...child.aliases].join('|')}) ${functionName(child)} ;;`,
  );
  // The words are narrowed for each command below: the program is asked with all of them.
  const whole = node.name === root ? `  _${root}_line=(\${words[2,-1]})\n` : '';
  return `${functionName(node)}() {
${whole}  local line state
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
  const functions = flatten(root)
    .map((node) => nodeFunction(root.name, node))
    .join('\n\n');
  return `#compdef ${root.name}
# Load it: source <(${root.name} completion zsh)

_${root.name}_names() {
  local -a found=(\${(f)"$(${root.name} __complete $1 -- $_${root.name}_line 2>/dev/null)"})
  compadd -a found
}

${functions}

if [ "$funcstack[1]" = '_${root.name}' ]; then
  _${root.name} "$@"
else
  compdef _${root.name} ${root.name}
fi
`;
}
