import { parseArgs, type ParseArgsConfig } from 'node:util';
import { UsageError } from '../faults/errors.ts';
import { type Command, type Flags, globalOptions, type Option } from './command.ts';

/** What was typed. */
export interface Typed {
  readonly command: Command;
  readonly ids: readonly string[];
  readonly flags: Flags;
}

/** The words of a command in what was typed, and what is left: flags may stand before, between and behind them. */
export function splitWords(
  table: readonly Command[],
  args: readonly string[],
): { readonly words: readonly string[]; readonly rest: readonly string[] } {
  const words: string[] = [];
  const rest: string[] = [];
  for (let index = 0; index < args.length; index += 1) {
    const arg = args[index] ?? '';
    if (arg === '--') return { words, rest: [...rest, ...args.slice(index)] };
    if (arg.startsWith('-')) {
      rest.push(arg);
      if (takesNext(arg) && index + 1 < args.length) rest.push(args[(index += 1)] ?? '');
    } else if (table.some((command) => startsWith(command.words, [...words, arg]))) words.push(arg);
    else return { words, rest: [...rest, ...args.slice(index)] };
  }
  return { words, rest };
}

export function startsWith(words: readonly string[], beginning: readonly string[]): boolean {
  return beginning.every((word, index) => words[index] === word);
}

/** Whether a global flag is followed by its value. */
function takesNext(arg: string): boolean {
  const options: Readonly<Record<string, Option>> = globalOptions;
  const [name, option] =
    Object.entries(options).find(([long, { short }]) => arg === `--${long}` || arg === `-${short ?? long}`) ?? [];
  return name !== undefined && option?.type === 'string';
}

export function commandOf(table: readonly Command[], words: readonly string[]): Command | undefined {
  return table.find((command) => command.words.length === words.length && startsWith(command.words, words));
}

/** @throws UsageError that says what does not fit, and how it is typed */
export function parseFor(command: Command, rest: readonly string[]): Typed {
  const { values, positionals } = parsed(command, rest);
  const needed = command.ids.filter((id) => !id.endsWith('?')).length;
  const typed = `gateway ${usageOf(command)}`;
  if (values['help'] !== true && positionals.length < needed) throw new UsageError(`it is typed ${typed}`);
  if (positionals.length > command.ids.length && command.ids.at(-1)?.endsWith('…?') !== true)
    throw new UsageError(`${positionals.slice(command.ids.length).join(' ')} is too much: it is typed ${typed}`);
  return { command, ids: positionals, flags: values };
}

function parsed(command: Command, rest: readonly string[]): { readonly values: Flags; readonly positionals: string[] } {
  const options = Object.fromEntries(
    Object.entries({ ...globalOptions, ...command.options }).map(
      ([name, { type, short, multiple }]: [string, Option]) => {
        return [name, { type, ...(short === undefined ? {} : { short }), ...(multiple ? { multiple } : {}) }];
      },
    ),
  ) as NonNullable<ParseArgsConfig['options']>;
  try {
    return parseArgs({ args: [...rest], options, allowPositionals: true, strict: true });
  } catch (error) {
    // Only the first sentence: the others explain parseArgs.
    const [message = ''] = (error as Error).message.split('. ');
    throw new UsageError(`${message}. \`gateway ${command.words.join(' ')} --help\` has its flags.`);
  }
}

/** `deposits get <id>`. */
export function usageOf({ words, ids }: Command): string {
  const shown = ids.map((id) => (id.endsWith('?') ? `[${id.slice(0, -1)}]` : `<${id}>`));
  return [...words, ...shown].join(' ');
}
