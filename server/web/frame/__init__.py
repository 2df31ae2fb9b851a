"""What every page shares: context, forms, answers, words, headers."""
