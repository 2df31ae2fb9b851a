"""Xfcc: the service that chess programs fetch games from and send moves to.

SOAP 1.1 over POST at ``/xfcc/XfccBasic.asmx``, two operations, user name and key in every call.
Not for pages or decisions: every action is a use case shared with the web and the API.
"""
