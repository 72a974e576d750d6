import type { Session } from '../calls/session.ts';

/** A flag of a command, as help, completion and the reference show it. */
export interface Option {
  readonly type: 'string' | 'boolean';
  readonly multiple?: true;
  readonly short?: string;
  /** What completion offers. */
  readonly values?: readonly string[];
  /** What stands for its value in help: `URL`. */
  readonly hint?: string;
  readonly about: string;
}

export type Flags = Readonly<Record<string, string | boolean | readonly (string | boolean)[] | undefined>>;

/** What was typed, by the row it belongs to. */
export interface Invocation {
  readonly ids: readonly string[];
  readonly flags: Flags;
  readonly session: Session;
}

/** A row of the command table. */
export interface Command {
  /** `['deposits', 'create']`. */
  readonly words: readonly string[];
  /** Names of what follows the words; one that ends in `?` may be left out. */
  readonly ids: readonly string[];
  readonly group: string;
  readonly summary: string;
  /** Sentences below the summary. */
  readonly details?: string;
  readonly options: Readonly<Record<string, Option>>;
  readonly examples?: readonly string[];
  /** What completion offers for the first of `ids`. */
  readonly choices?: readonly string[];
  /** Not shown: it serves completion and the generated page. */
  readonly hidden?: true;
  readonly run: (invocation: Invocation) => Promise<void>;
}

/** Flags of every command. */
export const globalOptions = {
  profile: { type: 'string', short: 'p', hint: 'NAME', about: 'Another profile than the current one.' },
  'base-url': { type: 'string', hint: 'URL', about: 'Another address of the gateway than that of the profile.' },
  contract: { type: 'string', values: ['0.1', '1.0'], hint: '0.1|1.0', about: 'The contract of the calls; 0.1.' },
  json: { type: 'boolean', about: 'One JSON document, as the gateway answered it. The default where output is piped.' },
  jsonl: { type: 'boolean', about: 'One line of JSON for each record of a list or a stream.' },
  table: { type: 'boolean', about: 'A table, also where output is piped.' },
  quiet: { type: 'boolean', short: 'q', about: 'Ids alone.' },
  color: {
    type: 'string',
    values: ['auto', 'always', 'never'],
    hint: 'WHEN',
    about: '`auto`, `always` or `never`; NO_COLOR is respected.',
  },
  timeout: { type: 'string', hint: 'SECONDS', about: 'How long a call may take with its repetitions; 30.' },
  live: { type: 'boolean', about: 'Permits a change with a live key.' },
  yes: { type: 'boolean', short: 'y', about: 'Leaves out the typed confirmation of a live payment.' },
  help: { type: 'boolean', short: 'h', about: 'Help for the command.' },
} as const satisfies Readonly<Record<string, Option>>;

/** The text of a flag. */
export function textFlag(flags: Flags, name: string): string | undefined {
  const value = flags[name];
  return typeof value === 'string' ? value : undefined;
}

/** The texts of a flag that may be given several times. */
export function textFlags(flags: Flags, name: string): readonly string[] {
  const value = flags[name];
  const values = Array.isArray(value) ? (value as readonly unknown[]) : [value];
  return values.filter((each): each is string => typeof each === 'string');
}
