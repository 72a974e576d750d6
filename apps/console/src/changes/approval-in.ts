/** The id of the proposal that an answer is, if it is one. */
export function approvalIn(answer: unknown): string | undefined {
  const approval = (answer as { readonly approval?: { readonly id?: unknown; readonly state?: unknown } } | undefined)
    ?.approval;
  return approval?.state === 'PROPOSED' && typeof approval.id === 'string' ? approval.id : undefined;
}
