import { verifyWebhook } from '@gateway/sdk/webhooks';
import { signedHeaders } from '@gateway/sdk/testing';
import { type Command, type Flags, textFlag, textFlags } from '../command/command.ts';
import type { Session } from '../calls/session.ts';
import { ExpectationError, UsageError } from '../faults/errors.ts';
import { bytesOf, fileOf } from '../operations/body.ts';
import { checkedSecret, signingSecretOf } from '../settings/signing-secret.ts';
import { diagnose } from '../signing/diagnosis.ts';
import { headersOf } from '../signing/headers-file.ts';

const group = 'Webhooks on this machine';

const secretOption = {
  type: 'string',
  multiple: true,
  hint: '@FILE',
  about: 'A file with the whsec_…; without it GATEWAY_WEBHOOK_SECRET, else the secret that `listen` signs with.',
} as const;
const bodyOption = {
  type: 'string',
  hint: 'FILE',
  about: 'The body as it came, byte for byte; - for standard input.',
} as const;

export const signingCommands: readonly Command[] = [
  {
    words: ['verify'],
    ids: [],
    group,
    summary: 'Verifies a delivery, and says which part of it is false and why',
    details: 'Without network and without an account.',
    options: {
      secret: secretOption,
      headers: { type: 'string', hint: 'FILE', about: 'Lines `Name: value`, or a JSON object.' },
      body: bodyOption,
      tolerance: { type: 'string', hint: 'SECONDS', about: 'How far away the time of signing may be; 300.' },
      at: { type: 'string', hint: 'TIME', about: 'Unix seconds in place of the clock, for a delivery that was kept.' },
    },
    examples: ['gateway verify --secret @secret.txt --headers h.txt --body b.json'],
    run: async ({ session, flags }) => {
      const [headersFile, bodyFile] = [textFlag(flags, 'headers'), textFlag(flags, 'body')];
      if (headersFile === undefined || bodyFile === undefined) throw new UsageError('--headers and --body are needed');
      const delivery = {
        body: bytesOf(bodyFile),
        headers: headersOf(fileOf(headersFile)),
        secrets: secretsOf(session, flags),
        toleranceSec: numberFlag(flags, 'tolerance') ?? 300,
        now: numberFlag(flags, 'at') ?? Math.floor(Date.now() / 1_000),
      };
      const parts = await diagnose(delivery);
      const event = await verified(delivery);
      session.output.list(
        parts.map((part) => ({ ...part })),
        { valid: event !== undefined, event: event?.event ?? null, id: event?.id ?? null, parts },
        ['part', 'status', 'detail'],
      );
      const failed = parts.filter(({ status }) => status === 'failed');
      if (failed.length > 0 || event === undefined)
        throw new ExpectationError(
          failed.map(({ part, detail }) => `${part}: ${detail}`).join('; ') || 'it is no event',
        );
    },
  },
  {
    words: ['sign'],
    ids: [],
    group,
    summary: 'The headers by which the gateway would sign a body',
    details: 'Without network and without an account.',
    options: {
      secret: secretOption,
      body: bodyOption,
      id: { type: 'string', hint: 'evt_…', about: 'The id of the event; that of the body without it.' },
      at: { type: 'string', hint: 'TIME', about: 'Unix seconds in place of the clock.' },
    },
    examples: ['gateway sign --secret @secret.txt --body b.json > h.json'],
    run: async ({ session, flags }) => {
      const file = textFlag(flags, 'body');
      if (file === undefined) throw new UsageError('--body is needed');
      const body = bytesOf(file);
      const id = textFlag(flags, 'id') ?? idOf(body);
      if (id === undefined) throw new UsageError('the body has no id: --id names the event');
      const [secret = ''] = secretsOf(session, flags);
      const now = numberFlag(flags, 'at');
      const headers = await signedHeaders({ secret, id, body, ...(now === undefined ? {} : { now }) });
      if (session.output.form !== 'table') session.output.record(headers);
      else for (const [name, value] of Object.entries(headers)) session.output.line(`${name}: ${value}`);
    },
  },
];

/** What a receiver with the SDK makes of it. @returns undefined for what it refuses */
async function verified({ secrets, ...delivery }: Parameters<typeof diagnose>[0]) {
  try {
    return await verifyWebhook({ ...delivery, secret: secrets });
  } catch {
    return undefined;
  }
}

function secretsOf(session: Session, flags: Flags): readonly string[] {
  const given = textFlags(flags, 'secret');
  if (given.length === 0) return [signingSecretOf({ profile: textFlag(flags, 'profile') }, session.variables)];
  return given.map((each) => {
    if (each.startsWith('@')) return checkedSecret(fileOf(each.slice(1)).trim());
    session.output.talk('a secret that is typed stays in the history of the shell: --secret @FILE reads it');
    return checkedSecret(each);
  });
}

function numberFlag(flags: Flags, name: string): number | undefined {
  const text = textFlag(flags, name);
  if (text === undefined) return undefined;
  if (!/^\d{1,12}$/.test(text)) throw new UsageError(`--${name} is a whole number`);
  return Number(text);
}

function idOf(body: Uint8Array): string | undefined {
  try {
    const { id } = JSON.parse(new TextDecoder().decode(body)) as { readonly id?: unknown };
    return typeof id === 'string' ? id : undefined;
  } catch {
    return undefined;
  }
}
