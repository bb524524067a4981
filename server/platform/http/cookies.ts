import type { FastifyReply, FastifyRequest } from 'fastify';

/** A cookie that scripts cannot read and other sites cannot send. */
export interface SecretCookie {
  read(request: FastifyRequest): string | null;
  write(reply: FastifyReply, value: string): void;
  clear(reply: FastifyReply): void;
}

/**
 * Over https the `__Host-` prefix makes the browser itself refuse a cookie that a neighbouring host planted. Without an
 * age the cookie goes when the browser is closed.
 */
export function secretCookie(
  name: string,
  siteUrl: string,
  { ageSecondsMax }: { ageSecondsMax?: number } = {},
): SecretCookie {
  const secure = siteUrl.startsWith('https:');
  const fullName = secure ? `__Host-${name}` : name;
  const options = { httpOnly: true, sameSite: 'strict', path: '/', secure } as const;
  const kept = ageSecondsMax === undefined ? options : { ...options, maxAge: ageSecondsMax };
  return {
    read: (request) => request.cookies[fullName] || null,
    write: (reply, value) => void reply.setCookie(fullName, value, kept),
    clear: (reply) => void reply.clearCookie(fullName, options),
  };
}
