import { flatten, pathsOf } from './tree.js';
import type { CompletionNode, CompletionOption } from './tree.js';

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

function optionLine(name: string, node: CompletionNode, option: CompletionOption): string {
  const parts = [`complete -c ${name} -n ${quoted(`__${name}_at "${node.path}"`)}`];
  for (const flag of option.flags) parts.push(flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`);
  if (option.takesValue) parts.push(option.isFile ? '-r -F' : '-x');
  if (option.choices.length > 0) parts.push(`-a ${quoted(option.choices.join(' '))}`);
  if (option.kind !== undefined) parts.push(`-a ${quoted(`(__${name}_names ${option.kind})`)}`);
  parts.push(`-d ${quoted(option.description)}`);
  return parts.join(' ');
}

function nodeLines(name: string, node: CompletionNode): string[] {
  const at = quoted(`__${name}_at "${node.path}"`);
  const children = node.children.map(
    (child) => `complete -c ${name} -n ${at} -a ${child.name} -d ${quoted(child.description)}`,
  );
  const choices = node.argumentChoices.map((choice) => `complete -c ${name} -n ${at} -a ${choice}`);
  const names =
    node.argumentKind === undefined
      ? []
      : [`complete -c ${name} -n ${at} -a ${quoted(`(__${name}_names ${node.argumentKind})`)}`];
  return [...children, ...choices, ...names, ...node.options.map((option) => optionLine(name, node, option))];
}

/** A completion script for fish. */
export function fishCompletion(root: CompletionNode): string {
  const { name } = root;
  const nodes = flatten(root);
  const below = nodes
    .filter((node) => node !== root)
    .map(
      (node) =>
        `            case ${pathsOf(node).map(quoted).join(' ')}\n                set path ${quoted(node.path)}`,
    );
  return `# fish completion for ${name}
# Load it: ${name} completion fish | source

function __${name}_at
    set -l path ${name}
    for word in (commandline -opc)[2..-1]
        switch "$path $word"
${below.join('\n')}
        end
    end
    test "$path" = "$argv[1]"
end

function __${name}_names
    ${name} __complete $argv[1] -- (commandline -opc)[2..-1] 2>/dev/null
end

complete -c ${name} -f
${nodes.flatMap((node) => nodeLines(name, node)).join('\n')}
`;
}
