import { createHash, createHmac, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { expect } from 'vitest';
import { newId } from '@gateway/money';
import { eventually } from '@gateway/test-kit';
import type { Edge } from './edge.ts';
import type { Answer } from './merchant-client.ts';

type Options = Readonly<Record<string, unknown>>;

const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest();
const flags = { presentAndVerified: 0x05, withCredential: 0x40 };

/** A device with one passkey (WebAuthn Level 3, 6): ES256, resident, attestation none. */
class Device {
  readonly #origin: string;
  readonly #id = randomBytes(32);
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  #userHandle = '';
  #counter = 0;

  constructor(origin: string) {
    this.#origin = origin;
  }

  create({ user, challenge }: Options) {
    this.#userHandle = (user as { readonly id: string }).id;
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' });
    // CBOR of a COSE key, and of an attestation object whose statement is empty.
    const point = (label: number, text: string) => [Buffer.from([label, 0x58, 32]), Buffer.from(text, 'base64url')];
    const key = [Buffer.from([0xa5, 1, 2, 3, 0x26, 0x20, 1]), ...point(0x21, x), ...point(0x22, y)];
    const credential = Buffer.concat([Buffer.alloc(16), Buffer.from([0, 32]), this.#id, ...key]);
    const data = Buffer.concat([this.#authenticatorData(flags.withCredential), credential]);
    const text = (value: string) => Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)]);
    const members = [text('fmt'), text('none'), text('attStmt'), Buffer.from([0xa0]), text('authData')];
    const attestation = Buffer.concat([Buffer.from([0xa3]), ...members, Buffer.from([0x58, data.length]), data]);
    const clientDataJSON = this.#clientData('webauthn.create', challenge);
    return this.#answer({ clientDataJSON, attestationObject: attestation.toString('base64url'), transports: [] });
  }

  get({ challenge }: Options) {
    this.#counter += 1;
    const data = this.#authenticatorData();
    const clientDataJSON = this.#clientData('webauthn.get', challenge);
    const signed = Buffer.concat([data, sha256(Buffer.from(clientDataJSON, 'base64url'))]);
    const signature = sign('sha256', signed, this.#keys.privateKey).toString('base64url');
    const authenticatorData = data.toString('base64url');
    return this.#answer({ clientDataJSON, authenticatorData, signature, userHandle: this.#userHandle });
  }

  #authenticatorData(more = 0): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.#counter);
    return Buffer.concat([sha256('localhost'), Buffer.from([flags.presentAndVerified | more]), counter]);
  }

  #clientData(type: string, challenge: unknown): string {
    const data = { type, challenge, origin: this.#origin, crossOrigin: false };
    return Buffer.from(JSON.stringify(data)).toString('base64url');
  }

  #answer(response: object) {
    const id = this.#id.toString('base64url');
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response };
  }
}

/** A browser on a page of a console: it keeps the cookie, and has a passkey once one is added. */
export class OperatorBrowser {
  readonly #url: string;
  readonly #origin: string;
  readonly device: Device;
  cookie = '';

  constructor(opsUrl: string, device?: Device) {
    this.#url = opsUrl;
    this.#origin = `http://localhost:${new URL(opsUrl).port}`;
    this.device = device ?? new Device(this.#origin);
  }

  async call(method: string, path: string, body?: object, headers: Record<string, string> = {}): Promise<Answer> {
    const page = { origin: this.#origin, 'sec-fetch-site': 'same-origin', 'x-console': '1' };
    const answer = await fetch(`${this.#url}${path}`, {
      ...{ method, headers: { ...page, 'content-type': 'application/json', cookie: this.cookie, ...headers } },
      ...(method === 'GET' ? {} : { body: JSON.stringify(body ?? {}) }),
    });
    const [set] = answer.headers.getSetCookie();
    if (set !== undefined) [this.cookie = ''] = set.split(';');
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, text, body: text.startsWith('{') ? JSON.parse(text) : {} };
  }

  /** The header that confirms what an answer asked for. */
  confirmationOf({ body: { error } }: Answer): Record<string, string> {
    const passkey = this.device.get(JSON.parse(error.step_up_passkey));
    const given = { stepUpId: error.step_up_id, answer: { kind: 'passkey', passkey } };
    return { 'x-step-up': Buffer.from(JSON.stringify(given)).toString('base64url') };
  }

  /** Calls, and confirms what it is asked to. */
  async confirmed(method: string, path: string, body?: object, headers: Record<string, string> = {}): Promise<Answer> {
    const asked = await this.call(method, path, body, headers);
    expect(asked.body.error?.code).toBe('STEP_UP_REQUIRED');
    return await this.call(method, path, body, { ...headers, ...this.confirmationOf(asked) });
  }
}

/** A person with these roles who has signed in by a link of a developer's machine, and has added a passkey. */
export async function signedInOperator(edge: Edge, name: string, roles: readonly string[]): Promise<OperatorBrowser> {
  const { token } = await invited(edge, 'operator', name, roles);
  return await signedInBy(token, new OperatorBrowser(edge.stack.opsUrl), name);
}

/** As `signedInOperator`, at the merchants' console: with roles in an account, in these environments. */
export async function signedInMember(
  edge: Edge,
  name: string,
  membership: {
    readonly accountId: string;
    readonly roles: readonly string[];
    readonly environments: readonly string[];
  },
): Promise<OperatorBrowser & { readonly personId: string }> {
  const { token, id: personId } = await invited(edge, 'merchant', name, []);
  const { accountId, roles, environments } = membership;
  const identity = await edge.databaseOf('identity');
  await identity.query(
    `insert into membership (realm, person_id, account_id, roles, environments) values ('merchant', $1, $2, $3, $4)`,
    [personId, accountId, [...roles], [...environments]],
  );
  const browser = await signedInBy(token, new OperatorBrowser(edge.stack.consoleUrl), name);
  return Object.assign(browser, { personId });
}

async function invited(edge: Edge, realm: string, name: string, roles: readonly string[]) {
  const identity = await edge.databaseOf('identity');
  const [token, id] = [randomBytes(32).toString('base64url'), newId('person')];
  await identity.query(
    `insert into person (realm, id, name, state, roles, created_at) values ($1, $2, $3, 'ACTIVE', $4, now())`,
    [realm, id, name, [...roles]],
  );
  await identity.query(
    `insert into sign_in_link (realm, token_digest, person_id, ends_at) values ($1, $2, $3, now() + interval '1 hour')`,
    [realm, sha256(token), id],
  );
  return { token, id };
}

async function signedInBy(token: string, browser: OperatorBrowser, name: string): Promise<OperatorBrowser> {
  expect((await browser.call('POST', '/session/link', { token })).status).toBe(200);
  const { challenge_id, options } = (await browser.call('POST', '/passkeys/begin')).body;
  const adding = { challenge_id, answer: browser.device.create(options), label: `laptop of ${name}` };
  expect((await browser.call('POST', '/passkeys', adding)).status).toBe(201);
  await eventually(async () => expect((await browser.call('GET', '/session')).body.session.withheld).toEqual([]));
  return browser;
}

/** The time-based code (RFC 6238) of a secret in base 32, so many steps of 30 seconds from now. */
export function timedCode(secret: string, steps = 0): string {
  const bits = Array.from(secret, (letter) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  );
  const bytes = bits.join('').match(/.{8}/g) ?? [];
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + steps));
  const key = Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)));
  const mac = createHmac('sha1', key).update(counter).digest();
  const at = mac.readUInt8(mac.length - 1) % 16;
  return String((mac.readUInt32BE(at) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}
