"""Days that pass: what is due, leave, deliveries."""
