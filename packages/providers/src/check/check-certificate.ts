import { X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import type { ClientTls } from '#src/http/provider-client.ts';
import { failed, ok, type CheckStep } from '#src/check/check-step.ts';

const dayMs = 24 * 60 * 60 * 1_000;
/** A certificate that ends sooner than this is reported: a provider takes days to issue the next one. */
const renewBeforeDays = 30;

const name = 'client certificate';

/** Whether the certificate can be used at all: read, matched with its key, and in force. No connection is made. */
export function checkCertificate(tls: ClientTls, now: Date): CheckStep {
  const { certificate, privateKey, pkcs12, passphrase } = tls;
  if (pkcs12 === undefined && (certificate === undefined || privateKey === undefined)) {
    return failed(name, 'tls has neither pkcs12 nor both certificate and privateKey: nothing is presented');
  }
  try {
    createSecureContext({
      ...(pkcs12 === undefined ? { cert: certificate, key: privateKey } : { pfx: Buffer.from(pkcs12, 'base64') }),
      ...(passphrase === undefined ? {} : { passphrase }),
    });
  } catch (error) {
    return failed(name, unusable(error));
  }
  if (certificate === undefined) return ok(name, 'the PKCS #12 opens with its passphrase');
  const { subject, validFromDate, validToDate } = new X509Certificate(certificate);
  const who = subject.replaceAll('\n', ', ');
  const until = validToDate.toISOString().slice(0, 10);
  if (validFromDate > now) return failed(name, `${who} is in force from ${validFromDate.toISOString()} on`);
  if (validToDate <= now) return failed(name, `${who} ended on ${until}: ask the provider for a new one`);
  const days = Math.floor((validToDate.getTime() - now.getTime()) / dayMs);
  if (days < renewBeforeDays) return ok(name, `${who}, until ${until}: ${days} days are left, ask for a new one now`);
  return ok(name, `${who}, until ${until}`);
}

/** OpenSSL's reasons, in words; its own message may quote what it was given. */
function unusable(error: unknown): string {
  const code = error instanceof Error ? ((error as NodeJS.ErrnoException).code ?? '') : '';
  const text = error instanceof Error ? error.message : '';
  if (/mismatch/i.test(code + text)) return 'privateKey does not belong to certificate';
  if (/mac verify|bad decrypt|password/i.test(code + text)) return 'passphrase does not open it';
  return `it cannot be read (${code === '' ? 'no PEM, or no PKCS #12' : code}): export it again from the provider`;
}
