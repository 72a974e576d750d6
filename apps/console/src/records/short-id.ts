const headLength = 10;
const tailLength = 4;

/** `pyt_01m8qk…h2zj`: the kind, when it was made, and what its neighbours do not share. What is hardly longer stays whole. */
export function shortId(id: string): string {
  if (id.length <= headLength + tailLength + 2) return id;
  return `${id.slice(0, headLength)}…${id.slice(-tailLength)}`;
}
