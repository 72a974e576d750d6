import type { z } from 'zod';
import type { ReplyOf, RpcContract } from '@gateway/contracts/messages';
import type { ApiVersion, MessageLanguage, ShownPage } from '@gateway/contracts/values';
import { answering, type RpcRoute } from '@gateway/messaging';
import { presenters } from '@gateway/public-api';

interface ShownRequest {
  readonly apiVersion: ApiVersion;
  readonly language?: MessageLanguage | undefined;
}

type Present = (record: unknown, language?: MessageLanguage) => ShownPage['data'][number];

/** A list as the owner of its records answers it: the records as the services know them, and the same as they are shown. */
export function listing<Q extends z.ZodType, A extends z.ZodType>(
  kind: 'deposit' | 'dispute' | 'entry' | 'payout' | 'refund',
  { list, show }: { readonly list: RpcContract<Q, A>; readonly show: RpcContract },
  handle: (request: z.infer<Q>) => Promise<ReplyOf<RpcContract<Q, A>>>,
): RpcRoute[] {
  const answerShown = async (request: unknown): Promise<ShownPage> => {
    const { apiVersion, language, ...asked } = request as ShownRequest;
    const { nextCursor, ...named } = (await handle(asked as never)) as { readonly nextCursor: string | null };
    const [records = []] = Object.values<unknown[]>(named);
    const present = presenters[apiVersion][kind] as Present;
    return { data: records.map((record) => present(record, language)), next_cursor: nextCursor };
  };
  return [answering(list, handle), answering(show, answerShown)];
}
