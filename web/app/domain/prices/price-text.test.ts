import { describe, expect, it } from 'vitest';
import { priceText, sourceText } from './price-text.ts';

describe('the price that something was counted with', () => {
  it('has every place that it was counted with', () => {
    expect(priceText('68412.5')).toBe('$68,412.50');
    expect(priceText('0.58741')).toBe('$0.58741');
    expect(priceText('600')).toBe('$600.00');
  });

  it('says where it comes from', () => {
    expect(sourceText('live')).toBe('Public price service');
    expect(sourceText('api.example.com')).toBe('api.example.com');
  });
});
