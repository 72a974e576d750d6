import { getOperatorConversion, listOperatorConversions } from '@gateway/contracts/conversions';
import { callRpc } from '@gateway/messaging';
import {
  operatorConversionResourceSchema,
  operatorConversionsQuerySchema,
  pageOf,
  presentOperatorConversion,
  recordFilterOf,
  wrapped,
} from '@gateway/public-api';
import { idIn, operatorEndpoint } from '#src/operator/operator-endpoint.ts';
import { answerPage, csvMedia } from '#src/statements/list-answer.ts';

export const conversionEndpoints = [
  operatorEndpoint({
    method: 'GET',
    path: '/ops/conversions',
    operation: 'listConversions',
    summary: 'List the conversions of all accounts, newest first',
    description: 'Answers with the conversions of all accounts, newest first. Every filter that is given has to hold.',
    query: operatorConversionsQuerySchema,
    answers: { 200: pageOf(operatorConversionResourceSchema) },
    otherMedia: csvMedia,
    handle: async (call, { bus }) => {
      const filter = recordFilterOf(call.query);
      return await answerPage(call, bus, {
        name: 'conversions',
        schema: operatorConversionResourceSchema,
        page: async (asked, page) => {
          const { conversions, nextCursor } = await callRpc(asked, listOperatorConversions, { ...filter, ...page });
          return { data: conversions.map(presentOperatorConversion), nextCursor };
        },
      });
    },
  }),
  operatorEndpoint({
    method: 'GET',
    path: '/ops/conversions/:id',
    operation: 'getConversion',
    summary: 'Read a conversion of any account',
    description: 'Answers with a conversion of any account, with its amounts and its rate.',
    answers: { 200: wrapped({ conversion: operatorConversionResourceSchema })['0.1'] },
    handle: async (call, { bus }) => {
      const { conversion } = await callRpc(bus, getOperatorConversion, { id: idIn(call, 'conversion') });
      return { status: 200, body: { conversion: presentOperatorConversion(conversion) } };
    },
  }),
];
