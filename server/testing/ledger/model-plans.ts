/** The plans that the model and the code that it judges both offer. */
export const modelPlans = [
  {
    planname: 'Starter',
    from: 100_00,
    to: 1_999_00,
    days: 30,
    roiPoints: 80,
    exit: null,
    reinvestable: false,
  },
  {
    planname: 'Standard',
    from: 2_000_00,
    to: 9_999_00,
    days: 60,
    roiPoints: 190,
    reinvestable: true,
    exit: { from: 15, keeps: 5_000, fee: 50 },
  },
  {
    planname: 'Reserve',
    from: 10_000_00,
    to: 50_000_00,
    days: 90,
    roiPoints: 320,
    reinvestable: true,
    exit: { from: 30, keeps: 5_000, fee: 100 },
  },
] as const;
