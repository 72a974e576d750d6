import { readFileSync } from 'node:fs';
import type { Version } from '@gateway/sdk';
import { type Flags, textFlag, textFlags } from '../command/command.ts';
import type { DescribedMember } from '../description/operation.ts';
import { UsageError } from '../faults/errors.ts';
import { minorUnitsOf } from '../output/money.ts';

type Members = Record<string, unknown>;

const standardInput = 0;

/** `payer.name` is `--payer-name`. */
export function flagNameOf(member: string): string {
  return member.replaceAll(/[._]/g, '-');
}

/** Amounts are typed as `100.50`; those in minor units have names that end in cents. */
export function isAmount(name: string): boolean {
  return /(?:^|_)amount$/.test(name);
}

/**
 * The body of a call: what `-d` has, then what flags say, then what `--set` says.
 *
 * @throws UsageError for what cannot be one
 */
export function bodyOf(members: readonly DescribedMember[], flags: Flags, contract: Version): Members {
  const data = textFlag(flags, 'data');
  const body: Members = data === undefined ? {} : dataOf(data);
  for (const member of members) {
    const value = valueOf(member, flags);
    if (value !== undefined) setAt(body, nameIn(members, member.name, contract).split('.'), value);
  }
  for (const assignment of textFlags(flags, 'set')) {
    const [, path = '', value = ''] = /^([^=]+)=([\s\S]*)$/.exec(assignment) ?? [];
    if (path === '') throw new UsageError('--set is typed --set metadata.cart=7');
    setAt(body, path.split('.'), scalarOf(value));
  }
  return body;
}

/** The amount of a payment has a name in each contract. */
function nameIn(members: readonly DescribedMember[], name: string, contract: Version): string {
  if (name !== 'amount' && name !== 'amount_cents') return name;
  const has = (wanted: string) => members.some((member) => member.name === wanted);
  return has('amount_cents') && (contract === '0.1' || !has('amount')) ? 'amount_cents' : 'amount';
}

/** The query of a list. */
export function queryOf(members: readonly DescribedMember[], flags: Flags): Members {
  const found = members.map((member) => [member.name, valueOf(member, flags)] as const);
  return Object.fromEntries(found.filter(([, value]) => value !== undefined));
}

/** JSON, `@file` or `-` for standard input. */
export function dataOf(data: string): Members {
  const text = data === '-' ? fileOf(data) : data.startsWith('@') ? fileOf(data.slice(1)) : data;
  const parsed = parsedOf(text);
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    throw new UsageError('-d is not a JSON object: type @file, - or {"…": …}');
  return parsed as Members;
}

function parsedOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function fileOf(path: string): string {
  return bytesOf(path).toString('utf8');
}

/** `-` is standard input. @throws UsageError that names a file which cannot be read */
export function bytesOf(path: string): Buffer {
  try {
    return readFileSync(path === '-' ? standardInput : path);
  } catch (error) {
    throw new UsageError(`${path} cannot be read: ${(error as NodeJS.ErrnoException).code ?? 'unknown'}`);
  }
}

function valueOf({ name, type }: DescribedMember, flags: Flags): unknown {
  const flag = flagNameOf(name);
  const given = flags[flag];
  if (given === undefined) return undefined;
  if (type === 'list') return textFlags(flags, flag).flatMap((each) => each.split(','));
  if (typeof given !== 'string') return given;
  if (isAmount(name)) return minorUnitsOf(given);
  if (type === 'boolean') return booleanOf(flag, given);
  if (type === 'object') throw new UsageError(`--set ${name}.member=value sets what is in ${name}`);
  if (type !== 'number') return given;
  if (!/^-?\d{1,15}$/.test(given)) throw new UsageError(`--${flag} is a whole number`);
  return Number(given);
}

function booleanOf(flag: string, given: string): boolean {
  if (given !== 'true' && given !== 'false') throw new UsageError(`--${flag} is true or false`);
  return given === 'true';
}

function setAt(target: Members, [name = '', ...deeper]: readonly string[], value: unknown): void {
  if (['__proto__', 'constructor', 'prototype', ''].includes(name)) throw new UsageError('--set names no member');
  if (deeper.length === 0) {
    target[name] = value;
    return;
  }
  const inner = target[name];
  const next: Members = typeof inner === 'object' && inner !== null ? (inner as Members) : {};
  target[name] = next;
  setAt(next, deeper, value);
}

/** Numbers, true, false and null are what they look like; everything else is text, 007 too. */
function scalarOf(value: string): unknown {
  return /^(?:true|false|null|0|-?[1-9]\d{0,14})$/.test(value) ? JSON.parse(value) : value;
}
