"""Xfcc: the service that chess programs fetch games from and send moves to.

SOAP 1.1 over POST at ``/xfcc/XfccBasic.asmx``, two operations, user name and key in every call.
Not for pages, and for no decision: every deed is a use case that the web and the API have too.
"""
