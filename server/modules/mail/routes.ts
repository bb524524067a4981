import { contact as contactCall } from '@tallystick/contract/mail';
import type { FastifyInstance } from 'fastify';
import { serve } from '../../platform/http/serve.ts';
import type { Contact } from './service.ts';

export function mailRoutes(contact: Contact) {
  return async (app: FastifyInstance) => {
    serve(app, 'public', contactCall, async ({ body, request }) => {
      await contact.sendContactMessage({ ...body, clientAddress: request.clientAddress });
      return { message: 'Your message was sent. We answer by e-mail.' };
    });
  };
}
