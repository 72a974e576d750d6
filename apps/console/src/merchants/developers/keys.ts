import { client } from '#src/generated/client.gen.ts';
import type { ApiVersion, Environment } from '#src/generated/merchants/types.gen.ts';
import type { Tone } from '#src/look/status.tsx';
import { proposalIn, type TeamApproval } from '#src/merchants/approvals/team-approval.ts';
import { bodyOf } from '#src/records/refusal.ts';

/** What a key may be limited to, by what it is about. */
export const scopeNouns = ['deposits', 'payouts', 'refunds', 'disputes', 'webhooks', 'keys'] as const;
export type ScopeNoun = (typeof scopeNouns)[number];
export type Scope = `${ScopeNoun}:${'read' | 'write'}`;

/** A key of the account in this mode; its secret is in no answer but that in which it was made. */
export interface Key {
  readonly public_key: string;
  readonly environment: Environment;
  readonly api_version: ApiVersion;
  readonly name: string | null;
  /** Null: it is limited to nothing. */
  readonly scopes: readonly Scope[] | null;
  /** Empty: it may be used from anywhere. */
  readonly ip_allowlist: readonly string[];
  /** Unix seconds, as the other times. */
  readonly created_at: number;
  readonly last_used_at: number | null;
  readonly revoked_at: number | null;
  /** Until when its secret can be fetched; null where it had one from the first moment. */
  readonly claim_expires_at: number | null;
  readonly claimed_at: number | null;
}

export interface KeyPair {
  readonly public_key: string;
  readonly secret_key: string;
}

export interface KeysQuery {
  readonly status?: 'active' | 'revoked' | undefined;
  readonly name?: string | undefined;
  readonly cursor?: string;
}

interface KeyPage {
  readonly data: readonly Key[];
  readonly next_cursor: string | null;
  /** Where the person who asks is. */
  readonly address: string;
}

/** A key, and where the person is who looks at it. */
export interface ShownKey {
  readonly key: Key | undefined;
  readonly address: string;
}

export interface KeyTerms {
  readonly name: string;
  readonly scopes: readonly Scope[] | null;
  readonly api_version: ApiVersion;
  readonly ip_allowlist: readonly string[];
}

export type KeyState = 'active' | 'unclaimed' | 'revoked';

export const keysKey = 'keys';
export const keyToneOf: Readonly<Record<KeyState, Tone>> = { active: 'good', unclaimed: 'wait', revoked: 'neutral' };
const limit = 200;

export function stateOf({ revoked_at: revoked, claim_expires_at: claimable, claimed_at: claimed }: Key): KeyState {
  if (revoked !== null) return 'revoked';
  return claimable !== null && claimed === null ? 'unclaimed' : 'active';
}

/** What a key is called; those that the operator issued may have no name. */
export function nameOf({ name, public_key: publicKey }: Key): string {
  return name ?? publicKey.slice(-8);
}

/** @throws Refusal, as everything here */
export async function listKeys(query: KeysQuery, signal: AbortSignal): Promise<KeyPage> {
  return await bodyOf(client.get<KeyPage>({ url: '/v1/keys', query: { ...query, limit }, signal }));
}

/** What a key called in one contract. */
export interface KeyCalls {
  readonly public_key: string;
  readonly api_version: string;
  readonly calls: number;
  /** Of them, over the rate. */
  readonly limited: number;
}

export interface KeyUsage {
  readonly data: readonly KeyCalls[];
  /** Of each key. */
  readonly rate_limit: { readonly per_second: number; readonly burst: number };
}

/** What the keys of the account called in the last 24 hours. */
export async function readKeyUsage(signal: AbortSignal): Promise<KeyUsage> {
  return await bodyOf(client.get<KeyUsage>({ url: '/v1/keys/usage', signal }));
}

/** One key of the list, of which there is no answer of its own. */
export async function readKey(publicKey: string, signal: AbortSignal): Promise<ShownKey> {
  let cursor: string | undefined;
  for (;;) {
    const page: KeyPage = await listKeys(cursor === undefined ? {} : { cursor }, signal);
    const key = page.data.find(({ public_key: each }) => each === publicKey);
    if (key || page.next_cursor === null) return { key, address: page.address };
    cursor = page.next_cursor;
  }
}

/** The pair, or the proposal that another person of the account decides first. */
export async function createKey(
  terms: KeyTerms,
): Promise<{ readonly pair: KeyPair } | { readonly proposal: TeamApproval }> {
  const answer = await bodyOf(client.post<KeyPair>({ url: '/v1/keys', body: terms }));
  const proposal = proposalIn(answer);
  return proposal ? { proposal } : { pair: answer };
}

/** Fetches the secret of a key that two agreed on; once. */
export async function claimKey(publicKey: string): Promise<KeyPair> {
  return await bodyOf(client.post<KeyPair>({ url: '/v1/keys/{publicKey}/claim', path: { publicKey }, body: {} }));
}

export async function replaceKeyAllowlist(publicKey: string, entries: readonly string[]): Promise<unknown> {
  return await bodyOf(
    client.put<object>({ url: '/v1/keys/{publicKey}/ip-allowlist', path: { publicKey }, body: { entries } }),
  );
}

export async function revokeKey(publicKey: string): Promise<unknown> {
  return await bodyOf(client.delete<object>({ url: '/v1/keys/{publicKey}', path: { publicKey } }));
}

/** One address or range a line, as people paste them. */
export function entriesIn(text: string): string[] {
  return text.split(/[\s,;]+/).filter((entry) => entry !== '');
}
