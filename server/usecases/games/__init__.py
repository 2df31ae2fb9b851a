"""What goes with every move: the writer, due work, its letters, and the cases that begin."""
