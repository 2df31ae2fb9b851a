"""Officials' desks, and what the operator of the server looks after."""
