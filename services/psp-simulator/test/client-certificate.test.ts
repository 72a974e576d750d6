import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bacenProvider, type BacenConfig } from '@gateway/providers';
import { createCertificateAuthority } from '@gateway/test-kit';

const { cert, key } = createCertificateAuthority().issue(['gateway']);
const ends = new X509Certificate(cert).validToDate;

async function endOf(tls: BacenConfig['tls']): Promise<Date | undefined> {
  const config: BacenConfig = {
    ...{ id: 'sicredi', baseUrl: new URL('http://127.0.0.1:1/'), tokenUrl: new URL('http://127.0.0.1:1/token') },
    ...{ clientId: 'client', clientSecret: 'secret', receivingKey: 'recebimentos@example.com', callTimeoutMs: 1_000 },
    notifications: { secret: 'simulator-notification-secret' },
    tls,
  };
  await using provider = bacenProvider(config, { now: () => new Date() });
  return provider.certificateEndsAt;
}

/** As providers hand it out. */
function pkcs12(passphrase: string): string {
  const directory = mkdtempSync(join(tmpdir(), 'client-certificate-'));
  try {
    const at = (name: string) => join(directory, name);
    writeFileSync(at('cert.pem'), cert);
    writeFileSync(at('key.pem'), key);
    const files = ['-inkey', at('key.pem'), '-in', at('cert.pem'), '-out', at('own.p12')];
    execFileSync('openssl', ['pkcs12', '-export', ...files, '-passout', `pass:${passphrase}`]);
    return readFileSync(at('own.p12')).toString('base64');
  } finally {
    rmSync(directory, { recursive: true });
  }
}

test('when the certificate ends that a provider is shown is read of it, as PEM and as PKCS #12', async () => {
  expect(await endOf({ certificate: cert, privateKey: key })).toEqual(ends);
  expect(await endOf({ pkcs12: pkcs12('of the bank'), passphrase: 'of the bank' })).toEqual(ends);
});

test('a provider without a certificate, or with one that cannot be read, has no end of it', async () => {
  expect(await endOf(undefined)).toBeUndefined();
  expect(await endOf({ authority: cert })).toBeUndefined();
  expect(await endOf({ pkcs12: Buffer.from('none').toString('base64'), passphrase: 'x' })).toBeUndefined();
  expect(await endOf({ pkcs12: pkcs12('one'), passphrase: 'another' })).toBeUndefined();
});
