/** The sample investor of demo mode. The details are printed at start and offered on the sign-in page. */
export const demoInvestor = {
  fullname: 'Amara Okonkwo',
  email: 'amara@example.com',
  password: 'two halves match',
} as const;
