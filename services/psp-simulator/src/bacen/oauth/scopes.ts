/** What a token of this simulator may do: the scopes of the Pix API 2.9.0 that it serves, and Efí's own. */
export const allScopes: readonly string[] = [
  'cob.read',
  'cob.write',
  'pix.read',
  'pix.write',
  'webhook.read',
  'webhook.write',
  'pix.send',
  'gn.pix.send.read',
  'gn.balance.read',
  'gn.infractions.read',
  'gn.infractions.write',
];

/** What each operation asks for, by method and the beginning of its path. */
const needed: readonly (readonly [method: string, path: RegExp, scope: string])[] = [
  ['GET', /^\/v2\/gn\/pix\/enviados/, 'gn.pix.send.read'],
  ['GET', /^\/v2\/gn\/saldo/, 'gn.balance.read'],
  ['GET', /^\/v2\/gn\/infracoes/, 'gn.infractions.read'],
  ['POST', /^\/v2\/gn\/infracoes/, 'gn.infractions.write'],
  ['PUT', /^\/v3\/gn\/pix\//, 'pix.send'],
  ['GET', /^\/v2\/cob/, 'cob.read'],
  ['*', /^\/v2\/cob/, 'cob.write'],
  ['GET', /^\/v2\/pix/, 'pix.read'],
  ['*', /^\/v2\/pix/, 'pix.write'],
  ['GET', /^\/v2\/webhook/, 'webhook.read'],
  ['*', /^\/v2\/webhook/, 'webhook.write'],
];

/** The scope an operation needs; undefined for what is not served. */
export function scopeOf(method: string, url: string): string | undefined {
  return needed.find(([verb, path]) => (verb === '*' || verb === method) && path.test(url))?.[2];
}
