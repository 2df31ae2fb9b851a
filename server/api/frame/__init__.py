"""Shared by all calls: authentication, bodies, answers, problems."""
