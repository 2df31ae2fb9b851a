"""The web pages: what a person with a browser sees and does.

Not for machines (the JSON API and Xfcc are rooms of their own) nor for rules: a page asks a use
case and shows its answer.
"""
