import { z } from 'zod';
import { text } from '#src/shared/members.ts';

/** A picture of 44 KB in base64 fits into a body with room to spare. */
const logoCharactersMax = 60_000;

/** Body of `PUT /v1/account/branding`: replaces what the payment page shows of the merchant beside the name. */
export const brandingRequestSchema = z
  .strictObject({
    color: z
      .string()
      .regex(/^#[0-9a-fA-F]{6}$/, 'must be a colour as #rrggbb')
      .nullish()
      .describe(
        'Colour of the buttons, as #rrggbb; white text on it has to have a contrast of 4.5:1 (WCAG 2.2, 1.4.3).',
      ),
    logo: z
      .base64({ error: 'must be a PNG picture in base64' })
      .max(logoCharactersMax, `must be at most ${logoCharactersMax} characters long`)
      .meta({ format: 'png', pattern: '^iVBORw0KGgo' })
      .nullish()
      .describe('A PNG picture in base64, at most 1024 by 512 pixels and 44 KB.'),
  })
  .meta({ id: 'BrandingUpdate', description: 'What the payment page shows of the merchant beside the name.' });
export type BrandingRequest = z.infer<typeof brandingRequestSchema>;

/** What the payment page shows of a merchant. */
export const brandingResourceSchema = z
  .object({
    color: text('Colour of the buttons, as #rrggbb; null for the colour of the house.', '#0b5f4d').nullable(),
    logo: text('The PNG picture as it is shown, in base64; null without one.', 'iVBORw0KGgo=').nullable(),
  })
  .meta({ id: 'Branding', description: 'What the payment page shows of a merchant.' });
