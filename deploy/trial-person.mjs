// A person of the trial: what somebody does in a browser with two passkeys, from the link of an invitation on. The passkeys
// are software (WebAuthn Level 3, 6: ES256, resident, attestation none) and end with this process. Plain JavaScript.

import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

const callTimeoutMs = 10_000;
const flags = { presentAndVerified: 0x05, withCredential: 0x40 };

/**
 * Enrols by the link of an invitation, signs in, and adds a second passkey, as many as permissions about money take.
 *
 * @param {string} link as the command of identity prints it; its origin is where the person signs in
 * @param {() => Promise<unknown>} confirm what who invited the person does once it has enrolled; nobody invited the first admins
 */
export async function enrolledPerson(link, confirm = () => Promise.resolve()) {
  const { origin, hash } = new URL(link);
  const person = new TrialPerson(origin);
  await person.enrol(hash.slice(1), confirm);
  return person;
}

/**
 * The first owner of an account, whom two operators invite, and who works in its live environment.
 *
 * @param {string} accountId of an account without people
 * @param {readonly [TrialPerson, TrialPerson]} operators who proposes and confirms, and who approves
 */
export async function firstOwner(accountId, [proposer, approver]) {
  const path = `/ops/accounts/${accountId}/first-owner`;
  const { approval } = await proposer.call('POST', path, { name: 'olga.dias' });
  const { outcome } = (await approver.call('POST', `/ops/approvals/${approval.id}/approve`)).approval;
  const invited = { invitation_id: outcome.invitation_id };
  const owner = await enrolledPerson(outcome.invitation_url, () => proposer.call('POST', `${path}/confirm`, invited));
  owner.workplace = { 'x-account': accountId, 'x-environment': 'live' };
  return owner;
}

class TrialPerson {
  #origin;
  #passkeys = [];
  /** Of the session, `name=value`. */
  cookie = '';
  /** Headers of a person of merchants: the account, and its environment. */
  workplace = {};

  constructor(origin) {
    this.#origin = origin;
  }

  async enrol(token, confirm) {
    const { challenge_id, options } = await this.call('POST', '/invitations/passkey', { token });
    const credential = { kind: 'passkey', answer: this.#create(options), label: 'trial' };
    await this.call('POST', '/invitations/accept', { token, challenge_id, credential });
    await confirm();
    await this.signIn();
    const second = await this.call('POST', '/passkeys/begin');
    const answer = this.#create(second.options);
    await this.call('POST', '/passkeys', { challenge_id: second.challenge_id, answer, label: 'trial, the second' });
    // The session from before may be remembered for a second with what it had then.
    await this.signIn();
  }

  async signIn() {
    const { challenge_id, options } = await this.call('POST', '/session/passkey/begin');
    await this.call('POST', '/session/passkey', { challenge_id, answer: this.#get(options) });
  }

  /** Calls as a page of the console does, and confirms with a passkey what is to be confirmed. */
  async call(method, path, body) {
    const answer = await this.#send(method, path, body);
    const asked = answer.body.error?.code === 'STEP_UP_REQUIRED' ? answer.body.error : undefined;
    const { status, body: shown } = asked ? await this.#send(method, path, body, this.#confirmation(asked)) : answer;
    if (status >= 400) throw new Error(`${path} answered ${status}: ${JSON.stringify(shown)}`);
    return shown;
  }

  async #send(method, path, body, headers = {}) {
    const page = { origin: this.#origin, 'sec-fetch-site': 'same-origin', 'x-console': '1', ...this.workplace };
    const answer = await fetch(`${this.#origin}${path}`, {
      method,
      headers: { ...page, 'content-type': 'application/json', cookie: this.cookie, ...headers },
      body: method === 'GET' ? undefined : JSON.stringify(body ?? {}),
      signal: AbortSignal.timeout(callTimeoutMs),
    });
    const [set] = answer.headers.getSetCookie();
    if (set !== undefined) [this.cookie] = set.split(';');
    const text = await answer.text();
    return { status: answer.status, body: text.startsWith('{') ? JSON.parse(text) : {} };
  }

  #confirmation({ step_up_id, step_up_passkey }) {
    const answer = { kind: 'passkey', passkey: this.#get(JSON.parse(step_up_passkey)) };
    return { 'x-step-up': encoded(JSON.stringify({ stepUpId: step_up_id, answer })) };
  }

  #create({ rp, user, challenge }) {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const passkey = { id: randomBytes(32), rpId: rp.id, userHandle: user.id, privateKey, counter: 0 };
    this.#passkeys.push(passkey);
    const { x, y } = publicKey.export({ format: 'jwk' });
    // CBOR of a COSE key, and of an attestation object whose statement is empty.
    const point = (label, text) => [Buffer.from([label, 0x58, 32]), Buffer.from(text, 'base64url')];
    const key = [Buffer.from([0xa5, 1, 2, 3, 0x26, 0x20, 1]), ...point(0x21, x), ...point(0x22, y)];
    const credential = [Buffer.alloc(16), Buffer.from([0, passkey.id.length]), passkey.id, ...key];
    const data = Buffer.concat([authenticatorData(passkey, flags.withCredential), ...credential]);
    const text = (value) => Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)]);
    const members = [text('fmt'), text('none'), text('attStmt'), Buffer.from([0xa0]), text('authData')];
    const attestation = Buffer.concat([Buffer.from([0xa3]), ...members, Buffer.from([0x58, data.length]), data]);
    const clientDataJSON = this.#clientData('webauthn.create', challenge);
    return answerOf(passkey, { clientDataJSON, attestationObject: encoded(attestation), transports: [] });
  }

  /** By the first that is allowed; where none is named, by the first of all. */
  #get({ challenge, allowCredentials = [] }) {
    const allowed = allowCredentials.map(({ id }) => id);
    const passkey = this.#passkeys.find(({ id }) => allowed.length === 0 || allowed.includes(encoded(id)));
    passkey.counter += 1;
    const data = authenticatorData(passkey);
    const clientDataJSON = this.#clientData('webauthn.get', challenge);
    const signed = Buffer.concat([data, sha256(Buffer.from(clientDataJSON, 'base64url'))]);
    const signature = encoded(sign('sha256', signed, passkey.privateKey));
    const { userHandle } = passkey;
    return answerOf(passkey, { clientDataJSON, authenticatorData: encoded(data), signature, userHandle });
  }

  #clientData(type, challenge) {
    return encoded(JSON.stringify({ type, challenge, origin: this.#origin, crossOrigin: false }));
  }
}

function authenticatorData({ rpId, counter }, more = 0) {
  const count = Buffer.alloc(4);
  count.writeUInt32BE(counter);
  return Buffer.concat([sha256(rpId), Buffer.from([flags.presentAndVerified | more]), count]);
}

function answerOf({ id }, response) {
  return { id: encoded(id), rawId: encoded(id), type: 'public-key', clientExtensionResults: {}, response };
}

function encoded(bytes) {
  return Buffer.from(bytes).toString('base64url');
}

function sha256(bytes) {
  return createHash('sha256').update(bytes).digest();
}
