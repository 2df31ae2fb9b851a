"""A game in files: kskak-ledger/1, kskak-clock/1, snapshots."""
