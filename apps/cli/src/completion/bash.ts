import { flatten } from './tree.js';
import type { CompletionNode, CompletionOption } from './tree.js';

function words(node: CompletionNode): string {
  const names = node.children.map(({ name }) => name);
  return [...names, ...node.argumentChoices, ...node.options.flatMap(({ flags }) => flags)].join(' ');
}

function valueCase(path: string, option: CompletionOption): string {
  const patterns = option.flags.map((flag) => `'${path} ${flag}'`).join(' | ');
  if (option.isFile)
    return `    ${patterns}) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$cur"); return ;;`;
  return `    ${patterns}) mapfile -t COMPREPLY < <(compgen -W '${option.choices.join(' ')}' -- "$cur"); return ;;`;
}

/** A completion script for bash 4 and later. */
export function bashCompletion(root: CompletionNode): string {
  const nodes = flatten(root);
  const below = nodes.filter((node) => node !== root).map(({ path }) => `'${path}'`);
  const values = nodes.flatMap((node) =>
    node.options.filter(({ takesValue }) => takesValue).map((option) => valueCase(node.path, option)),
  );
  const wordCases = nodes.map((node) => `    '${node.path}') words='${words(node)}' ;;`);
  return `# bash completion for ${root.name}
# Load it: source <(${root.name} completion bash)

_${root.name}() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD - 1]}" path='${root.name}' words='' i
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$path \${COMP_WORDS[i]}" in
    ${below.join(' | ')}) path="$path \${COMP_WORDS[i]}" ;;
    esac
  done
  case "$path $prev" in
${values.join('\n')}
  esac
  case "$path" in
${wordCases.join('\n')}
  esac
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
}

complete -F _${root.name} ${root.name}
`;
}
