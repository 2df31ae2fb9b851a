"""A federation simulated from a seed: members, entries, EMT, cup, league, rights and ratings.

The rules are those of ``kskak`` and no others: the same ``decide`` and ``evolve``, the same
access, draws, placing, ratings and composition as the server's. This package only has what people
do on virtual days, and checks of the results, which state the regulation's numbers a second time.
Pure: no clock, file or database; chance is a ``random.Random`` that is passed in.
Not for mail, web and storage (the scenarios), nor for speed (``tools.bench``).
"""
