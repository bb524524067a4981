import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

const contentTypes: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.xml': 'application/xml; charset=utf-8',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.webmanifest': 'application/manifest+json',
};

interface StoredFile {
  type: string;
  etag: string;
  /** Only for HTML. */
  contentSecurityPolicy: string | null;
  encodings: { br?: Buffer; gzip?: Buffer; identity: Buffer };
}

/** Scripts may run if they are ours: files of this site, and exactly the inline scripts this page was built with. */
export function contentSecurityPolicyFor(html: string): string {
  const inline = [...html.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g)].map(
    ([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  );
  return [
    "default-src 'self'",
    ["script-src 'self'", ...new Set(inline)].join(' '),
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}

function readStored(path: string, rewriteHtml: (html: string) => string): StoredFile {
  const type = contentTypes[extname(path)] ?? 'application/octet-stream';
  const raw = readFileSync(path);
  const html = type.startsWith('text/html') ? raw.toString('utf8') : null;
  const rewritten = html === null ? raw : Buffer.from(rewriteHtml(html));
  const changed = !rewritten.equals(raw);
  const beside = (suffix: string) => (existsSync(path + suffix) ? readFileSync(path + suffix) : undefined);
  const br = changed ? brotliCompressSync(rewritten) : beside('.br');
  const gzip = changed ? gzipSync(rewritten) : beside('.gz');
  return {
    type,
    etag: `"${createHash('sha256').update(rewritten).digest('base64url').slice(0, 22)}"`,
    contentSecurityPolicy: html === null ? null : contentSecurityPolicyFor(rewritten.toString('utf8')),
    encodings: { identity: rewritten, ...(br && { br }), ...(gzip && { gzip }) },
  };
}

function sendStored(
  request: FastifyRequest,
  reply: FastifyReply,
  file: StoredFile,
  status: number,
): FastifyReply {
  reply.header('etag', file.etag).header('vary', 'accept-encoding').header('cache-control', 'no-cache');
  if (file.contentSecurityPolicy) reply.header('content-security-policy', file.contentSecurityPolicy);
  if (status === 200 && request.headers['if-none-match'] === file.etag) return reply.status(304).send();
  const accepted = request.headers['accept-encoding'] ?? '';
  const encoding = (['br', 'gzip'] as const).find((name) => file.encodings[name] && accepted.includes(name));
  if (encoding) reply.header('content-encoding', encoding);
  return reply
    .status(status)
    .type(file.type)
    .send(file.encodings[encoding ?? 'identity']);
}

interface PagesOptions {
  /** The web app's build. */
  dir: string;
  demo: boolean;
  /** Addresses that the browser app answers by itself, with the fallback page as their shell. */
  appPaths: readonly string[];
}

export interface Pages {
  routes(app: FastifyInstance): Promise<void>;
  sendNotFoundPage(request: FastifyRequest, reply: FastifyReply): FastifyReply;
}

/** Reads the built site once: small pages live in memory, hashed assets are served from disk and cached for good. */
export function createPages({ dir, demo, appPaths }: PagesOptions): Pages {
  const rewriteHtml = (html: string) =>
    demo ? html.replace('data-mode="production"', 'data-mode="demo"') : html;
  const files = new Map<string, StoredFile>();
  for (const name of readdirSync(dir, { recursive: true, encoding: 'utf8' })) {
    if (name.startsWith('assets') || !contentTypes[extname(name)]) continue;
    const stored = readStored(join(dir, name), rewriteHtml);
    const address = `/${name.replace(/(^|\/)index\.html$/, '')}`;
    files.set(address.length > 1 ? address.replace(/\/$/, '') : '/', stored);
  }
  const shell = files.get('/__spa-fallback.html');
  if (!shell) throw new Error(`The web app is not built: ${dir} has no fallback page. Run npm run build.`);
  files.delete('/__spa-fallback.html');

  return {
    async routes(app) {
      await app.register(fastifyStatic, {
        root: join(dir, 'assets'),
        prefix: '/assets/',
        preCompressed: true,
        immutable: true,
        maxAge: '365d',
        index: false,
        decorateReply: false,
      });
      const answers = [...files, ...appPaths.map((address) => [address, shell] as const)];
      for (const [address, file] of answers) {
        const answer = (request: FastifyRequest, reply: FastifyReply) =>
          sendStored(request, reply, file, 200);
        app.get(address, answer);
        // People and links add a slash; that is no reason to show them the page for strays.
        if (file.contentSecurityPolicy && address !== '/') app.get(`${address}/`, answer);
      }
      // A form that is sent before the app has started posts here; its fields are dropped and the page shows again.
      app.addContentTypeParser('application/x-www-form-urlencoded', (_request, payload, done) => {
        payload.resume();
        done(null);
      });
      for (const [address, file] of files) {
        if (!file.contentSecurityPolicy) continue;
        app.post(address, (_request, reply) => reply.redirect(address, 303));
      }
    },
    sendNotFoundPage: (request, reply) => sendStored(request, reply, shell, 404),
  };
}
