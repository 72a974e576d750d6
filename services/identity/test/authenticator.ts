import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';
import type { AuthenticationAnswer, RegistrationAnswer } from '@gateway/contracts/identity';

const flags = { present: 0x01, verified: 0x04, credential: 0x40 };

interface Credential {
  readonly id: Buffer;
  readonly rpId: string;
  readonly userHandle: string;
  readonly key: KeyObject;
}

export interface Behaviour {
  /** Where the page is, as the browser writes it into what is signed. */
  readonly origin?: string;
  /** False: the person touched it, and was not verified. */
  readonly verifies?: boolean;
  /** Signs by this challenge instead of the one it is given. */
  readonly challenge?: string;
}

/** An authenticator in software (WebAuthn Level 3, 6): resident ES256 keys, a counter, attestation none. */
export class Authenticator {
  readonly #origin: string;
  readonly #credentials: Credential[] = [];
  counter = 0;

  constructor(origin: string) {
    this.#origin = origin;
  }

  /** Another one with the same keys and counter, as a thief who copied it has. */
  copy(): Authenticator {
    const copy = new Authenticator(this.#origin);
    copy.#credentials.push(...this.#credentials);
    copy.counter = this.counter;
    return copy;
  }

  create(options: Readonly<Record<string, unknown>>, behaviour: Behaviour = {}): RegistrationAnswer {
    const { rp, user, challenge } = options as {
      rp: { id: string };
      user: { id: string };
      challenge: string;
    };
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const credential = { id: randomBytes(32), rpId: rp.id, userHandle: user.id, key: privateKey };
    this.#credentials.push(credential);
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
    const point = (text: string) => Uint8Array.from(Buffer.from(text, 'base64url'));
    const cose = new Map<number, number | Uint8Array>([
      ...([
        [1, 2],
        [3, -7],
        [-1, 1],
      ] as const),
      ...([
        [-2, point(x)],
        [-3, point(y)],
      ] as const),
    ]);
    const length = Buffer.alloc(2);
    length.writeUInt16BE(credential.id.length);
    const authData = Buffer.concat([
      this.#authData(rp.id, flags.credential, behaviour),
      Buffer.alloc(16),
      length,
      credential.id,
      isoCBOR.encode(cose),
    ]);
    const attestation = new Map<string, unknown>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', Uint8Array.from(authData)],
    ]);
    return {
      ...identified(credential),
      response: {
        clientDataJSON: this.#clientData('webauthn.create', behaviour.challenge ?? challenge, behaviour),
        attestationObject: Buffer.from(isoCBOR.encode(attestation as never)).toString('base64url'),
        transports: ['internal'],
      },
    };
  }

  /** With the key that was made last and that the page asks for, as a person would choose. */
  get(options: Readonly<Record<string, unknown>>, behaviour: Behaviour = {}): AuthenticationAnswer {
    const { rpId, challenge, allowCredentials } = options as {
      rpId: string;
      challenge: string;
      allowCredentials?: { id: string }[];
    };
    const allowed = allowCredentials?.map(({ id }) => id);
    const credential = this.#credentials.findLast(
      (each) => each.rpId === rpId && (allowed?.includes(each.id.toString('base64url')) ?? true),
    );
    if (!credential) throw new Error('the authenticator has no key for this page');
    this.counter += 1;
    const authData = this.#authData(rpId, 0, behaviour);
    const clientDataJSON = this.#clientData('webauthn.get', behaviour.challenge ?? challenge, behaviour);
    const signed = Buffer.concat([authData, sha256(Buffer.from(clientDataJSON, 'base64url'))]);
    return {
      ...identified(credential),
      response: {
        clientDataJSON,
        authenticatorData: authData.toString('base64url'),
        signature: sign('sha256', signed, credential.key).toString('base64url'),
        userHandle: credential.userHandle,
      },
    };
  }

  #authData(rpId: string, more: number, { verifies = true }: Behaviour): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.counter);
    const flag = flags.present | (verifies ? flags.verified : 0) | more;
    return Buffer.concat([sha256(Buffer.from(rpId)), Buffer.from([flag]), counter]);
  }

  #clientData(type: string, challenge: string, { origin = this.#origin }: Behaviour): string {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false })).toString('base64url');
  }
}

function identified({ id }: Credential) {
  const text = id.toString('base64url');
  return { id: text, rawId: text, type: 'public-key', clientExtensionResults: {} } as const;
}

function sha256(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest();
}
