import type { StoredFile } from '@gateway/contracts/deposits';
import { extensionOf } from '#src/files/check-file.ts';
import type { Answer } from '#src/http/endpoint.ts';

const bytes = { type: 'string', format: 'binary' } as const;

/** How the API description has the content of a file. */
export const fileMedia = { 'application/pdf': bytes, 'image/png': bytes, 'image/jpeg': bytes };

/**
 * The content of a stored file. A browser saves it, and where it shows it after all, it is no page: no script, no request,
 * no origin.
 */
export function fileAnswer(
  id: string,
  { content, mediaType }: { readonly content: Buffer; readonly mediaType: StoredFile['mediaType'] },
): Answer {
  return {
    status: 200,
    body: content,
    headers: {
      'content-type': mediaType,
      'content-disposition': `attachment; filename="${id}.${extensionOf(mediaType)}"`,
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': 'private, no-store',
    },
  };
}
