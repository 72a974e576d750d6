import { DomainError } from '@gateway/contracts/errors';
import { abandonRefund, createRefund, getDeposit, listRefunds, type Refund } from '@gateway/contracts/deposits';
import { listPeople, type Membership, type MerchantRole, type Person } from '@gateway/contracts/identity';
import { getBalance } from '@gateway/contracts/ledger';
import type { RequestOf } from '@gateway/contracts/messages';
import { abandonCreation, createPayout, listPayouts, type Payout } from '@gateway/contracts/payouts';
import type { Environment } from '@gateway/contracts/values';
import { answering, type RpcRoute } from '@gateway/messaging';
import { newId } from '@gateway/money';
import { operatorDepositOf, payoutOf } from './records.ts';
import { memberBrowserOf, ScriptedIdentity, stepUpOf } from './signing-in.ts';
import type { GatewayUnderTest } from './start-gateway.ts';

const noStep = async () => undefined;

/** The services that a team's money moves through: one balance, and each payout and refund once by its reference. */
export class ScriptedMoney {
  readonly identity = new ScriptedIdentity();
  readonly people: Person[] = [];
  readonly payouts: Payout[] = [];
  readonly refunds: Refund[] = [];
  readonly deposit = operatorDepositOf({ status: 'PAID', amount: 10_000, refunded: 0 });
  available = 0;
  /** When a payout or refund is asked for, before it is made: may refuse it. */
  asked: (externalId: string) => Promise<void> = noStep;
  /** Once it is made, before that is answered. */
  made: (externalId: string) => Promise<void> = noStep;

  reset(): void {
    for (const list of [this.payouts, this.refunds, this.people]) list.length = 0;
    Object.assign(this, { available: 1_000_000, asked: noStep, made: noStep });
  }

  routes(): RpcRoute[] {
    return [
      ...this.identity.routes(),
      answering(listPeople, async () => ({ people: this.people })),
      answering(getBalance, async () => ({
        balances: [{ currency: 'BRL' as const, available: this.available, pending: 0, blocked: 0 }],
      })),
      answering(listPayouts, async ({ externalId }) => ({
        payouts: this.payouts.filter((each) => each.externalId === externalId),
        nextCursor: null,
      })),
      answering(abandonCreation, async ({ externalId }) => ({ payout: this.#payout(externalId) ?? null })),
      answering(createPayout, async (wanted) => await this.#createPayout(wanted)),
      answering(getDeposit, async () => ({ deposit: this.deposit })),
      answering(listRefunds, async () => ({ refunds: this.refunds, nextCursor: null })),
      answering(abandonRefund, async ({ externalId }) => ({
        refund: this.refunds.find((each) => each.externalId === externalId) ?? null,
      })),
      answering(createRefund, async (wanted) => await this.#createRefund(wanted)),
    ];
  }

  async #createPayout(wanted: RequestOf<typeof createPayout>) {
    const { externalId, amount } = wanted;
    await this.asked(externalId);
    const known = this.#payout(externalId);
    if (known) return { created: false, payout: known };
    if (amount > this.available) throw new DomainError('INSUFFICIENT_FUNDS', 'the available balance is too low');
    this.available -= amount;
    const payout = payoutOf(wanted);
    this.payouts.push(payout);
    await this.made(externalId);
    return { created: true, payout };
  }

  async #createRefund({
    environment,
    accountId,
    depositId,
    externalId,
    amount,
    reason,
  }: RequestOf<typeof createRefund>) {
    await this.asked(externalId);
    const known = this.refunds.find((each) => each.externalId === externalId);
    if (known) return { created: false, refund: known };
    const refund: Refund = {
      ...{ id: newId('refund'), environment, accountId, depositId, externalId, status: 'PROCESSING', currency: 'BRL' },
      ...{ amount: amount ?? 0, reason, returnId: null, failureReason: null, failureMessage: null },
      ...{ createdAt: 0, finishedAt: null },
    };
    this.refunds.push(refund);
    await this.made(externalId);
    return { created: true, refund };
  }

  #payout(externalId: string): Payout | undefined {
    return this.payouts.find((each) => each.externalId === externalId);
  }

  /** A person of an account who has signed in at the merchants' console, and confirms what is asked to be confirmed. */
  member(
    gateway: GatewayUnderTest,
    name: string,
    accountId: string,
    role: MerchantRole,
    environments: Environment[] = ['test', 'live'],
  ) {
    const memberships: Membership[] = [{ accountId, roles: [role], environments }];
    const { token, session } = this.identity.signInMember(name, memberships);
    const person: Person = {
      ...{ id: session.personId, realm: 'merchant', name, state: 'ACTIVE', roles: [], memberships },
      ...{ passkeys: 1, hasPassword: false, lastSignInAt: null, createdAt: 0 },
    };
    this.people.push(person);
    const page = memberBrowserOf(gateway, token);
    const call = async (method: string, path: string, body?: object, more: Record<string, string> = {}) => {
      const headers = { 'x-account': accountId, 'x-environment': 'live', ...more };
      const answer = await page(method, path, { headers, ...(body === undefined ? {} : { body }) });
      return { ...answer, body: answer.body as unknown as TeamAnswer };
    };
    const confirmed = async (method: string, path: string, body?: object, more: Record<string, string> = {}) => {
      const asked = await call(method, path, body, more);
      if (asked.body.error?.code !== 'STEP_UP_REQUIRED') return asked;
      return await call(method, path, body, { ...more, 'x-step-up': stepUpOf(asked.body.error.step_up_id) });
    };
    return { id: session.personId, person, call, confirmed };
  }
}

/** The members of answers that tests look at one by one. */
interface TeamAnswer {
  readonly approval: TeamApproval;
  readonly payout: Payout & { readonly external_id: string };
  readonly id: string;
  readonly data: readonly TeamApproval[];
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly step_up_id: string;
    readonly details: readonly { readonly path: string }[];
  };
}

export interface TeamApproval {
  readonly id: string;
  readonly state: string;
  readonly request_digest: string;
  readonly actions: readonly string[];
  readonly [member: string]: unknown;
}

export type TeamMember = ReturnType<ScriptedMoney['member']>;

/** An account whose limits of calls are no part of a test. */
export async function createShop(gateway: GatewayUnderTest, settings: object = {}): Promise<string> {
  const unlimited = { rate_limit: { per_second: 100_000, burst: 100_000 } };
  const body = { name: 'Loja', ...unlimited, ...settings };
  return (await gateway.asOperator('POST', '/ops/accounts', { body })).body.id;
}
