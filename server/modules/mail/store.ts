import type { Tx } from '../../platform/db.ts';

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
