import type { FeedQuery } from '@gateway/contracts/providers';
import { asked } from '#src/certainty.ts';
import type { BacenConnection } from '#src/bacen/connection.ts';
import { disputesOfPix, findPix } from '#src/bacen/disputes.ts';
import { behind, nextPage, pagesMax as listPagesMax, searchOf } from '#src/bacen/feeds.ts';
import { refusal } from '#src/bacen/problem.ts';
import type { DisputeFact, DisputeLookup, DisputeState, EvidenceInput, EvidenceOutcome } from '#src/disputes.ts';
import { infractionPageSchema, infractionSchema, type Infraction } from '#src/efi/wire.ts';
import { pageOf, type MissingPage } from '#src/feed-rows.ts';
import { shapeOf } from '#src/http/body-shape.ts';
import type { ProviderEvent } from '#src/notifications.ts';
import type { CallOptions } from '#src/outcomes.ts';

/** `justificativa`; the documentation gives no bound, this is what MED's own reports take. */
const justificationMaxCharacters = 2_000;

/**
 * The state of an infraction as an event. Efí sends no notification about them: they are found in the list.
 * ACEITA means that the payer's claim was accepted, so for the merchant it is lost.
 */
export function eventOfInfraction(providerId: string, infraction: Infraction, raw: unknown): DisputeFact {
  const { idInfracao: disputeRef, endToEndId: e2eId, valor: amount, status, criadoEm } = infraction;
  // Reopened after its end, an infraction has a new time of change and is news again.
  const at = infraction.atualizadoEm ?? criadoEm;
  return {
    type: eventTypes[status],
    dedupeKey: `${providerId}:infracao:${disputeRef}:${status}:${at.toISOString()}`,
    at,
    raw,
    disputeRef,
    e2eId,
    ...(amount === undefined ? {} : { money: { currency: 'BRL', amount } }),
    reason: infraction.tipoSituacao?.includes('operacional') ? 'OPERATIONAL_FLAW' : 'FRAUD',
    dueAt: infraction.dadosAnalise?.prazoFinalizacao,
    openedAt: criadoEm,
  };
}

const eventTypes = {
  ABERTA: 'dispute.opened',
  EM_DEFESA: 'dispute.review',
  ACEITA: 'dispute.lost',
  REJEITADA: 'dispute.won',
  CANCELADA_EFI: 'dispute.won',
} as const satisfies Record<Infraction['status'], ProviderEvent['type']>;

export type InfractionPage =
  { readonly kind: 'page'; readonly infractions: readonly unknown[]; readonly next: string | null } | MissingPage;

/** A page of the list. The SDK's example has days where the other lists have instants: one that refuses these is asked by day. */
export async function readInfractions(
  connection: BacenConnection,
  query: FeedQuery,
  options: CallOptions | undefined,
): Promise<InfractionPage> {
  const { page, search } = searchOf(query);
  const ask = (searched: string) =>
    connection.call({ method: 'GET', path: `/v2/gn/infracoes?${searched}`, schema: infractionPageSchema }, options);
  const first = await ask(search);
  const isRefused = first.kind === 'rejected' && first.status === 400;
  const answer = pageOf(isRefused ? await ask(byDay(search)) : first);
  if (answer.kind !== 'page') return behind(answer, nextPage(page, listPagesMax));
  const { parametros, infracoes } = answer.value;
  const next = parametros ? nextPage(page, parametros.paginacao.quantidadeDePaginas) : null;
  return { kind: 'page', infractions: infracoes, next };
}

function byDay(search: string): string {
  const days = new URLSearchParams(search);
  for (const name of ['inicio', 'fim']) days.set(name, (days.get(name) ?? '').slice(0, 10));
  return days.toString();
}

const dayMs = 86_400_000;
/** A payment can be contested for eighty days and returned for ninety. */
const lookBackDays = 91;
/** Pages of a hundred that one question may take. */
const pagesMax = 50;

/**
 * The infractions of one payment, from the list around the day it was opened; what was taken back under MED is reported by the
 * payment itself, and belongs to the infraction that is lost.
 */
export async function getDisputes(
  connection: BacenConnection,
  lookup: DisputeLookup,
  options?: CallOptions,
): Promise<DisputeState> {
  const infractions = await infractionsOf(connection, lookup, options);
  if (!Array.isArray(infractions)) return infractions;
  const pix = await findPix(connection, lookup.e2eId, options);
  if (pix.status === 'UNAVAILABLE') return pix;
  const { id } = connection.config;
  const returned = pix.status === 'FOUND' ? disputesOfPix(id, pix.value, pix.value) : [];
  const disputes = infractions.length === 0 ? returned : withReturn(infractions, returned);
  return disputes.length === 0 ? { status: 'NOT_FOUND' } : { status: 'FOUND', disputes: disputes.map(asked) };
}

