"""Sign-in, keys, own data, retention."""
