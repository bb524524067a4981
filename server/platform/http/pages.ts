import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import fastifyStatic from '@fastify/static';
import { placeholderOrigin, strayPath } from '@tallystick/contract/site';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

const contentTypes: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.xml': 'application/xml; charset=utf-8',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.webmanifest': 'application/manifest+json',
};

type Encoding = 'br' | 'gzip' | 'identity';

interface StoredFile {
  type: string;
  etag: string;
  isPage: boolean;
  /** Of pages, and of what runs without one. */
  contentSecurityPolicy: string | null;
  bodyIn(encoding: Encoding): Buffer;
}

/** Rewritten pages are compressed when they are first asked for: quickly, the build's own files are the small ones. */
const brotliQuality = 8;
const compressed = /^(text\/|application\/(xml|manifest)|image\/svg)/;

/**
 * Scripts may run if they are ours: files of this site, and exactly the inline scripts this page was built with. A page that
 * was built with a policy of its own, such as one that may ask for nothing, is served with that.
 */
export function contentSecurityPolicyFor(html: string): string {
  const [, own] = /<meta http-equiv="Content-Security-Policy" content="([^"]+)">/.exec(html) ?? [];
  if (own) return `${own}; frame-ancestors 'none'`;
  const inline = [
    ...html.matchAll(/<script(?![^>]*\s(?:src=|type="application\/ld))[^>]*>([\s\S]*?)<\/script>/g),
  ].map(([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`);
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

/** The one script that is no asset is the service worker, at the root because what it answers for is there. */
const workerPolicy = "default-src 'none'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'";

/**
 * What the build wrote beside a file in another encoding, unless the file had to be rewritten. It is read now, not when
 * it is first asked for: by then another build may lie there.
 */
function encoded(path: string, body: Buffer, rewritten: boolean): (encoding: Encoding) => Buffer {
  const made = new Map<Encoding, Buffer>([['identity', body]]);
  for (const [encoding, suffix] of [['br', '.br'] as const, ['gzip', '.gz'] as const]) {
    if (!rewritten && existsSync(path + suffix)) made.set(encoding, readFileSync(path + suffix));
  }
  return (encoding) => {
    const known = made.get(encoding);
    if (known) return known;
    const params = { [constants.BROTLI_PARAM_QUALITY]: brotliQuality };
    const fresh = encoding === 'br' ? brotliCompressSync(body, { params }) : gzipSync(body);
    made.set(encoding, fresh);
    return fresh;
  };
}

function readStored(path: string, rewrite: (text: string) => string): StoredFile {
  const type = contentTypes[extname(path)] ?? 'application/octet-stream';
  const raw = readFileSync(path);
  const isText = compressed.test(type);
  const body = isText ? Buffer.from(rewrite(raw.toString('utf8'))) : raw;
  const isPage = type.startsWith('text/html');
  const isScript = type.startsWith('text/javascript');
  return {
    type,
    etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`,
    isPage,
    contentSecurityPolicy: isPage
      ? contentSecurityPolicyFor(body.toString('utf8'))
      : isScript
        ? workerPolicy
        : null,
    bodyIn: isText ? encoded(path, body, !body.equals(raw)) : () => body,
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
  const mayCompress = compressed.test(file.type);
  const encoding = mayCompress
    ? (['br', 'gzip'] as const).find((name) => accepted.includes(name))
    : undefined;
  if (encoding) reply.header('content-encoding', encoding);
  return reply
    .status(status)
    .type(file.type)
    .send(file.bodyIn(encoding ?? 'identity'));
}

interface PagesOptions {
  /** The web app's build. */
  dir: string;
  demo: boolean;
  siteUrl: string;
  /** Addresses that the browser app answers by itself, with a page of their own or the fallback page as their shell. */
  appPaths: readonly string[];
}

export interface Pages {
  routes(app: FastifyInstance): Promise<void>;
  sendNotFoundPage(request: FastifyRequest, reply: FastifyReply): FastifyReply;
}

/** The build knows neither where the site stands nor whether it is a demo: that is written into its texts. */
export function placePages({ demo, siteUrl }: Pick<PagesOptions, 'demo' | 'siteUrl'>) {
  return (text: string): string => {
    const placed = text.replaceAll(placeholderOrigin, siteUrl);
    return demo ? placed.replace('data-mode="production"', 'data-mode="demo"') : placed;
  };
}

/** Reads the built site once: small pages live in memory, hashed assets are served from disk and cached for good. */
export function createPages({ dir, demo, siteUrl, appPaths }: PagesOptions): Pages {
  const rewrite = placePages({ demo, siteUrl });
  const files = new Map<string, StoredFile>();
  for (const name of readdirSync(dir, { recursive: true, encoding: 'utf8' })) {
    if (name.startsWith('assets') || !contentTypes[extname(name)]) continue;
    const stored = readStored(join(dir, name), rewrite);
    const address = `/${name.replace(/(^|\/)index\.html$/, '')}`;
    files.set(address.length > 1 ? address.replace(/\/$/, '') : '/', stored);
  }
  const shell = files.get('/__spa-fallback.html');
  if (!shell) throw new Error(`The web app is not built: ${dir} has no fallback page. Run npm run build.`);
  files.delete('/__spa-fallback.html');
  const stray = files.get(strayPath) ?? shell;
  files.delete(strayPath);

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
      const rest = appPaths.filter((address) => !files.has(address));
      const answers = [...files, ...rest.map((address) => [address, shell] as const)];
      for (const [address, file] of answers) {
        const answer = (request: FastifyRequest, reply: FastifyReply) =>
          sendStored(request, reply, file, 200);
        app.get(address, answer);
        // People and links add a slash; that is no reason to show them the page for strays.
        if (file.isPage && address !== '/') app.get(`${address}/`, answer);
      }
      // A form that is sent before the app has started posts here; its fields are dropped and the page shows again.
      app.addContentTypeParser('application/x-www-form-urlencoded', (_request, payload, done) => {
        payload.resume();
        done(null);
      });
      for (const [address, file] of files) {
        if (!file.isPage) continue;
        app.post(address, (_request, reply) => reply.redirect(address, 303));
      }
    },
    sendNotFoundPage: (request, reply) => sendStored(request, reply, stray, 404),
  };
}
