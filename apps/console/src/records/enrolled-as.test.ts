import { expect, test } from 'vitest';
import { enrolledAs } from '#src/records/enrolled-as.ts';

test('an inviter sees what the passkey is called, and who enrolled at the issuer', () => {
  expect(enrolledAs({ passkey_label: 'laptop', subject: null })).toBe('laptop');
  expect(enrolledAs({ passkey_label: 'laptop', subject: '248289761001' })).toBe('laptop · 248289761001');
  expect(enrolledAs({ passkey_label: null, subject: null })).toBe('–');
});
