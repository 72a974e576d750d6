import { itemKindSchema, type ItemKind, type MatchRule } from '@gateway/contracts/reconciler';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** Where days begin and end for statements and files. */
export const statementZone = 'America/Sao_Paulo';

type LineKey = Exclude<MatchRule, 'people'>;

interface KindRule {
  /** The keys by which a line of this kind is found to belong to a record, the most exact first. */
  readonly lineKeys: readonly LineKey[];
  /** How long a match may lack a side. Null: until the end of the day. */
  readonly waitMs: number | null;
}

const atOnce = 5 * minuteMs;
const aDay = 24 * hourMs;

/** How items of each kind are matched, and for how long one waits for its other sides. */
export const kindRules: Readonly<Record<ItemKind, KindRule>> = {
  payment: { lineKeys: ['e2e_id'], waitMs: atOnce },
  refund: { lineKeys: ['return_id', 'our_ref'], waitMs: aDay },
  payout: { lineKeys: ['our_ref', 'e2e_id'], waitMs: aDay },
  payout_return: { lineKeys: ['return_id'], waitMs: atOnce },
  dispute_return: { lineKeys: ['return_id', 'e2e_id', 'our_ref'], waitMs: atOnce },
  dispute_overturn: { lineKeys: ['return_id', 'e2e_id', 'our_ref'], waitMs: atOnce },
  provider_fee: { lineKeys: [], waitMs: null },
  own_transfer: { lineKeys: [], waitMs: null },
  batch: { lineKeys: [], waitMs: null },
  refunded: { lineKeys: [], waitMs: atOnce },
  clearing: { lineKeys: [], waitMs: atOnce },
  other: { lineKeys: ['return_id', 'our_ref', 'e2e_id'], waitMs: atOnce },
};

/** Booked by their line alone: no record of a merchant stands behind them. */
const kindsWithoutRecord: readonly ItemKind[] = ['provider_fee', 'own_transfer', 'other'];

/** What records and ledger say of money that the gateway holds, or of a deposit's row: no line of a provider is about it. */
const kindsWithoutLine: readonly ItemKind[] = ['refunded', 'clearing'];

export function needsRecord(kind: ItemKind): boolean {
  return !kindsWithoutRecord.includes(kind);
}

const promisedKinds = itemKindSchema.options.filter(
  (kind) => kind === 'other' || (needsRecord(kind) && kind !== 'batch' && !kindsWithoutLine.includes(kind)),
);

/**
 * Whether a match is of a kind that is to be explained within minutes, as an SQL condition: what moves the money of merchants,
 * and lines that are not known. Fees and transfers of our own have until the end of their day.
 */
export function isPromised(alias: string): string {
  return `${alias}.kind in ('${promisedKinds.join("', '")}')`;
}

/**
 * Whether a match is explained, as an SQL condition over its columns under that alias: its sides have the same sum. A side
 * without items has the sum 0. The line is waited for only where the provider has a statement.
 */
export function explained(alias: string): string {
  const [withoutRecord, withoutLine] = [kindsWithoutRecord, kindsWithoutLine].map((kinds) => `'${kinds.join("', '")}'`);
  return `case when ${alias}.kind = 'batch' then ${alias}.p_amount = ${alias}.r_amount
      when ${alias}.kind in (${withoutRecord}) then ${alias}.p_amount = ${alias}.l_amount
      when ${alias}.kind in (${withoutLine}) then ${alias}.r_amount = ${alias}.l_amount
      else ${alias}.r_amount = ${alias}.l_amount and (${alias}.p_amount = ${alias}.l_amount
        or (${alias}.p_items = 0 and not ${alias}.needs_line)) end`;
}

export function deadlineOf(kind: ItemKind, now: Date): Date {
  const { waitMs } = kindRules[kind];
  return waitMs === null ? endOfDay(now) : new Date(now.getTime() + waitMs);
}

const zonedTime = new Intl.DateTimeFormat('en-US', {
  timeZone: statementZone,
  hourCycle: 'h23',
  hour: 'numeric',
  minute: 'numeric',
  second: 'numeric',
});

