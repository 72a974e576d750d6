import { homedir } from 'node:os';
import { join } from 'node:path';

export type Variables = Readonly<Record<string, string | undefined>>;

/** Where profiles are, for the one person who owns them (XDG base directories). */
export function configFolder(variables: Variables): string {
  return join(folder(variables['XDG_CONFIG_HOME'], '.config'), 'gateway');
}

/** Where the log of calls and the places of `listen` are. */
export function stateFolder(variables: Variables): string {
  return join(folder(variables['XDG_STATE_HOME'], '.local/state'), 'gateway');
}

function folder(given: string | undefined, otherwise: string): string {
  return given === undefined || given === '' ? join(homedir(), otherwise) : given;
}
