import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { LockMode } from '@mikro-orm/core';
import { violatedConstraint, type Database, type Tx } from '@gateway/persistence';
import { encodeDynamicBrCode } from '@gateway/pix';
import { Charge } from '#src/account/charge.ts';

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

/**
 * Creates the charge of that reference, or revises the one that exists. The same request again changes nothing;
 * another one raises the revision while the charge is active and is refused afterwards (Pix API 2.9.0, `PUT /cob`).
 */
export async function putCharge(database: Database, request: ChargeRequest, now: Date): Promise<PutChargeOutcome> {
  try {
    return await database.transaction((tx) => createOrRevise(tx, request, now));
  } catch (error) {
    if (violatedConstraint(error) !== 'charge_reference') throw error;
    // Another call created it in between; now it is found.
    return await database.transaction((tx) => createOrRevise(tx, request, now));
  }
}

async function createOrRevise(tx: Tx, request: ChargeRequest, now: Date): Promise<PutChargeOutcome> {
  const { dialect, reference, amount: asked, expiresInSec: asksSec, details: wanted } = request;
  const content = { amount: asked, expiresInSec: asksSec, details: wanted };
  const found = await tx.em.findOne(Charge, { dialect, reference }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!found) return { kind: 'stored', charge: await create(tx, request, now), created: true };
  const { amount, expiresInSec, details } = found;
  if (isDeepStrictEqual({ amount, expiresInSec, details }, content))
    return { kind: 'stored', charge: found, created: false };
  if (found.status !== 'ACTIVE') return { kind: 'not_active', charge: found };
  const brCode = found.currency === 'BRL' ? brCodeOf(found.location, content.amount) : '';
  tx.em.assign(found, { ...content, brCode, revision: found.revision + 1 });
  return { kind: 'stored', charge: found, created: false };
}

async function create(tx: Tx, request: ChargeRequest, createdAt: Date): Promise<Charge> {
  const { location = `${locationHost}/qr/v2/${randomBytes(16).toString('hex')}`, currency = 'BRL' } = request;
  const charge = tx.em.create(Charge, {
    ...request,
    status: 'ACTIVE',
    revision: 0,
    currency,
    location,
    brCode: currency === 'BRL' ? brCodeOf(location, request.amount) : '',
    createdAt,
  });
  await tx.em.flush();
  return charge;
}

function brCodeOf(location: string, amountCents: number): string {
  return encodeDynamicBrCode({ ...receiver, location, amountCents });
}
