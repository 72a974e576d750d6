import { type Command, globalOptions, type Option } from './command.ts';
import { commandOf, splitWords, startsWith } from './typed.ts';

/**
 * What may stand in the place of the last word.
 *
 * @param typed what stands behind `gateway`, the word under the cursor last
 * @param profiles names of the profiles
 */
export function candidatesFor(
  table: readonly Command[],
  typed: readonly string[],
  profiles: () => readonly string[],
): readonly string[] {
  const current = typed.at(-1) ?? '';
  const before = typed.slice(0, -1);
  const { words, rest } = splitWords(table, before);
  const shown = table.filter(({ hidden }) => hidden !== true);
  const command = commandOf(shown, words);
  const options: Readonly<Record<string, Option>> = { ...globalOptions, ...command?.options };
  const flag = optionBefore(options, before.at(-1));
  if (flag !== undefined) return matching(flag.name === 'profile' ? profiles() : (flag.values ?? []), current);
  if (current.startsWith('-'))
    return matching(
      Object.keys(options).map((name) => `--${name}`),
      current,
    );
  const isBeginning = rest.every(
    (arg, index) => arg.startsWith('-') || optionBefore(options, rest[index - 1]) !== undefined,
  );
  const next = isBeginning
    ? shown
        .filter((each) => startsWith(each.words, words))
        .flatMap((each) => each.words.slice(words.length, words.length + 1))
    : [];
  const choices = isBeginning ? (command?.choices ?? []) : [];
  return matching([...new Set([...next, ...choices])], current);
}

function optionBefore(options: Readonly<Record<string, Option>>, arg: string | undefined) {
  if (!arg?.startsWith('-')) return undefined;
  const found = Object.entries(options).find(([name, { short }]) => arg === `--${name}` || arg === `-${short ?? name}`);
  if (found === undefined || found[1].type === 'boolean') return undefined;
  return { name: found[0], values: found[1].values };
}

function matching(candidates: readonly string[], current: string): readonly string[] {
  return candidates.filter((candidate) => candidate.startsWith(current));
}

/** Scripts by which shells ask for candidates. */
export const completionScripts = {
  bash: `_gateway() {
  local IFS=$'\\n'
  COMPREPLY=($(gateway complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _gateway gateway
`,
  zsh: `#compdef gateway
_gateway() {
  local -a found
  found=("\${(@f)$(gateway complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  compadd -a found
}
(( $+functions[compdef] )) && compdef _gateway gateway
`,
  fish: `complete -c gateway -f -a '(gateway complete -- (commandline -opc)[2..] "$(commandline -ct)" 2>/dev/null)'
`,
  powershell: `Register-ArgumentCompleter -Native -CommandName gateway -ScriptBlock {
  param($word, $ast, $position)
  $typed = @($ast.CommandElements | Select-Object -Skip 1 | ForEach-Object { $_.ToString() })
  if ($word -eq '') { $typed += '' }
  gateway complete '--' @typed 2>$null | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
  }
}
`,
} as const;