/** The next midnight of the zone, which has had no daylight saving since 2019. */
function endOfDay(now: Date): Date {
  const parts = Object.fromEntries(zonedTime.formatToParts(now).map(({ type, value }) => [type, Number(value)]));
  const { hour = 0, minute = 0, second = 0 } = parts;
  const sinceMidnightMs = (hour * 3_600 + minute * 60 + second) * 1_000 + now.getMilliseconds();
  return new Date(now.getTime() - sinceMidnightMs + aDay);
}

/** What a command to the ledger is about, by the first word of its id. */
const kindOfCommand: Readonly<Record<string, ItemKind>> = {
  'credit-deposit': 'payment',
  'hold-receipt': 'payment',
  'refund-deposit': 'refund',
  'reverse-refund': 'refund',
  'redebit-refund': 'refund',
  'return-receipt': 'refund',
  'settle-payout': 'payout',
  'redebit-payout': 'payout',
  'return-payout': 'payout_return',
  'return-dispute': 'dispute_return',
  'overturn-dispute': 'dispute_overturn',
  'provider-fee': 'provider_fee',
  'own-funds': 'own_transfer',
};

/** Of a line that no record has, of what is booked by its line, and of the parts of one: `line:provider_fee:…`. */
export function subjectOfLine(kind: ItemKind, lineKey: string): string {
  return `line:${kind}:${lineKey}`;
}

/** Of a record: `payment:dep_…`, `payout_return:pyt_…:<return id>`. */
export function subjectOfRecord(kind: ItemKind, record: string): string {
  return `${kind}:${record}`;
}

/** Every subject has its kind in it, so that the first item of a match says what the match is, whichever it is. */
export function kindOfSubject(subject: string): ItemKind {
  const [first, second] = subject.split(':', 2);
  const kind = itemKindSchema.safeParse(first === 'line' ? second : first);
  return kind.success ? kind.data : 'other';
}

/**
 * The kind and the subject of what a command books; what no rule knows is a subject of its own. Two attempts at one record (`settle-payout:<id>:again`) have the same subject; parts of a return have their own.
 */
export function subjectOfCommand(commandId: string): { readonly kind: ItemKind; readonly subject: string } {
  const [word = '', record = '', ...rest] = commandId.split(':');
  const kind = kindOfCommand[word];
  if (!kind) return { kind: 'other', subject: subjectOfRecord('other', commandId) };
  if (kind === 'provider_fee' || kind === 'own_transfer') {
    return { kind, subject: subjectOfLine(kind, [record, ...rest].join(':')) };
  }
  const part = kind === 'payout_return' && rest.length > 0 ? `:${rest.join(':')}` : '';
  return { kind, subject: subjectOfRecord(kind, record + part) };
}

/** The second attempt of a service at one movement has the same subject, and so has what follows a refund's coming back. */
const attempts = ['', ':again', ':returned', ...[2, 3, 4, 5, 6, 7, 8, 9].map((time) => `:returned-${time}`)];

const clearingCommands = [
  ...['debit-payout', 'settle-payout', 'reverse-payout'].map(
    (word) => (rest: string) => `${word}:${rest} transit:payouts`,
  ),
  ...['hold-receipt', 'return-receipt'].map((word) => (rest: string) => `${word}:${rest} suspense`),
];

/** The ids under which the ledger may have booked what a match is about. */
export function commandsOfSubject(subject: string): string[] {
  const kind = kindOfSubject(subject);
  const rest = subject.slice(subject.indexOf(kind) + kind.length + 1);
  if (kind === 'other') return [rest];
  // The last step of a dispute stands under the subject itself.
  if (kind === 'clearing')
    return [subject, ...clearingCommands.flatMap((key) => attempts.map((attempt) => key(rest + attempt)))];
  const words = Object.entries(kindOfCommand).filter(([, of]) => of === kind);
  return words.flatMap(([word]) => attempts.map((attempt) => `${word}:${rest}${attempt}`));
}

/** Of a payment in several transfers, those before the last of which the lines are shown; all of them count. */
export const transfersMax = 20;

/** The keys of what a record says of a match. */
export function recordKeysOf(subject: string): string[] {
  const transfers = kindOfSubject(subject) === 'payment' ? Array.from({ length: transfersMax }, (_, at) => at + 1) : [];
  return [subject, ...transfers.map((number) => `${subject}:${number}`)];
}

/** The key of a line that stands alone. */
export function lineOfSubject(subject: string): string | undefined {
  return /^line:\w+:(.+)$/s.exec(subject)?.[1];
}
