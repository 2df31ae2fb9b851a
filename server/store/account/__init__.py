"""Ways in, keys, own data, retention."""
