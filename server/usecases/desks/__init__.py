"""Officials' desks, and what whoever runs the server looks after."""
