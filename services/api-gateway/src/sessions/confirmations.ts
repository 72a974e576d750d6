import { createHash, hash, type Hash } from 'node:crypto';
import { Transform } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { DomainError } from '@gateway/contracts/errors';
import { beginStepUp, type Client, type Realm, useStepUp } from '@gateway/contracts/identity';
import { type Askable, callRpc } from '@gateway/messaging';
import type { Person } from '#src/http/principal.ts';
import { clientOf } from '#src/sessions/session-guard.ts';

const reasonCharactersMax = 500;
const targetCharactersMax = 440;
const targetBeginning = 380;

/** A person's request, as far as it is confirmed, and what it asks to see. */
export interface Asked {
  readonly client: Client;
  /** `X-Step-Up`: the id of a confirmation and its answer, as JSON in base64url. */
  readonly stepUp: string | undefined;
  /** `X-Reveal`: why the personal data of one record is asked for. */
  readonly reveal: string | undefined;
  readonly target: string;
  readonly bodyDigest: () => string;
}

const digests = new WeakMap<FastifyRequest, Hash>();

/** Computes the SHA-256 of each body as it is received. */
export function digestBodies(app: FastifyInstance): void {
  app.addHook('preParsing', (request, _reply, payload, done) => {
    const digest = createHash('sha256');
    digests.set(request, digest);
    const tap = new Transform({
      transform: (chunk: Buffer, _encoding, passed) => {
        digest.update(chunk);
        passed(null, chunk);
      },
    });
    payload.once('error', (error) => tap.destroy(error));
    done(null, payload.pipe(tap));
  });
}

export function askedIn(request: FastifyRequest): Asked {
  const { 'x-step-up': stepUp, 'x-reveal': reveal } = request.headers;
  return {
    client: clientOf(request),
    stepUp: typeof stepUp === 'string' ? stepUp : undefined,
    reveal: typeof reveal === 'string' ? reveal.slice(0, reasonCharactersMax) : undefined,
    target: targetOf(request.url),
    bodyDigest: () => digests.get(request)?.copy().digest('hex') ?? hash('sha256', ''),
  };
}

/** The address; of a long one the beginning and its SHA-256, so that no two are one target. */
function targetOf(url: string): string {
  return url.length <= targetCharactersMax ? url : `${url.slice(0, targetBeginning)}#${hash('sha256', url)}`;
}

/** An operation that a person of a realm is to confirm. */
export interface Confirmable {
  readonly realm: Realm;
  readonly operation: string;
  /** What beside the address it is done to: two accounts have the same addresses. */
  readonly within?: string;
  readonly asked: Asked;
  readonly person: Person;
}

const stepUpSchema = z.object({ stepUpId: useStepUp.request.shape.stepUpId, answer: useStepUp.request.shape.answer });

/** Uses the confirmation of a request up, if it has one. @throws DomainError STEP_UP_REQUIRED when it is for something else */
export async function confirmed(bus: Askable, confirmable: Confirmable): Promise<boolean> {
  const { asked, person } = confirmable;
  if (asked.stepUp === undefined) return false;
  const given = stepUpSchema.safeParse(jsonIn(asked.stepUp));
  if (!given.success) throw await challenge(bus, confirmable);
  const confirmation = { ...boundTo(confirmable), ...given.data, client: asked.client };
  const { rotatedToken } = await callRpc(bus, useStepUp, confirmation);
  person.keepToken(rotatedToken);
  return true;
}

/** What has to be confirmed: this operation, on this target, with this body, by this person. */
export async function challenge(bus: Askable, confirmable: Confirmable): Promise<DomainError> {
  const { stepUpId, options, password } = await callRpc(bus, beginStepUp, boundTo(confirmable));
  return new DomainError('STEP_UP_REQUIRED', 'confirm exactly this operation, and send it again', {
    extra: {
      step_up_id: stepUpId,
      ...(options ? { step_up_passkey: JSON.stringify(options) } : {}),
      ...(password ? { step_up_password: 'true' } : {}),
    },
  });
}

function boundTo({ realm, operation, within, asked, person: { sessionId } }: Confirmable) {
  const target = within === undefined ? asked.target : `${within} ${asked.target}`;
  return { realm, sessionId, operation, target, bodyDigest: asked.bodyDigest() };
}

function jsonIn(base64url: string): unknown {
  try {
    return JSON.parse(Buffer.from(base64url, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
}
