import { z } from 'zod';

export const passwordsDiffer = 'The two new passwords differ.';

/** What the browser checks before it sends: all filled, both new ones the same. Whether it is good enough, the server says. */
export const passwordFields = z
  .object({
    password: z.string().min(1, 'Enter your old password.'),
    passwordnew: z.string().min(1, 'Enter a new password.'),
    cpassword: z.string().min(1, 'Enter the new password again.'),
  })
  .refine(({ passwordnew, cpassword }) => passwordnew === cpassword, {
    path: ['cpassword'],
    error: passwordsDiffer,
  });
