import { LinkTokens } from '@gateway/runtime';
import type { Config } from '#src/config.ts';
import { pageUrls } from '#src/deposit/page-url.ts';
import { qrUrls } from '#src/deposit/qr-url.ts';
import { evidenceUrls } from '#src/dispute/evidence-url.ts';

/** The links that this service issues; each is valid without credentials, for one record and some time. */
export function linksOf({ SECRETS_KEY: key, PUBLIC_URL: publicUrl }: Config) {
  const tokens = new LinkTokens([key]);
  return {
    qrUrlOf: qrUrls(tokens, publicUrl),
    pageUrlOf: pageUrls(tokens, publicUrl),
    evidenceUrlOf: evidenceUrls(tokens, publicUrl),
  };
}
