"""The web pages for people with a browser.

Not for machines (the JSON API and Xfcc are separate packages) or rules: a page calls a use case
and shows its answer.
"""
