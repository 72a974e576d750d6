import { type Command, globalOptions, type Option } from './command.ts';
import { startsWith, usageOf } from './typed.ts';

const wrapAt = 100;

/** The help of everything, of the commands that begin with some words, or of one. */
export function helpOf(table: readonly Command[], words: readonly string[]): string {
  const shown = table.filter(({ hidden }) => hidden !== true);
  const command = shown.find((each) => each.words.length === words.length && startsWith(each.words, words));
  const below = shown.filter((each) => each.words.length > words.length && startsWith(each.words, words));
  if (command !== undefined && words.length > 0)
    return `${commandHelp(command)}${below.length > 0 ? `\n${listOf(below)}` : ''}`;
  if (words.length > 0) return `gateway ${words.join(' ')} …\n\n${listOf(below)}`;
  return `The command line of the payment gateway.

  gateway login --local            the test key of \`npm start\`, whatever its ports
  gateway trigger deposit.paid     an event really happens, in test mode
  gateway listen --forward-to http://127.0.0.1:4000/hooks

${groupsOf(shown)}
Flags of every command:
${optionsHelp(globalOptions)}
Exit codes: 0 done, 1 bug, 2 usage, 3 refused (400, 409, 422), 4 credentials (401, 403), 5 not found, 6 rate limit,
7 gateway fault (5xx), 8 outcome unknown (504), 9 signature or expectation false, 10 no connection, 130 interrupted.
`;
}

/** Groups in the order of the table; of a noun with several verbs one line. */
function groupsOf(table: readonly Command[]): string {
  const groups = new Map<string, Map<string, Command[]>>();
  for (const command of table) {
    const group = groups.get(command.group) ?? new Map<string, Command[]>();
    const [noun = ''] = command.words;
    groups.set(command.group, group.set(noun, [...(group.get(noun) ?? []), command]));
  }
  return [...groups]
    .map(([group, nouns]) => {
      const lines = [...nouns].map(([noun, commands]) => `  ${noun.padEnd(16)} ${aboutNoun(noun, commands)}\n`);
      return `${group}:\n${lines.join('')}\n`;
    })
    .join('');
}

function aboutNoun(noun: string, commands: readonly Command[]): string {
  const [only] = commands;
  if (commands.length === 1 && only?.words.length === 1) return only.summary;
  const verbs = new Set(commands.map(({ words }) => words.slice(1).join(' ')).filter((verb) => verb !== ''));
  const list = [...verbs].join(', ');
  return list.length > wrapAt - noun.length ? `${list.slice(0, wrapAt)}…` : list;
}

function listOf(commands: readonly Command[]): string {
  const width = Math.max(...commands.map((command) => usageOf(command).length));
  return commands.map((command) => `  ${usageOf(command).padEnd(width)}  ${command.summary}\n`).join('');
}

function commandHelp(command: Command): string {
  const { summary, details, options, examples = [] } = command;
  const own = Object.keys(options).length === 0 ? '' : `\nFlags:\n${optionsHelp(options)}`;
  const shown = examples.length === 0 ? '' : `\nExamples:\n${examples.map((each) => `  ${each}\n`).join('')}`;
  return `gateway ${usageOf(command)}\n\n${summary}${details === undefined ? '' : `\n${details}`}\n${own}${shown}
\`gateway --help\` has the flags of every command.\n`;
}

function optionsHelp(options: Readonly<Record<string, Option>>): string {
  const rows = Object.entries(options).map(([name, option]) => [flagOf(name, option), option.about] as const);
  const width = Math.min(32, Math.max(...rows.map(([flag]) => flag.length)));
  return rows.map(([flag, about]) => `  ${flag.padEnd(width)}  ${about}\n`).join('');
}

/** `-p, --profile NAME`. */
export function flagOf(name: string, { type, short, hint, values }: Option): string {
  const few = values !== undefined && values.length <= 4 ? values.join('|') : undefined;
  const value = type === 'boolean' ? '' : ` ${hint ?? few ?? 'VALUE'}`;
  return `${short === undefined ? '' : `-${short}, `}--${name}${value}`;
}
