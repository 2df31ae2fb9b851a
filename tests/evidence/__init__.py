"""What the product says, kept as digests: for changes that must not be noticed by anybody."""
