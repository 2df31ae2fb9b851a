"""Letters in and out: stdlib email and kskak; SMTP libraries only in smtp_in.py and smtp_out.py."""
