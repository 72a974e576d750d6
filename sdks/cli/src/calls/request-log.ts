import { appendFileSync, existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { stateFolder, type Variables } from '../settings/folders.ts';
import { makePrivateFolder, writePrivateFile } from '../settings/private-file.ts';

/** A call of the command line, without its query and its body. */
export interface LoggedCall {
  readonly at: string;
  readonly method: string;
  readonly path: string;
  /** Null when no answer came. */
  readonly status: number | null;
  readonly ms: number;
  readonly request_id: string | null;
}

const bytesMax = 5 * 1024 * 1024;
const keptDays = 7;
const msPerDay = 86_400_000;

export function requestLogFile(variables: Variables): string {
  return join(stateFolder(variables), 'requests.jsonl');
}

/** Adds a call to the log. A disk that is full or read-only costs the line, never the call. */
export function keepCall(variables: Variables, call: LoggedCall): void {
  const file = requestLogFile(variables);
  try {
    makePrivateFolder(stateFolder(variables));
    if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > bytesMax) halve(file);
    appendFileSync(file, `${JSON.stringify(call)}\n`, { mode: 0o600 });
  } catch {
    return;
  }
}

function halve(file: string): void {
  const lines = readFileSync(file, 'utf8').split('\n');
  writePrivateFile(file, lines.slice(Math.floor(lines.length / 2)).join('\n'));
}

/** The calls of the last seven days, oldest first. */
export function readCalls(variables: Variables, now: number = Date.now()): readonly LoggedCall[] {
  const file = requestLogFile(variables);
  if (!existsSync(file)) return [];
  return callsOf(readFileSync(file, 'utf8')).filter(({ at }) => Date.parse(at) > now - keptDays * msPerDay);
}

/** The calls of some lines. One that a crash has cut is left out. */
export function callsOf(text: string): LoggedCall[] {
  return text.split('\n').flatMap((line) => {
    try {
      return [JSON.parse(line) as LoggedCall];
    } catch {
      return [];
    }
  });
}
