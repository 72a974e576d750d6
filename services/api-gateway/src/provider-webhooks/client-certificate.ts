import { X509Certificate } from 'node:crypto';
import { TLSSocket, type PeerCertificate } from 'node:tls';
import type { FastifyRequest } from 'fastify';
import type { ProviderNotification } from '@gateway/providers';
import { contains, parseAddress, parseRange, type AddressRange } from '@gateway/runtime/http';

type TlsPeer = NonNullable<ProviderNotification['tlsPeer']>;

export interface CertificateSource {
  /** In lower case; none: no header is believed. */
  readonly header?: string | undefined;
  readonly trustedProxies: readonly string[];
}

/**
 * Who holds the client certificate of a call: as our own TLS layer has verified it, or as a trusted proxy sends it in the
 * configured header: `Client-Cert` of RFC 9440 (`:base64 of DER:`), or PEM, escaped as in a URL. The proxy has to verify the
 * certificate, and to remove the header where a caller sends it.
 */
export class ClientCertificates {
  readonly #header: string | undefined;
  readonly #proxies: readonly AddressRange[];

  constructor({ header, trustedProxies }: CertificateSource) {
    this.#header = header?.toLowerCase();
    this.#proxies = trustedProxies.flatMap((proxy) => parseRange(proxy) ?? []);
  }

  of({ raw, headers }: Pick<FastifyRequest, 'raw' | 'headers'>): TlsPeer | undefined {
    const { socket } = raw;
    if (socket instanceof TLSSocket && socket.authorized) return ofSocket(socket.getPeerCertificate());
    const forwarded = this.#header === undefined ? undefined : headers[this.#header];
    if (typeof forwarded !== 'string' || !this.#isTrusted(socket.remoteAddress)) return undefined;
    return ofHeader(forwarded);
  }

  #isTrusted(remoteAddress: string | undefined): boolean {
    const address = remoteAddress === undefined ? undefined : parseAddress(remoteAddress);
    return address !== undefined && this.#proxies.some((proxy) => contains(proxy, address));
  }
}

function ofSocket({ raw }: Partial<PeerCertificate>): TlsPeer | undefined {
  return raw === undefined ? undefined : peerOf(raw);
}

const derInHeader = /^:([A-Za-z0-9+/]+={0,2}):$/;

function ofHeader(text: string): TlsPeer | undefined {
  const [, der] = derInHeader.exec(text.trim()) ?? [];
  if (der !== undefined) return peerOf(Buffer.from(der, 'base64'));
  try {
    return peerOf(decodeURIComponent(text));
  } catch {
    return undefined;
  }
}

function peerOf(certificate: Buffer | string): TlsPeer | undefined {
  try {
    const { subject, fingerprint256 } = new X509Certificate(certificate);
    return { subject, fingerprint256 };
  } catch {
    return undefined;
  }
}
