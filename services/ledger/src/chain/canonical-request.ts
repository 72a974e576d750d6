import { hash } from 'node:crypto';
import { ledgerCommandSchema, type LedgerCommand } from '@gateway/contracts/ledger';

/** A command with its canonical text and the hash of that text, by which a repetition is recognised. */
export interface LedgerRequest {
  readonly command: LedgerCommand;
  readonly text: string;
  /** Equal hashes mean the same request under the same id. */
  readonly hash: string;
}

export function requestOf(command: LedgerCommand): LedgerRequest {
  const text = canonicalRequest(command, sortedMembers.get(command.kind));
  return { command, text, hash: requestHashOf(text) };
}

/** The members of each kind of command, sorted once. */
const sortedMembers = new Map<string, readonly string[]>(
  ledgerCommandSchema.options.map(({ shape }) => [shape.kind.value, Object.keys(shape).sort()]),
);

/**
 * One text per command, whatever order its members came in: JSON with sorted members. Commands are flat, so one level
 * is enough. Written out because `JSON.stringify` with a list of members takes three times as long.
 */
export function canonicalRequest(command: object, members: readonly string[] = Object.keys(command).sort()): string {
  const values = command as Readonly<Record<string, unknown>>;
  let text = '';
  for (const member of members) {
    const value = values[member];
    if (value === undefined) continue;
    const json = typeof value === 'number' ? `${value}` : JSON.stringify(value);
    text += `${text === '' ? '{' : ','}"${member}":${json}`;
  }
  return `${text}}`;
}

/** Whether a value that is stored as a request, or as a part of a result, is an object: a changed row may have any JSON. */
export function isJsonObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** SHA-256 in hex over the canonical text. */
export function requestHashOf(canonical: string): string {
  return hash('sha256', canonical, 'hex');
}

/** The first member, in the order of the contract, in which a command differs from the one first sent under its id. */
export function firstDifference(command: LedgerCommand, earlier: Readonly<Record<string, unknown>>): string {
  const later: Readonly<Record<string, unknown>> = command;
  const members = new Set([...Object.keys(later), ...Object.keys(earlier)]);
  for (const member of members) if (later[member] !== earlier[member]) return member;
  throw new Error(`command ${command.id} does not differ from the earlier one`);
}
