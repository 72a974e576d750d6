import { client } from '#src/generated/client.gen.ts';
import { bodyOf } from '#src/records/refusal.ts';

type Values = Readonly<Record<string, unknown>>;

/** Who did what in the account. */
export interface AuditEntry {
  readonly id: string;
  readonly kind: 'change' | 'read';
  readonly action: string;
  readonly target: string;
  readonly by: { readonly kind: 'person' | 'link' | 'gateway' | 'operator'; readonly name: string | null };
  /** Both null while the outcome is not known. */
  readonly before: Values | null;
  readonly after: Values | null;
  readonly reason: string | null;
  readonly request_id: string;
  /** Unix seconds. */
  readonly created_at: number;
}

export interface AuditQuery {
  readonly kind?: AuditEntry['kind'] | undefined;
  readonly person?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly cursor?: string;
}

interface AuditPage {
  readonly data: readonly AuditEntry[];
  readonly next_cursor: string | null;
}

/** @throws Refusal */
export async function listAudit(query: AuditQuery, signal: AbortSignal): Promise<AuditPage> {
  return await bodyOf(client.get<AuditPage>({ url: '/team/audit', query: { ...query, limit: 50 }, signal }));
}

/** One member that an entry has changed. */
interface Change {
  readonly name: string;
  readonly before: string;
  readonly after: string;
}

/** What says nothing to a reader who has the entry's time and what it is about beside it. */
const unsaid: ReadonlySet<string> = new Set([
  ...['id', 'object', 'kind', 'target', 'account_id', 'environment', 'public_key', 'invitation_id', 'invited_by'],
  ...['before', 'request', 'request_digest', 'created_at', 'ends_at', 'expires_at', 'decided_at', 'proposed_by'],
]);

/** What is different after an entry; of what is new or gone, all of it that says something. */
export function changesIn({ before, after }: Pick<AuditEntry, 'before' | 'after'>): readonly Change[] {
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  return [...names]
    .filter((name) => !unsaid.has(name))
    .map((name) => ({ name, before: shown(before?.[name]), after: shown(after?.[name]) }))
    .filter((change) => change.before !== change.after);
}

function shown(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(shown).join(', ');
  return value === null || value === undefined ? '' : JSON.stringify(value);
}
