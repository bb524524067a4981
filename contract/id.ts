import { z } from 'zod';

/** An id in capitals is the same id: from here on it is in small letters, as the database writes it. */
export const idOr = (refusal?: string) => z.uuid(refusal).toLowerCase();

/** Where the specification sends an id along, any short text will do: what is nobody's id is refused when it is looked for. */
export const SentId = z.string().max(64).toLowerCase();
