"""What people and time ask of the server, whatever the channel: one transaction each.

Not for HTTP, mail text or SQL.
"""
