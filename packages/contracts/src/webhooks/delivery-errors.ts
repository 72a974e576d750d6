/** What one `error` of a delivery means: the single source of its docs. */
interface DeliveryErrorFacts {
  /** What the gateway met. */
  readonly meaning: string;
  /** What the owner of the receiver should do. */
  readonly action: string;
}

/**
 * Why a delivery did not arrive (webhooks.md 8), in the order of the steps of a call: its URL, the address of its name, the
 * connection, TLS, the answer; then why there was no call.
 */
export const deliveryErrorTable = {
  invalid_url: {
    meaning: 'The URL breaks a rule, so that nothing was called.',
    action: 'Register an https address with a public name.',
  },
  ssrf_blocked: {
    meaning: 'The name of the URL has an address that is not public, so that nothing was called.',
    action: 'Let the name point to a public address.',
  },
  dns_nxdomain: {
    meaning: 'The name of the URL does not exist.',
    action: 'Correct the URL, or add the name to your DNS.',
  },
  dns_timeout: {
    meaning: 'The DNS servers of the name did not answer in time.',
    action: 'Look at the DNS servers of your domain.',
  },
  dns_failed: {
    meaning: 'The DNS servers of the name answered with a failure, or have no address for it.',
    action: 'Look at the DNS records of the name.',
  },
  refused: {
    meaning: 'Nothing listens at the address and port.',
    action: 'Start the receiver, or correct the port of the URL.',
  },
  unreachable: {
    meaning: 'There is no way to the address.',
    action: 'Look at the network and the firewall of the receiver.',
  },
  connect_timeout: {
    meaning: 'No connection came about in time: a firewall drops it, or the machine is away.',
    action: 'Let the port be reached from the internet.',
  },
  tls_expired: {
    meaning: 'The certificate has expired, or is not valid yet.',
    action: 'Renew the certificate.',
  },
  tls_name: {
    meaning: 'The certificate is of another name.',
    action: 'Use a certificate that has the name of the URL.',
  },
  tls_other: {
    meaning:
      'No TLS connection came about: a certificate that is self-signed or misses its chain, or no common version.',
    action: 'Serve the whole chain of a public authority, by TLS 1.2 or later.',
  },
  reset: {
    meaning: 'The receiver took the connection and broke it off without an answer.',
    action: 'Look into the log of the receiver, or of the proxy in front of it.',
  },
  timeout_headers: {
    meaning: 'The receiver took the call and did not answer within 7 seconds.',
    action: 'Answer 2xx first, and do the work afterwards.',
  },
  protocol: {
    meaning: 'What came back is no answer of HTTP.',
    action: 'Look at what listens at the address and port, and whether it speaks HTTPS.',
  },
  http_3xx: {
    meaning: 'The receiver redirects, which no delivery follows.',
    action: 'Register the address that it redirects to.',
  },
  http_4xx: {
    meaning: 'The receiver refused the event.',
    action:
      'With 401 or 403 look at its secret, its clock and whether it verifies the raw body; with 404 or 405 at the path of the URL.',
  },
  http_5xx: {
    meaning: 'The receiver failed while it handled the event.',
    action: 'Look into the log of the receiver.',
  },
  gone: {
    meaning: 'The receiver answered 410: it is not there for good. Ten minutes of it disable the webhook.',
    action: 'Answer otherwise, and enable the webhook again, or delete it.',
  },
  rate_limited: {
    meaning: 'The receiver answered 429: it gets more than it takes.',
    action: 'Lower `rate_limit_per_second` of the webhook, or raise the limit of the receiver.',
  },
  expired: {
    meaning: 'It could not be delivered within 24 hours, and is given up.',
    action: 'Mend the receiver, then have it sent again: `recover` sends all that failed in a period.',
  },
  endpoint_deleted: {
    meaning: 'Its webhook was deleted before it was delivered.',
    action: 'Nothing, if that was meant: `deliver` of the event sends it to another webhook.',
  },
  body_expired: {
    meaning: 'Its body is older than bodies are kept.',
    action: 'Read the record that it is about.',
  },
  deferred_by_breaker: {
    meaning: 'It waits: several deliveries in a row have failed, and until a probe succeeds no other is sent.',
    action: 'Look at the deliveries before it; all that were held back are sent once the receiver answers.',
  },
} as const satisfies Readonly<Record<string, DeliveryErrorFacts>>;

export type DeliveryError = keyof typeof deliveryErrorTable;
