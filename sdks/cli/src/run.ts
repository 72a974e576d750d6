import { isGatewayError } from '@gateway/sdk';
import { Session } from './calls/session.ts';
import { type Command, type Flags, textFlag } from './command/command.ts';
import { helpOf } from './command/help.ts';
import { commandOf, parseFor, splitWords } from './command/typed.ts';
import { table } from './commands/table.ts';
import { exitCodeOf, exitCodes, InterruptedError, UsageError } from './faults/errors.ts';
import { hintsOf } from './operations/failures.ts';
import { hasColours } from './output/colours.ts';
import { type Form, Output, type Streams } from './output/output.ts';
import type { Variables } from './settings/folders.ts';

/** What a run has of its process. */
export interface Program {
  readonly variables: Variables;
  readonly folder: string;
  readonly streams: Streams;
  readonly signal: AbortSignal;
}

/** Carries out what was typed. @returns the exit code */
export async function run(args: readonly string[], process: Program): Promise<number> {
  try {
    await carryOut(args, process);
    return process.signal.aborted ? exitCodes.interrupted : exitCodes.done;
  } catch (error) {
    const shown = process.signal.aborted ? new InterruptedError('interrupted') : error;
    const code = exitCodeOf(shown);
    for (const line of [messageOf(shown, code), ...hintsOf(shown)]) process.streams.stderr.write(`gateway: ${line}\n`);
    return code;
  }
}

async function carryOut(args: readonly string[], process: Program): Promise<void> {
  const { words, rest } = splitWords(table, args[0] === 'help' ? args.slice(1) : args);
  const command = commandOf(table, words);
  if (args[0] === 'help' || command === undefined || isAskedForHelp(rest))
    return explain(args, words, rest, command, process);
  const { ids, flags } = parseFor(command, rest);
  if (flags['help'] === true) return explain(args, words, rest, command, process);
  const output = outputOf(flags, process);
  const session = new Session({ ...process, output, flags });
  await command.run({ ids, flags, session });
}

/** `--help` wherever it stands, but behind `--`. */
function isAskedForHelp(rest: readonly string[]): boolean {
  const end = rest.indexOf('--');
  return (end === -1 ? rest : rest.slice(0, end)).some((arg) => arg === '--help' || arg === '-h');
}

/** Help where it is asked for, and where words alone are no command. */
function explain(
  args: readonly string[],
  words: readonly string[],
  rest: readonly string[],
  command: Command | undefined,
  { streams }: Program,
): void {
  const isAsked = args.length === 0 || args[0] === 'help' || isAskedForHelp(rest);
  const unknown = rest.find((arg) => !arg.startsWith('-'));
  if (command === undefined && unknown !== undefined && rest.includes(unknown))
    throw new UsageError(
      `there is no \`gateway ${[...words, unknown].join(' ')}\`: \`gateway ${['help', ...words].join(' ')}\` lists what there is`,
    );
  if (!isAsked) throw new UsageError(`what of it? \`gateway ${['help', ...words].join(' ')}\` lists what there is`);
  streams.stdout.write(helpOf(table, words));
}

/** @throws UsageError for two forms at a time */
function outputOf(flags: Flags, { streams, variables }: Program): Output {
  const forms = (['json', 'jsonl', 'table', 'quiet'] as const).filter((form) => flags[form] === true);
  if (forms.length > 1) throw new UsageError(`--${forms.join(' and --')} exclude each other`);
  const when = textFlag(flags, 'color');
  if (when !== undefined && !['auto', 'always', 'never'].includes(when))
    throw new UsageError('--color is auto, always or never');
  const form: Form = forms[0] ?? (streams.stdout.isTTY ? 'table' : 'json');
  return new Output(form, streams, hasColours(when, variables, streams.stdout.isTTY));
}

/** A bug shows where it is; everything else what it means. */
function messageOf(error: unknown, code: number): string {
  if (code === exitCodes.bug && error instanceof Error) return `this is a bug: ${error.stack ?? error.message}`;
  return isGatewayError(error) || error instanceof Error ? error.message : String(error);
}
