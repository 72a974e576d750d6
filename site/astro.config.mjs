import starlight from '@astrojs/starlight';
import { defineConfig } from 'astro/config';
import starlightLinksValidator from 'starlight-links-validator';
import starlightLlmsTxt from 'starlight-llms-txt';
import { groups } from './pages.mjs';

export default defineConfig({
  // The address that sitemaps and llms.txt name; SITE_URL is that of another.
  site: process.env.SITE_URL ?? 'https://docs.gateway.example',
  telemetry: false,
  // Colours of code would be styles within the text, which the policy does not permit.
  markdown: { syntaxHighlight: false },
  integrations: [
    starlight({
      title: 'Payment gateway',
      description: 'Instant payments by PIX and SPEI: deposits, payouts, refunds, webhooks.',
      defaultLocale: 'root',
      locales: { root: { label: 'English', lang: 'en' }, 'pt-br': { label: 'Português', lang: 'pt-BR' } },
      expressiveCode: false,
      credits: false,
      pagination: true,
      customCss: ['./src/site.css'],
      sidebar: groups.map(({ label, translations, pages, folder, at }) => ({
        label,
        translations,
        collapsed: folder !== undefined,
        items: folder
          ? [{ slug: at }, { autogenerate: { directory: at } }]
          : Object.keys(pages).map((slug) => ({ slug })),
      })),
      plugins: [starlightLinksValidator(), starlightLlmsTxt()],
    }),
  ],
});
