import { maskDocument } from '@gateway/pix';

/** Members of answers that say something about a person, and how much of it is read without need. */
const masks: Readonly<Record<string, (text: string) => string>> = {
  account_number: lastOf,
  counterparty: maskDocument,
  counterparty_document: maskDocument,
  counterparty_name: initialsOf,
  document: maskDocument,
  email: mailOf,
  payer_document: maskDocument,
  payer_name: initialsOf,
  payout_key: keyOf,
  phone: lastOf,
  pix_key: keyOf,
  // What was searched for, in the trail of reads: an id, or a document or a key.
  q: keyOf,
  recipient_document: maskDocument,
  recipient_name: initialsOf,
};
/** Records of people: their names as well. */
const people: ReadonlySet<string> = new Set(['payer', 'payer_details', 'recipient']);
/** What was sent or received as it is, which may hold anything. */
const whole: ReadonlySet<string> = new Set(['request_body', 'response_body', 'payload', 'raw', 'content', 'body']);
const hidden = '***';

/** An answer as it is read without asking for the personal data in it: as many members, with less in them. */
export function masked(value: unknown, within = ''): unknown {
  if (Array.isArray(value)) return value.map((each) => masked(each, within));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]): [string, unknown] => {
    if (member === null || member === undefined) return [name, member];
    if (whole.has(name)) return [name, hidden];
    if (Object.hasOwn(masks, name)) return [name, typeof member === 'string' ? masks[name]?.(member) : hidden];
    if (name === 'name' && people.has(within) && typeof member === 'string') return [name, initialsOf(member)];
    return [name, masked(member, name)];
  });
  return Object.fromEntries(members);
}

/** The members that masking changes, as paths without their places in lists: `payer.document`. */
export function personalMembersIn(value: unknown): string[] {
  return [...new Set(changedIn(value, masked(value), ''))].sort();
}

function changedIn(value: unknown, shown: unknown, path: string): readonly string[] {
  if (typeof value !== 'object' || value === null || typeof shown !== 'object' || shown === null) {
    return value === shown ? [] : [path];
  }
  return Object.entries(value).flatMap(([name, member]: [string, unknown]) => {
    const inside = Array.isArray(value) ? path : [path, name].filter(Boolean).join('.');
    return changedIn(member, (shown as Readonly<Record<string, unknown>>)[name], inside);
  });
}

function initialsOf(name: string): string {
  return name
    .split(/\s+/)
    .map((word) => `${word.slice(0, 1)}${hidden}`)
    .join(' ');
}

function mailOf(text: string): string {
  const at = text.lastIndexOf('@');
  return at > 0 ? `${text.slice(0, 1)}${hidden}${text.slice(at)}` : hidden;
}

function lastOf(text: string): string {
  return text.length > 4 ? `${hidden}${text.slice(-2)}` : hidden;
}

/** A key is of any type: a document, an address of mail, a number, or random. */
function keyOf(text: string): string {
  return text.includes('@') ? mailOf(text) : lastOf(text);
}
