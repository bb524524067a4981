import { userText } from '@tallystick/contract/errors';
import { z } from 'zod';

/** What the browser checks before it sends: both fields filled, both the same. Whether it is good enough, the server says. */
export const newPasswordFields = z
  .object({
    password: z.string().min(1, 'Enter a new password.'),
    cpassword: z.string().min(1, 'Enter the new password again.'),
  })
  .refine(({ password, cpassword }) => password === cpassword, {
    path: ['cpassword'],
    error: userText.passwordsDiffer,
  });
