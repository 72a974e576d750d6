import { defineConfig } from '@medusajs/framework/utils';

const gateway = {
  resolve: '@gateway/medusa/providers/gateway',
  id: 'gateway',
  options: {
    publicKey: process.env.GATEWAY_API_KEY,
    secretKey: process.env.GATEWAY_API_SECRET,
    baseUrl: process.env.GATEWAY_BASE_URL,
    webhookSecret: process.env.GATEWAY_WEBHOOK_SECRET,
  },
};

export default defineConfig({
  projectConfig: { http: { jwtSecret: 'a secret of this test', cookieSecret: 'a secret of this test' } },
  admin: { disable: true },
  plugins: ['@gateway/medusa'],
  modules: [
    {
      resolve: '@medusajs/medusa/payment',
      options: { providers: [gateway], webhook_delay: 1 },
    },
  ],
});
