import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const settings = `
[ tsa ]
default_tsa = one
[ one ]
serial = serial
signer_cert = signer.pem
signer_key = signer.key
signer_digest = sha256
default_policy = 1.2.3.4.1
digests = sha256
accuracy = secs:1
ess_cert_id_chain = no
ess_cert_id_alg = sha256
`;

export interface TimeStampAuthority {
  /** The file of the certificate that its tokens lead to. */
  readonly ca: string;
  /** An answer of RFC 3161 to a query, by openssl. */
  readonly answer: (query: Uint8Array) => Buffer;
}

/** A time stamping authority with a certificate of its own, as openssl has one. */
export function makeTimeStampAuthority(parent: string): TimeStampAuthority {
  const directory = mkdtempSync(join(parent, 'tsa-'));
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: directory, stdio: 'pipe' });
  writeFileSync(join(directory, 'tsa.cnf'), settings);
  writeFileSync(join(directory, 'serial'), '01');
  writeFileSync(join(directory, 'extensions'), 'extendedKeyUsage=critical,timeStamping\n');
  const ec = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  openssl('req', '-x509', ...ec, '-keyout', 'ca.key', '-out', 'ca.pem', '-subj', '/CN=Time CA', '-days', '2');
  openssl('req', ...ec, '-keyout', 'signer.key', '-out', 'signer.csr', '-subj', '/CN=Time');
  const issued = ['-req', '-in', 'signer.csr', '-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '2'];
  openssl('x509', ...issued, '-extfile', 'extensions', '-out', 'signer.pem');
  return {
    ca: join(directory, 'ca.pem'),
    answer: (query) => {
      writeFileSync(join(directory, 'query.tsq'), query);
      openssl('ts', '-reply', '-config', 'tsa.cnf', '-queryfile', 'query.tsq', '-out', 'answer.tsr');
      return readFileSync(join(directory, 'answer.tsr'));
    },
  };
}
