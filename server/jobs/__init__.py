"""Pollers: mail in, mail out, due dates, daily duties. Several processes may run them.

Not for the work itself: that is in the use cases.
"""
