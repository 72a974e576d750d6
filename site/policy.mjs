import { createHash } from 'node:crypto';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The policy with which the site is served: its own files, the inline scripts and styles that the build has written, each by
 * its hash, and nothing else. Attributes with styles have no place in it, so they become classes of a file of their own.
 *
 * @param script the address of what every page loads
 */
export function policyOf(dist, script) {
  const files = globSync('**/*.html', { cwd: dist }).map((name) => join(dist, name));
  const classes = new Map();
  const [scripts, styles] = [new Set(), new Set()];
  for (const file of files) {
    const html = finished(readFileSync(file, 'utf8'), classes, script);
    writeFileSync(file, html);
    for (const [, text] of html.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g))
      scripts.add(hashOf(text));
    for (const [, text] of html.matchAll(/<style[^>]*>([\s\S]*?)<\/style>/g)) styles.add(hashOf(text));
  }
  const rules = [...classes].map(([style, name]) => `.${name} { ${style} }`);
  writeFileSync(join(dist, 'inline.css'), `${rules.join('\n')}\n`);
  return [
    "default-src 'none'",
    // The search runs as WebAssembly.
    `script-src 'self' 'wasm-unsafe-eval' ${[...scripts].sort().join(' ')}`,
    `style-src 'self' ${[...styles].sort().join(' ')}`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** As the policy and people without a mouse need it. */
function finished(html, classes, script) {
  const written = html.replaceAll(
    /<([a-z][\w-]*)((?:\s[^<>]*?)?)\sstyle="([^"]*)"([^<>]*)>/g,
    (_, tag, before, style, after) => {
      if (!classes.has(style)) classes.set(style, `inline-${hashOf(style).slice(8, 16).replaceAll(/\W/g, '_')}`);
      const name = classes.get(style);
      const attributes = `${before}${after}`;
      return /\sclass="/.test(attributes)
        ? `<${tag}${attributes.replace(/\sclass="/, ` class="${name} `)}>`
        : `<${tag} class="${name}"${attributes}>`;
    },
  );
  // What is wider than a phone is moved by keyboard too.
  const reachable = written.replaceAll(/<(pre|table)(?=[\s>])/g, '<$1 tabindex="0"');
  const loaded = `<link rel="stylesheet" href="/inline.css"><script type="module" src="${script}"></script>`;
  return reachable.replace('</head>', `${loaded}</head>`);
}

function hashOf(text) {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
