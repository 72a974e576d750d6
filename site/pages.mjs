/**
 * The pages of the site, in the order of its navigation. Each is a page of the repository; its address is its name here.
 * A page of docs/, of an SDK or of a plugin that is in no group is refused, so that none is left without a way to it.
 */
export const groups = [
  {
    label: 'Begin',
    translations: { 'pt-BR': 'Começar' },
    pages: { index: 'docs/merchant-guide.md', start: 'docs/start.md' },
  },
  {
    label: 'Take money, pay out',
    translations: { 'pt-BR': 'Receber e pagar' },
    pages: {
      payments: 'docs/payments.md',
      refunds: 'docs/refunds.md',
      disputes: 'docs/disputes.md',
      payouts: 'docs/payouts.md',
      statement: 'docs/statement.md',
      finance: 'docs/finance.md',
      proof: 'docs/proof.md',
    },
  },
  {
    label: 'Hear of it',
    translations: { 'pt-BR': 'Avisos' },
    pages: { webhooks: 'docs/webhooks.md', events: 'docs/generated/events.md' },
  },
  {
    label: 'When it fails',
    translations: { 'pt-BR': 'Quando falha' },
    pages: { retries: 'docs/retries.md', errors: 'docs/generated/errors.md', 'test-mode': 'docs/test-mode.md' },
  },
  {
    label: 'Contract 1.0 and connectors',
    translations: { 'pt-BR': 'Contrato 1.0 e conectores' },
    pages: {
      'contract-1-0': 'docs/contract-1.0.md',
      'contract-changes': 'docs/generated/contract-changes.md',
      connector: 'docs/connector-guide.md',
    },
  },
  {
    label: 'Going live',
    translations: { 'pt-BR': 'Produção' },
    pages: {
      'going-live': 'docs/going-live.md',
      limits: 'docs/limits.md',
      console: 'docs/console.md',
      versions: 'docs/versions.md',
      changelog: 'docs/changelog.md',
    },
  },
  {
    label: 'Clients',
    translations: { 'pt-BR': 'Clientes' },
    pages: {
      'sdk/typescript': 'sdks/typescript/README.md',
      'sdk/python': 'sdks/python/README.md',
      'sdk/typescript-changelog': 'sdks/typescript/CHANGELOG.md',
      'sdk/python-changelog': 'sdks/python/CHANGELOG.md',
      mcp: 'docs/mcp.md',
      'mcp-package': 'sdks/mcp/README.md',
      'mcp-changelog': 'sdks/mcp/CHANGELOG.md',
      cli: 'docs/cli.md',
      'cli-commands': 'docs/generated/cli.md',
      'cli-package': 'sdks/cli/README.md',
      'cli-changelog': 'sdks/cli/CHANGELOG.md',
      medusa: 'plugins/medusa/README.md',
      'medusa-changelog': 'plugins/medusa/CHANGELOG.md',
      simulator: 'services/psp-simulator/README.md',
    },
  },
  { label: 'Operations', translations: { 'pt-BR': 'Operação' }, folder: 'docs/operations', at: 'operations' },
  { label: 'Providers', translations: { 'pt-BR': 'Provedores' }, folder: 'docs/providers', at: 'providers' },
  {
    label: 'How it is built',
    translations: { 'pt-BR': 'Como é feito' },
    pages: {
      configuration: 'docs/generated/configuration.md',
      security: 'docs/security.md',
      reliability: 'docs/reliability.md',
      performance: 'docs/performance.md',
      'life-cycles': 'docs/generated/life-cycles.md',
      glossary: 'docs/glossary.md',
    },
  },
];

/** Pages of docs/ that are for people who change the product. */
export const leftOut = ['docs/dependencies.md', 'docs/generated/messages.md', 'docs/generated/permissions.md'];

/** The pages in Brazilian Portuguese, by the address of the page that they translate. */
export const translated = {
  start: 'docs/pt-br/start.md',
  payments: 'docs/pt-br/payments.md',
  webhooks: 'docs/pt-br/webhooks.md',
};
