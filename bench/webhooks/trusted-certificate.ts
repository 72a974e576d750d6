import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCertificateAuthority } from '@gateway/test-kit';
import type { ServerCertificate } from './receivers.ts';

/** A certificate for localhost, and what makes a process trust who issued it. */
export interface TrustedCertificate extends Disposable {
  readonly certificate: ServerCertificate;
  readonly trustedBy: { readonly NODE_EXTRA_CA_CERTS: string };
}

/** Of an authority of this run's own, which only processes trust that are given its file. */
export function trustedCertificate(): TrustedCertificate {
  const directory = mkdtempSync(join(tmpdir(), 'gateway-bench-'));
  const authority = createCertificateAuthority('benchmark authority');
  const file = join(directory, 'authority.pem');
  writeFileSync(file, authority.cert);
  return {
    certificate: authority.issue(['localhost']),
    trustedBy: { NODE_EXTRA_CA_CERTS: file },
    [Symbol.dispose]: () => rmSync(directory, { recursive: true, force: true }),
  };
}
