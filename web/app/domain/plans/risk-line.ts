/** The one sentence that stands wherever someone could decide to begin. */
export const riskLine = 'Crypto prices fall as well as rise. Invest only what you can afford to lose.';

/** Stands on every plan. */
export const planRiskLine = 'You can lose money, including all of it. No return is certain.';
