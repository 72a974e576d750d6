import type { AuthenticationAnswer, Realm, RegistrationAnswer } from '@gateway/contracts/identity';
import { originOf, type Dependencies } from '#src/dependencies.ts';
import { challengeLifeSec } from '#src/passkeys/challenges.ts';
import type { PasskeyRow } from '#src/passkeys/passkey-row.ts';

type Options = Record<string, unknown>;

/** Loaded with the first passkey: two seconds and 30 MB, most of it for attestations, that a start need not take. */
const library = () => import('@simplewebauthn/server');
type Library = Awaited<ReturnType<typeof library>>;

interface Registering {
  readonly realm: Realm;
  readonly personId: string;
  readonly name: string;
  /** Credential ids of the person's passkeys: an authenticator makes no second one. */
  readonly existing: readonly string[];
}

/**
 * For `navigator.credentials.create`: a resident key, so that no name is typed, with the person verified by the
 * authenticator. Which make it is does not matter, so it is not asked.
 */
export async function registrationOptions(
  dependencies: Pick<Dependencies, 'config'>,
  { realm, personId, name, existing }: Registering,
): Promise<Options & { readonly challenge: string }> {
  const options = await (
    await library()
  ).generateRegistrationOptions({
    rpName: 'Gateway',
    rpID: domainOf(dependencies, realm),
    userName: name,
    userID: Buffer.from(personId),
    timeout: challengeLifeSec * 1_000,
    attestationType: 'none',
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    excludeCredentials: existing.map((id) => ({ id })),
  });
  return { ...options };
}

interface NewPasskey {
  readonly credentialId: Buffer;
  readonly publicKey: Buffer;
  readonly counter: number;
  readonly transports: readonly string[];
  readonly backedUp: boolean;
}

/** Null when the answer does not fit the challenge, the origin or itself, or the person was not verified. */
export async function verifiedRegistration(
  dependencies: Pick<Dependencies, 'config'>,
  {
    realm,
    challenge,
    answer,
  }: { readonly realm: Realm; readonly challenge: string; readonly answer: RegistrationAnswer },
): Promise<NewPasskey | null> {
  const verified = await (
    await library()
  )
    .verifyRegistrationResponse({
      response: withoutUndefined(answer) as unknown as Parameters<Library['verifyRegistrationResponse']>[0]['response'],
      expectedChallenge: challenge,
      expectedOrigin: originOf(dependencies, realm),
      expectedRPID: domainOf(dependencies, realm),
      requireUserVerification: true,
    })
    .catch(() => null);
  const info = verified?.registrationInfo;
  if (!info) return null;
  return {
    credentialId: Buffer.from(info.credential.id, 'base64url'),
    publicKey: Buffer.from(info.credential.publicKey),
    counter: info.credential.counter,
    transports: answer.response.transports ?? [],
    backedUp: info.credentialBackedUp,
  };
}

/** For `navigator.credentials.get`: any resident key of the realm, or those that are named. */
export async function authenticationOptions(
  dependencies: Pick<Dependencies, 'config'>,
  {
    realm,
    challenge,
    allowed,
  }: { readonly realm: Realm; readonly challenge?: Buffer; readonly allowed?: PasskeyRow[] },
): Promise<Options & { readonly challenge: string }> {
  const options = await (
    await library()
  ).generateAuthenticationOptions({
    rpID: domainOf(dependencies, realm),
    timeout: challengeLifeSec * 1_000,
    userVerification: 'required',
    ...(challenge ? { challenge: Uint8Array.from(challenge) } : {}),
    ...(allowed
      ? {
          allowCredentials: allowed.map((row) => ({
            id: row.credential_id.toString('base64url'),
            transports: row.transports,
          })),
        }
      : {}),
  });
  return { ...options };
}

/** The authenticator's new counter; null when the answer is not this passkey's to this challenge. */
export async function verifiedAuthentication(
  dependencies: Pick<Dependencies, 'config'>,
  given: {
    readonly realm: Realm;
    readonly challenge: string;
    readonly answer: AuthenticationAnswer;
    readonly passkey: PasskeyRow;
  },
): Promise<number | null> {
  const { realm, challenge, answer, passkey } = given;
  const { userHandle } = answer.response;
  if (userHandle !== undefined && Buffer.from(userHandle, 'base64url').toString() !== passkey.person_id) return null;
  const verified = await (
    await library()
  )
    .verifyAuthenticationResponse({
      response: withoutUndefined(answer) as unknown as Parameters<
        Library['verifyAuthenticationResponse']
      >[0]['response'],
      expectedChallenge: challenge,
      expectedOrigin: originOf(dependencies, realm),
      expectedRPID: domainOf(dependencies, realm),
      requireUserVerification: true,
      credential: {
        id: passkey.credential_id.toString('base64url'),
        publicKey: Uint8Array.from(passkey.public_key),
        counter: passkey.counter,
      },
    })
    .catch(() => null);
  return verified?.verified ? verified.authenticationInfo.newCounter : null;
}

function domainOf(dependencies: Pick<Dependencies, 'config'>, realm: Realm): string {
  return new URL(originOf(dependencies, realm)).hostname;
}

/** The library's types have members that are there or not, never undefined. */
function withoutUndefined(answer: object): object {
  return JSON.parse(JSON.stringify(answer)) as object;
}
