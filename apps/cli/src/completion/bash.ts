import { flatten, pathsOf } from './tree.js';
import type { CompletionNode, CompletionOption } from './tree.js';

function words(node: CompletionNode): string {
  return [...node.children.map(({ name }) => name), ...node.argumentChoices].join(' ');
}

function flags(node: CompletionNode): string {
  return node.options.flatMap((option) => option.flags).join(' ');
}

function patterns(path: string, option: CompletionOption): string {
  return option.flags.map((flag) => `'${path} ${flag}'`).join(' | ');
}

function valueCase(root: string, path: string, option: CompletionOption): string {
  const start = `    ${patterns(path, option)})`;
  if (option.isFile) return `${start} compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$cur"); return ;;`;
  if (option.kind !== undefined) return `${start} _${root}_names ${option.kind}; return ;;`;
  return `${start} mapfile -t COMPREPLY < <(compgen -W '${option.choices.join(' ')}' -- "$cur"); return ;;`;
}

/** A completion script for bash 4 and later. */
export function bashCompletion(root: CompletionNode): string {
  const { name } = root;
  const nodes = flatten(root);
  const below = nodes
    .filter((node) => node !== root)
    .map(
      (node) =>
        `    ${pathsOf(node)
          .map((path) => `'${path}'`)
          .join(' | ')}) path='${node.path}'; continue ;;`,
    );
  const valued = nodes.flatMap((node) =>
    node.options.filter(({ takesValue }) => takesValue).map((option) => ({ node, option })),
  );
  const wordCases = nodes.map((node) => `    '${node.path}') words='${words(node)}' flags='${flags(node)}' ;;`);
  const names = nodes.flatMap(({ argumentKind, path }) =>
    argumentKind === undefined ? [] : [`    '${path}') ((args == 0)) && _${name}_names ${argumentKind}; return ;;`],
  );
  return `# bash completion for ${name}
# Load it: source <(${name} completion bash)

_${name}_takes_value() {
  case "$1" in
  ${valued.map(({ node, option }) => patterns(node.path, option)).join(' | ') || "''"}) return 0 ;;
  esac
  return 1
}

_${name}_names() {
  mapfile -t COMPREPLY < <(compgen -W "$("\${COMP_WORDS[0]}" __complete "$1" -- "\${COMP_WORDS[@]:1}" 2>/dev/null)" -- "$cur")
}

_${name}() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD - 1]}" path='${name}' words='' flags='' args=0 i
  COMPREPLY=()
  # bash takes --flag=value for three words.
  if [[ $prev == '=' ]]; then prev="\${COMP_WORDS[COMP_CWORD - 2]}"; elif [[ $cur == '=' ]]; then cur=''; fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    _${name}_takes_value "$path \${COMP_WORDS[i - 1]}" && continue
    case "$path \${COMP_WORDS[i]}" in
${below.join('\n')}
    esac
    [[ \${COMP_WORDS[i]} == -* ]] || ((args += 1))
  done
  case "$path $prev" in
${valued.map(({ node, option }) => valueCase(name, node.path, option)).join('\n')}
  esac
  case "$path" in
${wordCases.join('\n')}
  esac
  if [[ $cur == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$flags" -- "$cur")
    return
  fi
  case "$path" in
${names.join('\n')}
  esac
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
}

complete -F _${name} ${name}
`;
}
