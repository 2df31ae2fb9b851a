"""Groups are started, or taken over in mid-season."""
