"""Pollers: mail in, mail out, due dates, daily duties. Several processes may run them.

Not for what is done: that is a use case.
"""
