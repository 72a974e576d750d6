import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { callsOf, type LoggedCall, readCalls, requestLogFile } from '../calls/request-log.ts';
import type { Session } from '../calls/session.ts';
import type { Command } from '../command/command.ts';

const pollMs = 300;

export const logsCommand: Command = {
  words: ['logs'],
  ids: [],
  group: 'Look into it',
  summary: 'The calls of this program in the last 7 days, without their bodies',
  options: { tail: { type: 'boolean', about: 'Goes on with calls as they are made.' } },
  run: async ({ session, flags }) => {
    const calls = readCalls(session.variables);
    session.output.list(calls.map(rowOf), { data: calls }, ['at', 'method', 'path', 'status', 'ms', 'request_id']);
    if (flags['tail'] === true) await follow(session);
  },
};

function rowOf({ at, method, path, status, ms, request_id }: LoggedCall) {
  return { at, method, path, status, ms, request_id };
}

/** Until the person ends it. */
async function follow({ variables, output, signal }: Session): Promise<void> {
  const file = requestLogFile(variables);
  const sizeOf = () => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  let position = sizeOf();
  while (!signal.aborted) {
    await pause(pollMs, undefined, { signal }).catch(() => undefined);
    const size = sizeOf();
    // The log was shortened: it begins anew.
    if (size < position) position = 0;
    if (size === position) continue;
    for (const call of callsOf(readFrom(file, position, size))) output.line(JSON.stringify(call));
    position = size;
  }
}

function readFrom(file: string, start: number, end: number): string {
  const bytes = Buffer.alloc(end - start);
  const handle = openSync(file, 'r');
  try {
    readSync(handle, bytes, 0, bytes.length, start);
  } finally {
    closeSync(handle);
  }
  return bytes.toString('utf8');
}
