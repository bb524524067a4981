import type { MessagesShown } from '@tallystick/contract/operator/messages';
import { sql } from 'kysely';
import type { Db, ReadDb, Tx } from '../../platform/postgres/db.ts';
import { prune } from '../../platform/postgres/prune.ts';

interface NewContactMessage {
  name: string;
  email: string;
  message: string;
  clientAddress: string;
  now: Date;
}

export async function insertContactMessage(tx: Tx, message: NewContactMessage): Promise<void> {
  await tx
    .insertInto('contact_messages')
    .values({
      name: message.name,
      email: message.email,
      message: message.message,
      client_address: message.clientAddress,
      received_at: message.now,
    })
    .execute();
}

interface ContactMessageRow {
  id: string;
  name: string;
  email: string;
  message: string;
  receivedAt: Date;
  handledBy: string | null;
  handledAt: Date | null;
}

export async function countMessages(db: ReadDb, show: MessagesShown): Promise<number> {
  let query = db.selectFrom('contact_messages').select((eb) => eb.fn.countAll<bigint>().as('count'));
  if (show === 'open') query = query.where('handled_at', 'is', null);
  return Number((await query.executeTakeFirstOrThrow()).count);
}

export async function pageOfMessages(
  db: ReadDb,
  show: MessagesShown,
  { offset, limit }: { offset: number; limit: number },
): Promise<ContactMessageRow[]> {
  let query = db
    .selectFrom('contact_messages')
    .select([
      'id',
      'name',
      'email',
      'message',
      'received_at as receivedAt',
      'handled_by as handledBy',
      'handled_at as handledAt',
    ])
    .orderBy('received_at', 'desc')
    .orderBy('id')
    .offset(offset)
    .limit(limit);
  if (show === 'open') query = query.where('handled_at', 'is', null);
  return query.execute();
}

export async function findMessage(tx: Tx, id: string): Promise<{ handledBy: string | null } | null> {
  const row = await tx
    .selectFrom('contact_messages')
    .select('handled_by as handledBy')
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  return row ?? null;
}

export async function markHandled(tx: Tx, id: string, by: string, now: Date): Promise<void> {
  await tx
    .updateTable('contact_messages')
    .set({ handled_by: by, handled_at: now })
    .where('id', '=', id)
    .execute();
}

export async function wasSent(db: Db, messageId: string): Promise<boolean> {
  const found = await db
    .selectFrom('letters_sent')
    .select('message_id')
    .where('message_id', '=', messageId)
    .executeTakeFirst();
  return found !== undefined;
}

export async function markSent(db: Db, messageId: string): Promise<void> {
  await db
    .insertInto('letters_sent')
    .values({ message_id: messageId })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** A job is tried for about three days; a month leaves room for a queue that stood still. */
export async function deleteOldSent(db: Db): Promise<void> {
  await prune(db, 'letters_sent', sql`sent_at < now() - interval '30 days'`);
}

/** By the clock of the database, which keeps younger ones, whoever asks. */
export async function deleteOldMessages(db: Db): Promise<void> {
  await prune(db, 'contact_messages', sql`received_at < now() - interval '365 days'`);
}
