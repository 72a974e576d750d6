import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { LockMode } from '@mikro-orm/core';
import type { Database, Tx } from '@gateway/persistence';
import { encodeDynamicBrCode } from '@gateway/pix';
import { Charge, chargeColumns } from '#src/account/charge.ts';

/** Reserved by RFC 2606: no payer's application can resolve it, so no code of the simulator can be paid for real. */
const locationHost = 'pix.simulator.invalid';
const receiver = { merchantName: 'PSP SIMULATOR', merchantCity: 'SANDBOX' };

export interface ChargeRequest {
  readonly dialect: string;
  readonly reference: string;
  /** Minor units. */
  readonly amount: number;
  readonly expiresInSec: number;
  readonly details: Record<string, unknown>;
  /** Default: BRL. */
  readonly currency?: 'BRL' | 'MXN';
  /** Where it is paid; given on a rail without codes, else a document of the simulator's own. */
  readonly location?: string;
}

export type PutChargeOutcome =
  | { readonly kind: 'stored'; readonly charge: Charge; readonly created: boolean }
  | { readonly kind: 'not_active'; readonly charge: Charge };

const newMembers = chargeColumns.membersWithout(['id']);
const insertion = `insert into charge (${chargeColumns.listOf(newMembers)})
  values (${newMembers.map((_, index) => `$${index + 1}`).join(', ')})
  on conflict on constraint charge_reference do nothing returning id`;

/**
 * Creates the charge of that reference, or revises the one that exists. The same request again changes nothing;
 * another one raises the revision while the charge is active and is refused afterwards (Pix API 2.9.0, `PUT /cob`).
 */
export async function putCharge(database: Database, request: ChargeRequest, now: Date): Promise<PutChargeOutcome> {
  const charge = await create(database, request, now);
  if (charge) return { kind: 'stored', charge, created: true };
  return await database.transaction((tx) => revise(tx, request));
}

/** Undefined where there is one of that reference. */
async function create(database: Database, request: ChargeRequest, createdAt: Date): Promise<Charge | undefined> {
  const { location = `${locationHost}/qr/v2/${randomBytes(16).toString('hex')}`, currency = 'BRL' } = request;
  const brCode = currency === 'BRL' ? brCodeOf(location, request.amount) : '';
  const charge = { ...request, status: 'ACTIVE', revision: 0, currency, location, brCode, createdAt } as const;
  const values = newMembers.map((member) => charge[member as keyof typeof charge]);
  const [row] = await database.query<{ id: number }>(insertion, values, 'create-charge');
  return row && { ...charge, id: row.id };
}

async function revise(tx: Tx, { dialect, reference, amount, expiresInSec, details }: ChargeRequest) {
  const content = { amount, expiresInSec, details };
  const found = await tx.em.findOneOrFail(Charge, { dialect, reference }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  const known = { amount: found.amount, expiresInSec: found.expiresInSec, details: found.details };
  if (isDeepStrictEqual(known, content)) return { kind: 'stored', charge: found, created: false } as const;
  if (found.status !== 'ACTIVE') return { kind: 'not_active', charge: found } as const;
  const brCode = found.currency === 'BRL' ? brCodeOf(found.location, amount) : '';
  tx.em.assign(found, { ...content, brCode, revision: found.revision + 1 });
  return { kind: 'stored', charge: found, created: false } as const;
}

function brCodeOf(location: string, amountCents: number): string {
  return encodeDynamicBrCode({ ...receiver, location, amountCents });
}
