"""The letters in words: for each letter one function from its facts to blocks."""
