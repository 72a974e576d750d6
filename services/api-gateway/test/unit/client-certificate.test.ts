import { X509Certificate } from 'node:crypto';
import { expect, test } from 'vitest';
import { ClientCertificates } from '#src/provider-webhooks/client-certificate.ts';

/** Of a key that was thrown away. */
const cert = `-----BEGIN CERTIFICATE-----
MIIBjjCCATOgAwIBAgIUc8A+UHlxhN8fX5lj4iC3igafakYwCgYIKoZIzj0EAwIw
GzEZMBcGA1UEAwwQcHJvdmlkZXIuZXhhbXBsZTAgFw0yNjExMjIwMjI3NTlaGA8y
MTI2MTAyOTAyMjc1OVowGzEZMBcGA1UEAwwQcHJvdmlkZXIuZXhhbXBsZTBZMBMG
ByqGSM49AgEGCCqGSM49AwEHA0IABAVRXrcg2j3wZ1KusSc4wzGvvm8Svbqc1AjM
6BsEnZUURCI0mzQotEIm+II013yMeCj2vXEVZzzMN08sxVk09fCjUzBRMB0GA1Ud
DgQWBBTyqmUsG0Tn30oKGzbM3Uib+vZKmzAfBgNVHSMEGDAWgBTyqmUsG0Tn30oK
GzbM3Uib+vZKmzAPBgNVHRMBAf8EBTADAQH/MAoGCCqGSM49BAMCA0kAMEYCIQCp
XcBf3LR3YFYONz+3uwSXR+yIFq7m5BygRlW7L7GkNQIhAKnlEpbQzTzmEPSu6U3z
WB7j0qR7BFD4B7MvBT44XUES
-----END CERTIFICATE-----
`;
const known = new X509Certificate(cert);
const rfc9440 = `:${known.raw.toString('base64')}:`;

function peer(value: string | undefined, remoteAddress: string, header: string | undefined) {
  const certificates = new ClientCertificates({ header, trustedProxies: ['10.0.0.0/8', 'fd00::/8'] });
  const request = { raw: { socket: { remoteAddress } }, headers: value === undefined ? {} : { 'client-cert': value } };
  return certificates.of(request as unknown as Parameters<ClientCertificates['of']>[0]);
}

test.each([
  ['as RFC 9440 writes it', rfc9440],
  ['as PEM, escaped', encodeURIComponent(cert)],
])('a client certificate is believed %s from a trusted proxy', (_how, value) => {
  expect(peer(value, '10.0.0.7', 'Client-Cert')).toEqual({
    subject: known.subject,
    fingerprint256: known.fingerprint256,
  });
  expect(peer(value, '::ffff:10.0.0.7', 'Client-Cert')).toBeDefined();
});

test.each([
  ['from anybody else', rfc9440, '203.0.113.9', 'Client-Cert'],
  ['where no header is configured', rfc9440, '10.0.0.7', undefined],
  ['that is none', ':AAAA:', '10.0.0.7', 'Client-Cert'],
  ['that is no escaped text', '%E0%A4%A', '10.0.0.7', 'Client-Cert'],
  ['that is missing', undefined, '10.0.0.7', 'Client-Cert'],
])('a client certificate %s is not believed', (_how, value, address, header) => {
  expect(peer(value, address, header)).toBeUndefined();
});
