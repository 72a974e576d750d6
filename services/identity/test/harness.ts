import { createHash, randomBytes } from 'node:crypto';
import { generate } from 'otplib';
import { expect } from 'vitest';
import * as contracts from '@gateway/contracts/identity';
import { DomainError } from '@gateway/contracts/errors';
import type { ReplyOf, RequestOf, RpcContract } from '@gateway/contracts/messages';
import { newId } from '@gateway/money';
import type { Database } from '@gateway/persistence';
import { SecretBox } from '@gateway/runtime';
import { createTestDatabase, eventually } from '@gateway/test-kit';
import type { IssuersOfRealms } from '#src/config.ts';
import { bootstrapAdmin } from '#src/invitations/bootstrap-admin.ts';
import { Issuers } from '#src/issuers/issuers.ts';
import { migrations } from '#src/migrations/migrations.ts';
import { PasswordHashes } from '#src/passwords/password-hashes.ts';
import { rpcRoutes } from '#src/rpc.ts';
import { Authenticator } from './authenticator.ts';

const { operatorRoleSchema } = contracts;
type Realm = contracts.Realm;
type OperatorRole = contracts.OperatorRole;

export const origins: Readonly<Record<Realm, string>> = {
  operator: 'https://ops.example.com',
  merchant: 'https://console.example.com',
};
export const client = { address: '203.0.113.7', userAgent: 'test' };
export const password = 'correct horse battery staple';
export const accountId = newId('account');

/** A person who has enrolled a passkey and may sign in. */
export interface Enrolled {
  readonly realm: Realm;
  readonly id: string;
  readonly name: string;
  readonly device: Authenticator;
  readonly recoveryCodes: readonly string[];
}

/** Identity's operations as the bus calls them, on a real database, with a clock that the test moves. */
export class Identity implements AsyncDisposable {
  readonly database: Database;
  readonly signals: { subject: string; payload: object }[] = [];
  readonly passwords = new PasswordHashes();
  at = new Date('2026-03-02T12:00:00Z');
  readonly #routes: ReturnType<typeof rpcRoutes>;
  readonly #disposed: AsyncDisposable;

  private constructor(database: Database, disposed: AsyncDisposable, issuers: IssuersOfRealms) {
    this.database = database;
    this.#disposed = disposed;
    this.#routes = rpcRoutes({
      database,
      box: new SecretBox([randomBytes(32)], { openedMax: 0 }),
      config: {
        OPERATOR_CONSOLE_URL: origins.operator,
        CONSOLE_URL: origins.merchant,
        PASSKEYS_FOR_MONEY: 2,
        DEV_LOGIN: true,
      },
      signal: (subject, payload) => void this.signals.push({ subject, payload }),
      passwords: this.passwords,
      issuers: new Issuers(issuers),
      now: () => this.at,
    });
  }

  static async open(issuers: IssuersOfRealms = { operator: null, merchant: null }): Promise<Identity> {
    const testDatabase = await createTestDatabase('identity', { migrations });
    return new Identity(testDatabase.database, testDatabase, issuers);
  }

  /** Everything is as before the first person. */
  async clear(): Promise<void> {
    await this.database.query(
      'truncate person, granted, challenge, issuer_request, step_up, invitation, service_token, attempts, sign_in cascade',
    );
    this.signals.length = 0;
    this.at = new Date('2026-03-02T12:00:00Z');
  }

  pass(seconds: number): void {
    this.at = new Date(this.at.getTime() + seconds * 1_000);
  }

  async ask<C extends RpcContract>(contract: C, request: RequestOf<C>): Promise<ReplyOf<C>> {
    const route = this.#routes.find((each) => each.contract.subject === contract.subject);
    if (!route) throw new Error(`nothing answers ${contract.subject}`);
    const call = { signal: new AbortController().signal, timeoutMs: 5_000 };
    const reply = await route.handle(contract.request.parse(request) as never, call);
    return contract.reply.parse(reply) as ReplyOf<C>;
  }

  /** One statement waits for a lock that another transaction holds. */
  async oneWaits(): Promise<void> {
    await eventually(async () => {
      const waiting = await this.database.query(
        "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      );
      expect(waiting).toHaveLength(1);
    });
  }

  /** The code of the refusal, or `answered`. */
  async codeOf(answer: Promise<unknown>): Promise<string> {
    try {
      await answer;
      return 'answered';
    } catch (error) {
      if (error instanceof DomainError) return error.code;
      throw error;
    }
  }

  /** Accepts a link with a new passkey. */
  async enrol(
    realm: Realm,
    token: string,
    name: string,
    device = new Authenticator(origins[realm]),
  ): Promise<Enrolled> {
    const holder = { invitationDigest: digestOf(token) };
    const { challengeId, options } = await this.ask(contracts.beginPasskey, { realm, holder });
    const credential = { kind: 'passkey', answer: device.create(options), label: `key of ${name}` } as const;
    const accepting = { realm, tokenDigest: digestOf(token), challengeId, credential, client };
    const { invitation, recoveryCodes } = await this.ask(contracts.acceptInvitation, accepting);
    return { realm, id: invitation.personId!, name, device, recoveryCodes };
  }

  async bootstrap(name: string, breakGlass = true): Promise<Enrolled> {
    const dependencies = { database: this.database, now: () => this.at };
    const { token } = await bootstrapAdmin(dependencies, { name, breakGlass });
    return await this.enrol('operator', token, name);
  }

  /** An active operator whom none of the other people has let in. */
  async operator(name: string, roles: readonly OperatorRole[] = operatorRoleSchema.options): Promise<Enrolled> {
    const person = await this.bootstrap(name);
    await this.database.query('update person set roles = $2 where id = $1', [person.id, roles]);
    return person;
  }

  async merchant(name: string, roles: readonly contracts.MerchantRole[] = ['owner'], by?: Enrolled): Promise<Enrolled> {
    const membership = { accountId, roles: [...roles], environments: ['live' as const, 'test' as const] };
    const inviter = by?.id ?? 'bootstrap';
    const invited = { realm: 'merchant', name, membership, by: inviter } as const;
    const { invitation, token } = await this.ask(contracts.createInvitation, invited);
    const enrolled = await this.enrol('merchant', token, name);
    const confirmed = { realm: 'merchant', invitationId: invitation.id, by: inviter } as const;
    await this.ask(contracts.confirmInvitation, confirmed);
    return enrolled;
  }

  async signIn({ realm, device }: Pick<Enrolled, 'realm' | 'device'>, from = client) {
    const { challengeId, options } = await this.ask(contracts.beginSignIn, { realm, client: from });
    const answer = device.get(options);
    return await this.ask(contracts.finishSignIn, { realm, challengeId, answer, client: from });
  }

  async resolve(realm: Realm, token: string, active = true) {
    return await this.ask(contracts.resolveSession, { realm, tokenDigest: digestOf(token), active });
  }

  /** Gives a person a password with codes; answers the secret of the codes. */
  async setPassword(person: Enrolled): Promise<string> {
    const { session } = await this.signIn(person);
    const { realm } = person;
    const begun = await this.ask(contracts.beginTotp, { realm, holder: { sessionId: session.id } });
    const code = await this.code(begun.secret);
    const set = { realm, sessionId: session.id, challengeId: begun.challengeId, password, code };
    await this.ask(contracts.setPassword, set);
    this.pass(60);
    return begun.secret;
  }

  async code(secret: string): Promise<string> {
    return await generate({ secret, epoch: Math.floor(this.at.getTime() / 1_000) });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.passwords[Symbol.dispose]();
    await this.#disposed[Symbol.asyncDispose]();
  }
}

export function digestOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
