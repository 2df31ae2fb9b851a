"""What every call shares: doors, bodies, answers, problems."""
