import { Duplex } from 'node:stream';
import { createSecureContext, TLSSocket } from 'node:tls';
import type { ClientTls } from '#src/http/provider-client.ts';

/**
 * When the certificate ends that we present to a provider, of PEM as of PKCS #12; undefined where none is presented, or it
 * cannot be read. No connection is made.
 */
export function certificateEnd(tls: ClientTls | undefined): Date | undefined {
  const { certificate: cert, privateKey: key, pkcs12, passphrase } = tls ?? {};
  if (pkcs12 === undefined && cert === undefined) return undefined;
  const presented = pkcs12 === undefined ? { cert, key } : { pfx: Buffer.from(pkcs12, 'base64') };
  // The socket leads nowhere: it is what Node lets the certificate of a context be read from.
  const nowhere = new Duplex({ read: () => undefined });
  try {
    const secureContext = createSecureContext({ ...presented, ...(passphrase === undefined ? {} : { passphrase }) });
    return new TLSSocket(nowhere, { secureContext }).getX509Certificate()?.validToDate;
  } catch {
    return undefined;
  } finally {
    nowhere.destroy();
  }
}
