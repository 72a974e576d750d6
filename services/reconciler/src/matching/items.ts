import type { ItemKind, MatchRule, Side } from '@gateway/contracts/reconciler';
import type { Environment } from '@gateway/contracts/values';
import type { ColumnType } from '@gateway/persistence';
import { TableColumns } from '#src/matching/table-columns.ts';

interface Common {
  readonly environment: Environment;
  readonly kind: ItemKind;
  readonly provider: string;
  readonly currency: string;
  /** In minor units, with the sign it has at the provider: what comes in is positive. */
  readonly amount: number;
  readonly e2eId: string | null;
  readonly returnId: string | null;
  readonly ourRef: string | null;
  /** The other party's document, where the side has it. */
  readonly counterparty: string | null;
  /** Of two versions of one item the higher one counts; of equal ones the first. */
  readonly revision: number;
}

/** A line of a provider's statement, from its list or from a file. */
export interface Line extends Common {
  readonly environment: 'live';
  /** Unique for its provider and currency: the provider's id of the line, or one that follows from what the line says. */
  readonly lineKey: string;
  readonly bookedAt: Date;
  /** The day in whose balances the bank counts it, `2026-11-22`, where a file says so; else that of `bookedAt`. */
  readonly day?: string;
  /** `2026-11-22`. */
  readonly valueDate: string | null;
  readonly text: string | null;
  readonly source: 'list' | 'file';
  readonly fileId: string | null;
  /** The line of which this one is a part: its kind is `batch`, and it is the one the provider booked. */
  readonly batchKey: string | null;
  /** As the provider wrote it. */
  readonly raw: Buffer | null;
}

/** What a record, the ledger or the deliveries say. */
export interface Fact extends Common {
  readonly side: Exclude<Side, 'P'>;
  /** Unique for its side: the subject of a record, the id of a command, the id of an event. */
  readonly key: string;
  /** The match it belongs to: `subjectOfRecord`, `subjectOfCommand`. */
  readonly subject: string;
  readonly occurredAt: Date;
  readonly accountId: string | null;
  readonly recordId: string | null;
  readonly commandId: string | null;
  /** Of the ledger's link. */
  readonly sequence: number | null;
  readonly hash: Buffer | null;
  /** That the ledger has booked with it; no provider sees it. */
  readonly fee: number | null;
}

/** A batch of one reader, or of several. */
export interface Items {
  readonly lines?: readonly Line[];
  readonly facts?: readonly Fact[];
}

/** The match that a line belongs to, and the key by which it was found; no key while the line stands alone. */
export interface LinePlace {
  readonly subject: string;
  readonly rule: MatchRule | null;
}

/** A line as it is stored; without a subject it has not been entered in matching yet. */
export interface StoredLine extends Omit<Line, 'raw' | 'text' | 'valueDate' | 'fileId' | 'counterparty'> {
  readonly subject: string | null;
  readonly rule: MatchRule | null;
  /** The subject that two operators gave it. */
  readonly pinnedSubject: string | null;
  readonly receivedAt: Date;
}

const commonColumns = [
  ['environment', 'text'],
  ['kind', 'text'],
  ['provider', 'text'],
  ['currency', 'text'],
  ['amount', 'bigint'],
  ['e2eId', 'text'],
  ['returnId', 'text'],
  ['ourRef', 'text'],
  ['revision', 'bigint'],
] as const satisfies readonly (readonly [string, ColumnType])[];

/** What matching asks of a stored line. */
export const storedLineColumns = new TableColumns<keyof StoredLine>('line', [
  ...commonColumns,
  ['lineKey', 'text'],
  ['bookedAt', 'timestamptz'],
  ['source', 'text'],
  ['batchKey', 'text'],
  ['receivedAt', 'timestamptz'],
  ['subject', 'text'],
  ['rule', 'text'],
  ['pinnedSubject', 'text'],
]);

export const lineColumns = new TableColumns<keyof Line | keyof LinePlace | 'receivedAt'>('line', [
  ...commonColumns,
  ['counterparty', 'text'],
  ['lineKey', 'text'],
  ['bookedAt', 'timestamptz'],
  ['valueDate', 'date'],
  ['text', 'text'],
  ['source', 'text'],
  ['fileId', 'text'],
  ['batchKey', 'text'],
  ['raw', 'bytea'],
  ['receivedAt', 'timestamptz'],
  ['subject', 'text'],
  ['rule', 'text'],
]);

export const factColumns = new TableColumns<keyof Fact>('fact', [
  ...commonColumns,
  ['counterparty', 'text'],
  ['side', 'text'],
  ['key', 'text'],
  ['subject', 'text'],
  ['occurredAt', 'timestamptz'],
  ['accountId', 'text'],
  ['recordId', 'text'],
  ['commandId', 'text'],
  ['sequence', 'bigint'],
  ['hash', 'bytea'],
  ['fee', 'bigint'],
]);
