/** The starter posts of `content/blog`, newest first. */
export const posts = {
  '/blog/how-to-check-your-balance': 'How to check your balance yourself',
  '/blog/how-fixed-plans-work': 'How fixed plans work: amount, days, return',
  '/blog/the-risks-in-plain-words': 'The risks, in plain words',
};
