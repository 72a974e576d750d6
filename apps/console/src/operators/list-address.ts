const pages: readonly string[] = [
  ...['/deposits', '/payouts', '/refunds', '/disputes', '/orphan-receipts', '/exceptions', '/approvals'],
  ...['/providers', '/dead-letters', '/unread-items'],
];

/** Where the console shows a list of the operators' interface; undefined for one that it has no page of. */
export function listAddress(list: string): string | undefined {
  const { pathname, search } = new URL(list, 'http://console.invalid');
  const path = pathname.replace(/^\/ops/, '');
  return pages.includes(path) ? `${path}${search}` : undefined;
}
