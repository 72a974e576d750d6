import { signedHeaders } from '@gateway/sdk/testing';

export type Headers = Readonly<Record<string, string>>;

/** What is known of one part of a delivery. */
export interface Finding {
  readonly part: string;
  readonly status: 'ok' | 'failed';
  readonly detail: string;
}

export interface Delivery {
  readonly body: Uint8Array;
  /** In lower case. */
  readonly headers: Headers;
  readonly secrets: readonly string[];
  readonly toleranceSec: number;
  /** Unix seconds. */
  readonly now: number;
}

/** The two schemes of signatures, each with the header of its time. */
const schemes = [
  { signature: 'x-gateway-signature', time: 'x-gateway-timestamp' },
  { signature: 'webhook-signature', time: 'webhook-timestamp' },
] as const;

/** Examines each part of a delivery by itself, and says of a false one what it is most likely of. */
export async function diagnose(delivery: Delivery): Promise<readonly Finding[]> {
  const { headers } = delivery;
  const present = schemes.filter(({ signature }) => headers[signature] !== undefined);
  if (present.length === 0)
    return [{ part: 'x-gateway-signature', status: 'failed', detail: 'missing, and so is webhook-signature' }];
  const findings: Finding[] = [];
  for (const { signature, time } of present) {
    findings.push(timeFinding(delivery, time));
    findings.push(await signatureFinding(delivery, signature, headers[time]));
  }
  if (headers['x-gateway-signature-next'] !== undefined)
    findings.push(await signatureFinding(delivery, 'x-gateway-signature-next', headers['x-gateway-timestamp']));
  return findings;
}

function timeFinding({ headers, toleranceSec, now }: Delivery, part: string): Finding {
  const text = headers[part];
  if (text === undefined) return { part, status: 'failed', detail: 'missing' };
  if (!/^\d{1,12}$/.test(text)) return { part, status: 'failed', detail: 'no Unix time in seconds' };
  const ageSec = Math.round(now - Number(text));
  const shown = ageSec >= 0 ? `signed ${ageSec} s ago` : `signed ${-ageSec} s in the future`;
  const isNear = Math.abs(ageSec) <= toleranceSec;
  const why = `more than ${toleranceSec} s away: a wrong clock, or a delivery that was kept (--at TIME verifies it)`;
  return { part, status: isNear ? 'ok' : 'failed', detail: isNear ? shown : `${shown}: ${why}` };
}

async function signatureFinding(delivery: Delivery, part: string, time: string | undefined): Promise<Finding> {
  const { body, headers, secrets } = delivery;
  const given = headers[part] ?? '';
  const form = part === 'webhook-signature' ? /(?:^| )v1,[A-Za-z0-9+/]{43}=(?: |$)/ : /^sha256=[0-9a-f]{64}$/;
  if (!form.test(given)) return { part, status: 'failed', detail: 'not of the form of a signature' };
  const isOf = async (bytes: Uint8Array, at: string | undefined) =>
    anyOf(secrets.map((secret) => isSignature(given, part, { secret, body: bytes, time: at, id: idOf(headers) })));
  if (await isOf(body, time)) return { part, status: 'ok', detail: 'of this body, this time and this secret' };
  for (const [what, other] of otherForms(body))
    if (await isOf(other, time))
      return {
        part,
        status: 'failed',
        detail: `the body was re-serialised: it was signed ${what}. Verify the raw bytes.`,
      };
  for (const { time: name } of schemes)
    if (headers[name] !== undefined && (await isOf(body, headers[name])))
      return { part, status: 'failed', detail: `the time was changed: it is signed for that of ${name}` };
  return { part, status: 'failed', detail: 'a wrong secret, or a body whose content was changed' };
}

function idOf(headers: Headers): string {
  return headers['webhook-id'] ?? headers['x-gateway-event-id'] ?? '';
}

async function anyOf(results: readonly Promise<boolean>[]): Promise<boolean> {
  return (await Promise.all(results)).includes(true);
}

/** Whether a header has the signature that a secret makes. Nothing is admitted by it: no time can be measured from afar. */
async function isSignature(
  given: string,
  part: string,
  { secret, body, time, id }: { secret: string; body: Uint8Array; time: string | undefined; id: string },
): Promise<boolean> {
  if (time === undefined || !/^\d{1,12}$/.test(time)) return false;
  const headers = await signedHeaders({ secret, body, id, now: Number(time) }).catch(() => undefined);
  const expected = headers?.[part === 'webhook-signature' ? part : 'x-gateway-signature'];
  return expected !== undefined && given.split(' ').includes(expected);
}

/** The same content as other programs write it. */
function otherForms(body: Uint8Array): [string, Uint8Array][] {
  const text = new TextDecoder().decode(body);
  const parsed = parsedOf(text);
  const forms: [string, string][] = [
    ['without the end of line behind it', text.replace(/\r?\n$/, '')],
    ['with line feeds alone', text.replaceAll('\r\n', '\n')],
  ];
  if (parsed !== undefined) forms.push(['as JSON without spaces', JSON.stringify(parsed)]);
  return forms
    .filter(([, form]) => form !== text)
    .map(([what, form]): [string, Uint8Array] => [what, new TextEncoder().encode(form)]);
}

function parsedOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
