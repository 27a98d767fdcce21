import { flatten, pathsOf } from './tree.js';
import type { CompletionNode } from './tree.js';

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

function list(items: readonly string[]): string {
  return `@(${items.map(quoted).join(', ')})`;
}

/** A completion script for PowerShell. */
export function powershellCompletion(root: CompletionNode): string {
  const { name } = root;
  const nodes = flatten(root);
  const words = nodes.map((node) => {
    const all = [
      ...node.children.map((child) => child.name),
      ...node.argumentChoices,
      ...node.options.flatMap(({ flags }) => flags),
    ];
    return `    ${quoted(node.path)} = ${list(all)}`;
  });
  // A value that is a path is left to PowerShell: no candidates of ours, then its own file completion steps in.
  const values = nodes.flatMap((node) =>
    node.options
      .filter(({ takesValue }) => takesValue)
      .flatMap((option) =>
        option.flags.map((flag) => `    ${quoted(`${node.path} ${flag}`)} = ${list(option.choices)}`),
      ),
  );
  const aliases = nodes
    .filter((node) => node !== root)
    .flatMap((node) => pathsOf(node).map((path) => `    ${quoted(path)} = ${quoted(node.path)}`));
  const names = nodes.flatMap((node) => [
    ...(node.argumentKind === undefined ? [] : [`    ${quoted(node.path)} = ${quoted(node.argumentKind)}`]),
    ...node.options.flatMap(({ flags, kind }) =>
      kind === undefined ? [] : flags.map((flag) => `    ${quoted(`${node.path} ${flag}`)} = ${quoted(kind)}`),
    ),
  ]);
  return `# PowerShell completion for ${name}
# Load it: ${name} completion powershell | Out-String | Invoke-Expression

Register-ArgumentCompleter -Native -CommandName ${quoted(name)} -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $words = @{
${words.join('\n')}
  }
  $values = @{
${values.join('\n')}
  }
  $paths = @{
${aliases.join('\n')}
  }
  $names = @{
${names.join('\n')}
  }
  $path = ${quoted(name)}
  $typed = @()
  $previous = ''
  foreach ($element in $commandAst.CommandElements | Select-Object -Skip 1) {
    if ($element.Extent.EndOffset -ge $cursorPosition -and $wordToComplete -ne '') { break }
    $previous = $element.Extent.Text
    $typed += $previous
    if ($paths.ContainsKey("$path $previous")) { $path = $paths["$path $previous"] }
  }
  $kind = if ($names.ContainsKey("$path $previous")) { $names["$path $previous"] } elseif (-not $values.ContainsKey("$path $previous")) { $names[$path] }
  $candidates = if ($kind -and $wordToComplete -notlike '-*') { & ${name} __complete $kind -- @typed 2>$null }
    elseif ($values.ContainsKey("$path $previous")) { $values["$path $previous"] } else { $words[$path] }
  $candidates | Where-Object { $_ -like "$wordToComplete*" } | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
  }
}
`;
}
