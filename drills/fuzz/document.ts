/** What the fuzz knows of a site: the document that it publishes about its own calls, and nothing else. */

export interface Schema {
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
}

interface Parameter {
  in: string;
  name: string;
  required?: boolean;
  schema: Schema;
}

interface Described {
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, { schema?: Schema }> }>;
}

export interface Operation {
  method: string;
  /** With `{name}` where a parameter stands. */
  path: string;
  scope: 'anyone' | 'investor' | 'operator';
  parameters: Parameter[];
  body: Schema | null;
  /** By status, what an answer looks like; null where it is no JSON. */
  answers: Map<number, Schema | null>;
}

const json = 'application/json';

function scopeOf(path: string, asksWho: boolean): Operation['scope'] {
  if (path.startsWith('/api/operator/')) return 'operator';
  return asksWho || path.startsWith('/api/') ? 'investor' : 'anyone';
}

export function readDocument(text: string): Operation[] {
  const { paths } = JSON.parse(text) as { paths: Record<string, Record<string, Described>> };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => ({
      method: method.toUpperCase(),
      path,
      scope: scopeOf(path, 'security' in described),
      parameters: described.parameters ?? [],
      body: described.requestBody?.content[json]?.schema ?? null,
      answers: new Map(
        Object.entries(described.responses).map(([status, { content }]) => [
          Number(status),
          content?.[json]?.schema ?? null,
        ]),
      ),
    })),
  );
}
