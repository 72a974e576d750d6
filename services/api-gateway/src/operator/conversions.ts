import { getConversionSwitch, getOperatorConversion, listOperatorConversions } from '@gateway/contracts/conversions';
import { callRpc } from '@gateway/messaging';
import {
  approvalAnswerSchema,
  conversionSwitchResourceSchema,
  operatorConversionResourceSchema,
  operatorConversionsQuerySchema,
  presentConversionSwitch,
  presentOperatorConversion,
  recordAnswer,
  recordAnswerSchema,
  recordFilterOf,
  switchRequestSchema,
} from '@gateway/public-api';
import { presentApproval } from '#src/approvals/approval.ts';
import { actOf, idIn, operatorEndpoint } from '#src/operator/operator-endpoint.ts';
import { operatorList } from '#src/operator/operator-list.ts';
import { proposeSwitchingOn, switchOff } from '#src/proposals/switch-conversions.ts';

export const conversionEndpoints = [
  operatorList({
    path: '/ops/conversions',
    operation: 'listConversions',
    permission: 'records:read',
    summary: 'List the conversions of all accounts, newest first',
    description: 'Answers with the conversions of all accounts, newest first. Every filter that is given has to hold.',
    query: operatorConversionsQuerySchema,
    name: 'conversions',
    schema: operatorConversionResourceSchema,
    page: async ({ query }, { bus }, page) => {
      const { provider, e2eId, ...filter } = recordFilterOf(query);
      // Every list of records takes these filters, also where no record has what they ask for.
      if ((provider ?? e2eId) !== undefined) return { data: [], nextCursor: null };
      const { conversions, nextCursor } = await callRpc(bus, listOperatorConversions, { ...filter, ...page });
      return { data: conversions.map(presentOperatorConversion), nextCursor };
    },
  }),
  operatorEndpoint({
    method: 'GET',
    path: '/ops/conversions/switch',
    operation: 'getConversionSwitch',
    permission: 'operations:read',
    summary: 'Read whether live conversions are on',
    description:
      'Answers with the switch for live conversions into USDT: who set it, when and why. Live keys convert while it is ' +
      'on and the deployment allows it; test keys always do.',
    answers: { 200: conversionSwitchResourceSchema },
    handle: async (_call, { bus }) => {
      const { switch: found } = await callRpc(bus, getConversionSwitch, {});
      return { status: 200, body: presentConversionSwitch(found) };
    },
  }),
  operatorEndpoint({
    method: 'POST',
    path: '/ops/conversions/switch/on',
    operation: 'switchConversionsOn',
    permission: 'accounts:propose',
    summary: 'Propose to switch live conversions on, for another operator to approve',
    description:
      'Nothing changes until another operator approves. From then on live keys convert, and the USDT for it is owed ' +
      'and bought. If the switch is set before the approval, this has to be proposed again.',
    body: switchRequestSchema,
    example: { reason: 'counsel has confirmed the authorisation' },
    answers: { 202: approvalAnswerSchema },
    refusals: ['INVALID_STATE'],
    handle: async (call, services) => {
      const approval = await proposeSwitchingOn(services, actOf(call), call.body.reason);
      return { status: 202, body: { approval: presentApproval(approval) } };
    },
  }),
  operatorEndpoint({
    method: 'POST',
    path: '/ops/conversions/switch/off',
    operation: 'switchConversionsOff',
    permission: 'operations:write',
    summary: 'Switch live conversions off, at once and by one operator',
    description:
      'Quotes and conversions of live keys are refused from now on; a quote that was given before can still be used. ' +
      'A proposal to switch them on is not carried out any more.',
    body: switchRequestSchema,
    example: { reason: 'the exchange is down' },
    answers: { 200: conversionSwitchResourceSchema },
    handle: async (call, services) => ({ status: 200, body: await switchOff(services, actOf(call), call.body.reason) }),
  }),
  operatorEndpoint({
    method: 'GET',
    path: '/ops/conversions/:id',
    operation: 'getConversion',
    permission: 'records:read',
    summary: 'Read a conversion of any account',
    description: 'Answers with a conversion of any account, with its amounts and its rate.',
    answers: { 200: recordAnswerSchema('conversion', operatorConversionResourceSchema) },
    handle: async (call, { bus }) => {
      const { conversion } = await callRpc(bus, getOperatorConversion, { id: idIn(call, 'conversion') });
      return { status: 200, body: recordAnswer('conversion', presentOperatorConversion(conversion)) };
    },
  }),
];
