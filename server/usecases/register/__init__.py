"""Members, clubs and ratings: import with a dry run, export, looking up, changing (§ 6.1, § 6.4.4).

Not for entries and classes, which rest on it.
"""
