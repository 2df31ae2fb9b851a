"""Games, people, messages, and what a page or mail looks up about them."""
