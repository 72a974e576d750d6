import type { MerchantInvitation, MerchantPerson } from '#src/generated/types.gen.ts';
import type { Tone } from '#src/look/status.tsx';

/** Whether a person can sign in. */
export const personToneOf: Readonly<Record<MerchantPerson['state'], Tone>> = {
  INVITED: 'wait',
  ACTIVE: 'good',
  SUSPENDED: 'bad',
};

/** What has become of an invitation: one that ran out is no fault. */
export const invitationToneOf: Readonly<Record<MerchantInvitation['state'], Tone>> = {
  OPEN: 'wait',
  ACCEPTED: 'wait',
  CONFIRMED: 'good',
  REVOKED: 'neutral',
  EXPIRED: 'neutral',
};
