"""Shared by all pages: context, forms, answers, texts, headers."""