function withReturn(infractions: readonly DisputeFact[], returned: readonly DisputeFact[]): readonly DisputeFact[] {
  const back = inAll(returned);
  if (!back) return infractions;
  // The money is gone, so one of them is lost, also where the list does not say so yet.
  const lost = infractions.findLast(({ type }) => type === 'dispute.lost') ?? infractions.at(-1);
  return infractions.map((infraction) => {
    // Decided for the merchant after the money had gone: what was taken is given back.
    const isOverturned = infraction.type === 'dispute.won' && infraction.at > back.at;
    if (infraction !== lost || isOverturned) return infraction;
    const { money, returnId, returns, at, dedupeKey } = back;
    // As new as the last part of it that went.
    const latest = infraction.at > at ? infraction.at : at;
    if (infraction.type === 'dispute.lost') return { ...infraction, at: latest, money, returnId, returns };
    return { ...infraction, type: 'dispute.lost', dedupeKey, at, money, returnId, returns };
  });
}

/** MED may take a payment back in several parts, over weeks: all of them belong to the claim. */
function inAll(returned: readonly DisputeFact[]): DisputeFact | undefined {
  const last = returned.toSorted((one, other) => one.at.getTime() - other.at.getTime()).at(-1);
  const amount = returned.reduce((sum, { money }) => sum + (money?.amount ?? 0), 0);
  const returns = returned.flatMap((each) => each.returns ?? []);
  return last && { ...last, money: { currency: 'BRL', amount }, returns };
}

type Infractions = DisputeFact[] | Exclude<DisputeState, { readonly status: 'FOUND' }>;

/**
 * A dispute is recorded on the day it is heard of, which may be long after it was opened, and a later round of it on the day
 * of that: where it is not around that day, the whole time before is searched. Without its infraction, what MED has taken
 * back would be a dispute of its own.
 */
async function infractionsOf(
  connection: BacenConnection,
  lookup: DisputeLookup,
  options: CallOptions | undefined,
): Promise<Infractions> {
  const { e2eId, disputeRef, openedAt } = lookup;
  const now = connection.now().getTime();
  if (openedAt) {
    const to = Math.min(openedAt.getTime(), now) + dayMs;
    const near = await searchInfractions(connection, e2eId, [openedAt.getTime() - dayMs, to], options);
    const isFound =
      Array.isArray(near) && near.some((fact) => disputeRef === undefined || fact.disputeRef === disputeRef);
    if (isFound || !Array.isArray(near)) return near;
  }
  const from = Math.min(openedAt?.getTime() ?? now, now) - lookBackDays * dayMs;
  return await searchInfractions(connection, e2eId, [from, now + dayMs], options);
}

/** In the list between two moments, Unix milliseconds. */
async function searchInfractions(
  connection: BacenConnection,
  e2eId: string,
  [fromMs, toMs]: readonly [number, number],
  options: CallOptions | undefined,
): Promise<Infractions> {
  const [from, to] = [new Date(fromMs), new Date(toMs)];
  const found: DisputeFact[] = [];
  let place: string | null = '0';
  for (let pages = 0; place !== null; pages += 1) {
    if (pages === pagesMax) return { status: 'UNAVAILABLE', cause: `the list has more than ${pagesMax} pages` };
    const page: InfractionPage = await readInfractions(connection, { from, to, place }, options);
    if (page.kind !== 'page') return { status: 'UNAVAILABLE', cause: page.cause };
    for (const item of page.infractions) {
      const parsed = infractionSchema.safeParse(item);
      if (parsed.success && parsed.data.endToEndId === e2eId) {
        found.push(eventOfInfraction(connection.config.id, parsed.data, item));
      } else if (!parsed.success && mentions(item, e2eId)) {
        return { status: 'UNAVAILABLE', cause: `an infraction is ${shapeOf(item)}` };
      }
    }
    place = page.next;
  }
  return found.sort((a, b) => a.at.getTime() - b.at.getTime());
}

/** An unreadable infraction of this payment leaves it undecided; one of another payment does not. */
function mentions(item: unknown, e2eId: string): boolean {
  return typeof item === 'object' && item !== null && 'endToEndId' in item && item.endToEndId === e2eId;
}

/** Of a long text the end is left out rather than a document: the whole text is one of them then. */
function justificationOf(text: string, documentUrls: readonly string[]): string {
  const links = documentUrls.map((url) => `\n${url}`);
  let room = justificationMaxCharacters;
  const fitting = links.filter((link) => (room -= link.length) >= 0).join('');
  return text.slice(0, justificationMaxCharacters - fitting.length) + fitting;
}

/** `POST /v2/gn/infracoes/:id/defesa`. Documents are named in the text: Efí takes no files here. */
export async function submitEvidence(
  connection: BacenConnection,
  { disputeRef, text, documentUrls }: EvidenceInput,
  options?: CallOptions,
): Promise<EvidenceOutcome> {
  const justificativa = justificationOf(text, documentUrls);
  const outcome = await connection.call(
    {
      method: 'POST',
      path: `/v2/gn/infracoes/${encodeURIComponent(disputeRef)}/defesa`,
      body: { analise: 'rejeitado', justificativa },
    },
    options,
  );
  switch (outcome.kind) {
    case 'answered':
      return { kind: 'accepted' };
    case 'rejected':
      return refusal(outcome);
    case 'not_sent':
    case 'unknown':
      return outcome;
  }
}
