import { readSamplePeople } from '../config/content.ts';
import type { SamplePeople } from '../platform/postgres/installation.ts';

/** The sample investor of demo mode. The details are printed at start and offered on the sign-in page. */
export const demoInvestor = {
  fullname: 'Amara Okonkwo',
  email: 'amara@example.com',
  password: 'two halves match',
} as const;

/** Everyone whom a demo makes. */
export function samplePeople(): SamplePeople {
  const { operators, investors } = readSamplePeople();
  return {
    operators: operators.map(({ email }) => email),
    investors: [demoInvestor, ...investors].map(({ email }) => email),
  };
}
