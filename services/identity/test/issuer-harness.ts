import { afterAll, beforeAll, beforeEach } from 'vitest';
import {
  acceptInvitation,
  beginIssuerSignIn,
  beginPasskey,
  confirmInvitation,
  createInvitation,
  finishIssuerSignIn,
  listSignIns,
} from '@gateway/contracts/identity';
import { acrOfTwoFactors, issuerClient, LocalIssuer } from '@gateway/test-kit/issuer';
import type { IssuerSettings } from '#src/config.ts';
import { Authenticator } from './authenticator.ts';
import { client, digestOf, Identity, origins, type Enrolled } from './harness.ts';

export const realm = 'operator' as const;
export const callback = `${origins.operator}/session/issuer/callback`;

/** Operators, and a real issuer at which they may sign in. */
class IssuerOfOperators implements AsyncDisposable {
  readonly issuer: LocalIssuer;
  readonly settings: IssuerSettings;
  readonly identity: Identity;
  /** An operator who invites. */
  ana!: Enrolled;

  private constructor(issuer: LocalIssuer, settings: IssuerSettings, identity: Identity) {
    [this.issuer, this.settings, this.identity] = [issuer, settings, identity];
  }

  static async open(): Promise<IssuerOfOperators> {
    const issuer = await LocalIssuer.open();
    issuer.sendBackTo(callback);
    const settings = {
      ...{ url: issuer.url, clientId: issuerClient.id, clientSecret: issuerClient.secret, redirectUrl: callback },
      ...{ name: 'Local Issuer', acrValues: [acrOfTwoFactors] },
    };
    return new IssuerOfOperators(issuer, settings, await Identity.open({ operator: settings, merchant: null }));
  }

  async clear(): Promise<void> {
    const { issuer, identity } = this;
    await identity.clear();
    // Tokens of the issuer have the time of this machine.
    identity.at = new Date();
    [issuer.subject, issuer.amr, issuer.acr] = ['248289761001', ['pwd', 'mfa'], undefined];
    [issuer.forged, issuer.strangeKey] = [{}, undefined];
    this.ana = await identity.operator('ana');
  }

  async begin(invitation: string | null = null) {
    const invitationDigest = invitation === null ? null : digestOf(invitation);
    return await this.identity.ask(beginIssuerSignIn, { realm, invitationDigest, client });
  }

  async finish(token: string, answer: string) {
    return await this.identity.ask(finishIssuerSignIn, { realm, tokenDigest: digestOf(token), answer, client });
  }

  async signIn() {
    const { url, token } = await this.begin();
    return await this.finish(token, await this.issuer.visit(url));
  }

  async invite(name: string) {
    const rights = { roles: ['treasurer' as const], membership: null };
    return await this.identity.ask(createInvitation, { realm, name, ...rights, by: this.ana.id });
  }

  async history() {
    return (await this.identity.ask(listSignIns, { realm, limit: 20 })).signIns;
  }

  /** Why the last one was refused. */
  async refusal(): Promise<string | null | undefined> {
    return (await this.history()).find(({ outcome }) => outcome === 'refused')?.detail;
  }

  /** How often a person has signed in at the issuer. */
  async signedIn(): Promise<number> {
    const signIns = await this.history();
    return signIns.filter(({ what, outcome }) => what === 'sign_in.issuer' && outcome === 'done').length;
  }

  /** Signs in at the issuer by the link: what enrolling by it is to bring back. */
  async bindingOf(token: string): Promise<string> {
    const begun = await this.begin(token);
    const bound = await this.finish(begun.token, await this.issuer.visit(begun.url));
    if (bound.outcome !== 'bound') throw new Error(`it is ${bound.outcome}`);
    return bound.bindingId;
  }

  async enrol(token: string, name: string, bindingId: string): Promise<Enrolled> {
    const { identity } = this;
    const device = new Authenticator(origins[realm]);
    const holder = { invitationDigest: digestOf(token) };
    const { challengeId, options } = await identity.ask(beginPasskey, { realm, holder });
    const credential = { kind: 'passkey', answer: device.create(options), label: `key of ${name}` } as const;
    const accepting = { realm, tokenDigest: digestOf(token), challengeId, bindingId, credential, client };
    const { invitation, recoveryCodes } = await identity.ask(acceptInvitation, accepting);
    return { realm, id: invitation.personId!, name, device, recoveryCodes };
  }

  /** An operator who has signed in at the issuer when it was invited. */
  async bound(name = 'carla'): Promise<Enrolled> {
    const { invitation, token } = await this.invite(name);
    const person = await this.enrol(token, name, await this.bindingOf(token));
    await this.identity.ask(confirmInvitation, { realm, invitationId: invitation.id, by: this.ana.id });
    return person;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.identity[Symbol.asyncDispose]();
    await this.issuer[Symbol.asyncDispose]();
  }
}

/** One for a file of tests, empty before each of them. */
export function useIssuer(): () => IssuerOfOperators {
  let opened: IssuerOfOperators | undefined;
  const current = () => {
    if (!opened) throw new Error('it is not open yet');
    return opened;
  };
  beforeAll(async () => {
    opened = await IssuerOfOperators.open();
  });
  beforeEach(async () => current().clear());
  afterAll(async () => opened?.[Symbol.asyncDispose]());
  return current;
}
