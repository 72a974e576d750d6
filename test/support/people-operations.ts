import { expect } from 'vitest';
import type { DescribedClient } from './described-client.ts';
import { enrolledAt } from './enrolling.ts';

type Call = ReturnType<DescribedClient['as']>;

/** What operators do about each other: one is invited, enrols, and is changed in every way. */
export async function everyPeopleOperation(ana: Call, bruno: Call): Promise<void> {
  const approved = async (proposed: Awaited<ReturnType<Call>>) =>
    (await bruno(`POST /ops/approvals/${proposed.body.approval.id}/approve`)).body.approval.outcome;
  const invite = async (name: string) =>
    approved(await ana('POST /ops/invitations', { name, roles: ['duty'], reason: 'joins us' }));
  const { invitation_url: link, invitation_id: invitationId } = await invite('carla.reis');
  await enrol(link);
  await ana(`POST /ops/invitations/${invitationId}/confirm`);
  await ana(`POST /ops/invitations/${(await invite('davi.luz')).invitation_id}/revoke`);
  await ana('GET /ops/invitations');
  const people: readonly { id: string; name: string }[] = (await ana('GET /ops/people')).body.data;
  const carla = people.find(({ name }) => name === 'carla.reis');
  const path = `/ops/people/${carla?.id ?? ''}`;
  expect((await ana(`GET ${path}`)).body.person).toEqual(carla);
  await ana(`PATCH ${path}`, { roles: ['duty'] });
  await approved(await ana(`PATCH ${path}`, { roles: ['duty', 'auditor'], reason: 'as agreed' }));
  await ana(`DELETE ${path}/sessions`);
  await ana(`POST ${path}/suspend`, { reason: 'the laptop was stolen' });
  await approved(await ana(`POST ${path}/reinstate`, { reason: 'it was found' }));
  await approved(await ana(`POST ${path}/recover`, { reason: 'the phone was lost' }));
  await ana('GET /ops/sign-ins?outcome=done&limit=1');
  const made = await ana('POST /ops/service-tokens', { name: 'nightly', scopes: ['records:read'], days: 1 });
  await approved(await ana('POST /ops/service-tokens', { name: 'hourly', scopes: ['operations:write'] }));
  await ana('GET /ops/service-tokens');
  await ana(`DELETE /ops/service-tokens/${made.body.service_token.id}`);
}

async function enrol(link: string): Promise<void> {
  const { status } = await enrolledAt(new URL(link).origin, link.split('#')[1] ?? '');
  expect(status).toBe(200);
}
